//! Reading long texts piece by piece, so that neither they nor their tokens are copied as a whole.

use crate::text::{Encoding, Scratch, Segment};
use crate::tokenize::{TokenList, TokenSlice};

/// Splits each piece of a text, and gives `take` its tokens; returns how many the text has.
pub fn split_pieces(
    text: Segment<'_>,
    encoding: Encoding,
    scratch: &mut Scratch,
    tokens: &mut TokenList,
    mut split: impl FnMut(&mut Scratch, Segment<'_>, &mut TokenList),
    mut take: impl FnMut(&Scratch, TokenSlice<'_>),
) -> usize {
    let mut count = 0;
    for piece in text.pieces() {
        scratch.clear(encoding);
        split(scratch, piece, tokens);
        take(scratch, tokens.as_slice());
        count += tokens.as_slice().len();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{ReferenceLength, Whitespace};
    use crate::metric::Metric;
    use crate::metric::bleu::Bleu;
    use crate::metric::bleu_formula::Formula;
    use crate::metric::chrf::Chrf;
    use crate::metric::chrf_formula::ChrfFormula;
    use crate::metric::smoothing::Smoothing;
    use crate::metric::ter::Ter;
    use crate::text::Form;
    use crate::tokenize::{IN_PIECES, Preprocessing, Tercom, Tokenizer};

    /// What texts are made of: what matters to the splitting of words and to the ends of pieces.
    const PARTS: [&str; 36] = [
        " ",
        " ",
        " ",
        " ",
        " ",
        "  ",
        "a",
        "b",
        "The",
        "donaudampfschiffa",
        "donaudampfschiffb",
        ".",
        ",",
        "5",
        "3.5",
        "-",
        "-\n",
        "\n",
        "\n-",
        "&quot;",
        "&amp;lt;",
        "<skipped>",
        "\u{85}",
        "\u{a0}",
        "\u{3000}",
        "\u{301}",
        "é",
        "Σ",
        "ΟΔΟΣ",
        "İ",
        "中",
        "ﬁ",
        "\u{a8}",
        "\u{1f600}",
        "'s",
        "\t",
    ];

    fn rows<M: Metric>(metric: &M, texts: &[Segment<'_>], in_pieces: bool) -> Vec<i64> {
        IN_PIECES.set(in_pieces);
        let (hypotheses, references) = texts.split_at(2);
        let mut rows = vec![-1; 2 * metric.width()];
        let counted = metric.count(&mut M::Worker::default(), hypotheses, references, &mut rows);
        IN_PIECES.set(false);
        assert_eq!(counted, Ok(()));
        rows
    }

    /// The rows of texts that are read in pieces are those of the whole texts, wherever pieces end, in
    /// every encoding.
    #[test]
    fn pieces_are_counted_like_the_whole() {
        let mut random: u64 = 1;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
            usize::try_from(random >> 33).expect("32 bits") % limit
        };
        for round in 0..2000 {
            // Of characters of one, two or four bytes.
            let kinds = [27, 33, PARTS.len()][round % 3];
            let texts: Vec<String> = (0..2 + round % 4)
                .map(|_| (0..below(60)).map(|_| PARTS[below(kinds)]).collect())
                .collect();
            let wide: Vec<Vec<u32>> = texts
                .iter()
                .map(|text| text.chars().map(u32::from).collect())
                .collect();
            let narrow = |text: &Vec<u32>| text.iter().map(|&c| u8::try_from(c)).collect();
            let latin1: Vec<Result<Vec<u8>, _>> = wide.iter().map(narrow).collect();
            let ucs2: Vec<Vec<u16>> = texts.iter().map(|t| t.encode_utf16().collect()).collect();
            let segments: Vec<_> = (0..texts.len())
                .map(
                    |index| match ((round / 3 + index * (round % 2)) % 4, &latin1[index]) {
                        (0, Ok(latin1)) => Segment::Latin1(latin1),
                        (1, _) if ucs2[index].len() == wide[index].len() => {
                            Segment::Ucs2(&ucs2[index])
                        }
                        (2, _) => Segment::Ucs4(&wide[index]),
                        _ => Segment::Utf8(texts[index].as_bytes()),
                    },
                )
                .collect();
            let preprocessing = Preprocessing {
                unicode_form: [
                    None,
                    None,
                    Form::named("NFC").ok(),
                    Form::named("NFKD").ok(),
                ][below(4)],
                lowercase: below(2) == 0,
                tokenizer: [Tokenizer::None, Tokenizer::V13a, Tokenizer::Characters][below(3)],
            };
            let bleu = Bleu {
                preprocessing,
                reference_length: ReferenceLength::Closest,
                phantom_ngrams: false,
                formula: Formula {
                    max_order: 4,
                    smoothing: Smoothing::named("exp", None).expect("a name"),
                    effective_order: None,
                    brevity_penalty: true,
                    weights: vec![vec![0.25; 4]],
                },
            };
            let chrf = Chrf {
                preprocessing: Preprocessing {
                    tokenizer: Tokenizer::None,
                    ..preprocessing
                },
                whitespace: [
                    Whitespace::Removed,
                    Whitespace::Kept,
                    Whitespace::WithoutSpaces,
                ][below(3)],
                formula: ChrfFormula {
                    char_order: 1 + below(6),
                    word_order: below(3),
                    squared_beta: 4.0,
                    eps_smoothing: false,
                },
            };
            let ter = Ter {
                tokenizer: Tercom {
                    case_sensitive: below(2) == 0,
                    normalized: below(4) == 0,
                    ..Tercom::default()
                },
                unicode_form: preprocessing.unicode_form,
                short_blocks: false,
            };
            let both = |rows: &dyn Fn(bool) -> Vec<i64>| {
                assert_eq!(
                    rows(true),
                    rows(false),
                    "{texts:?} {bleu:?} {chrf:?} {ter:?}"
                );
            };
            both(&|in_pieces| rows(&bleu, &segments, in_pieces));
            both(&|in_pieces| rows(&chrf, &segments, in_pieces));
            both(&|in_pieces| rows(&ter, &segments, in_pieces));
        }
    }
}
