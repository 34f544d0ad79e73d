//! The native tokenizers by name, and what each of them is made of.

use std::ops::Range;

use super::characters::{self, Rules};
use super::rewrite::{self, History, Pass};
use super::scan;
use super::token::TokenList;
use crate::error::Error;
use crate::text::{Encoding, Scratch, trim_end, trim_start};

/// A native tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Splits on white space.
    None,
    /// The segmentation of `mteval-v13a.pl` as sacreBLEU has it.
    V13a,
    /// That of `mteval-v14.pl --international-tokenization` as sacreBLEU has it.
    International,
    /// Chinese characters as sacreBLEU takes them, and `13a` for the rest.
    Chinese,
    /// The same with the ranges of characters that were meant.
    ChineseFixed,
    /// Every character.
    Characters,
    /// Runs of letters, digits and underscores.
    WordRuns,
    /// Text that is tokenized already, as Moses writes it.
    Moses,
    /// What `mteval-v13a.pl` and `mteval-v14.pl` do themselves.
    Mteval,
    /// The same with its default, which is to lower-case ASCII letters.
    MtevalLowercase,
    /// What `mteval-v13a.pl --international-tokenization` does itself.
    MtevalInternationalV13a,
    /// And `mteval-v14.pl`.
    MtevalInternationalV14,
    /// What tensor2tensor makes of the international segmentation.
    Tensor2Tensor,
    /// What keras-hub makes of `13a`.
    Keras,
    /// Splits at single spaces (U+0020), as many scripts do.
    Spaces,
}

impl Tokenizer {
    /// Every native tokenizer under the name users give it.
    pub const ALL: [(&str, Self); 16] = [
        ("13a", Self::V13a),
        ("intl", Self::International),
        ("zh", Self::Chinese),
        ("zh-fixed", Self::ChineseFixed),
        ("char", Self::Characters),
        ("none", Self::None),
        ("words", Self::WordRuns),
        ("moses", Self::Moses),
        ("spaces", Self::Spaces),
        ("mteval-v13a", Self::Mteval),
        ("mteval-v14", Self::Mteval),
        ("mteval-v13a-lc", Self::MtevalLowercase),
        ("mteval-v13a-intl", Self::MtevalInternationalV13a),
        ("mteval-v14-intl", Self::MtevalInternationalV14),
        ("tensor2tensor", Self::Tensor2Tensor),
        ("keras", Self::Keras),
    ];

    /// The tokenizer of that name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, tokenizer)| tokenizer)
            .ok_or_else(|| Error::UnknownName {
                what: "tokenizer",
                name: name.to_owned(),
            })
    }

    /// Whether what it does depends on the version of [`unicode`](super::unicode).
    #[must_use]
    pub fn knows_unicode(self) -> bool {
        matches!(
            self,
            Self::International
                | Self::WordRuns
                | Self::MtevalInternationalV13a
                | Self::MtevalInternationalV14
                | Self::Tensor2Tensor
        )
    }

    /// Whether it can read Latin-1; the others need UTF-8.
    #[must_use]
    pub fn reads_latin1(self) -> bool {
        matches!(self, Self::None | Self::V13a)
    }

    /// Splits `text`, a text of `scratch`.
    ///
    /// A tokenizer that rewrites its input appends the rewritten text to `scratch`.
    pub fn tokenize(self, scratch: &mut Scratch, text: Range<usize>, tokens: &mut TokenList) {
        if self == Self::V13a {
            if scan::v13a(scratch, text.clone(), tokens) == scan::Outcome::Done {
                return;
            }
        } else if !self.rewrites(&scratch.bytes()[text.clone()]) {
            return self.split(scratch, self.trimmed(scratch, text), tokens);
        }
        let text = self.rewrite(scratch, self.trimmed(scratch, text), None);
        self.split(scratch, text, tokens);
    }

    /// The same for a text that [`Self::trimmed`] or [`Self::bare`] has cut, in two steps, of which
    /// the first tells what it has done.
    pub fn tokenize_with_history(
        self,
        scratch: &mut Scratch,
        text: Range<usize>,
        tokens: &mut TokenList,
    ) -> (Range<usize>, History) {
        let mut history = History::default();
        let text = self.rewrite(scratch, text, Some(&mut history));
        self.split(scratch, text.clone(), tokens);
        (text, history)
    }

    /// Whether [`Self::rewrite`] may change anything.
    fn rewrites(self, text: &[u8]) -> bool {
        // The line separator begins with the byte E2 in UTF-8.
        self == Self::MtevalLowercase
            || !self.passes().is_empty()
                && (memchr::memchr3(b'&', b'<', 0xE2, text).is_some()
                    || memchr::memchr(b'\n', text).is_some())
    }

    /// Appends to `scratch` a trimmed text with everything replaced that is replaced before
    /// splitting.
    fn rewrite(
        self,
        scratch: &mut Scratch,
        text: Range<usize>,
        history: Option<&mut History>,
    ) -> Range<usize> {
        let text = scratch.bytes()[text].to_vec();
        let mut text = rewrite::rewrite(text, self.passes(), history);
        if self == Self::MtevalLowercase {
            text.make_ascii_lowercase();
        }
        scratch.append(|bytes| bytes.extend_from_slice(&text))
    }

    /// The part of a text that counts.
    ///
    /// sacreBLEU drops white space at the end before it tokenizes, and `zh` at both ends. Where
    /// the ends of a text are not padded, that shows.
    #[must_use]
    pub fn trimmed(self, scratch: &Scratch, text: Range<usize>) -> Range<usize> {
        let mut range = self.bare(scratch, text);
        if matches!(self, Self::V13a | Self::International) {
            let bytes = &scratch.bytes()[range.clone()];
            range.end = range.start + trim_end(bytes, scratch.encoding()).len();
        }
        range
    }

    /// The part of a text that a tokenizer of sacreBLEU looks at when it is called by itself.
    #[must_use]
    pub fn bare(self, scratch: &Scratch, text: Range<usize>) -> Range<usize> {
        let mut range = text;
        if matches!(self, Self::Chinese | Self::ChineseFixed) {
            let bytes = &scratch.bytes()[range.clone()];
            range.end = range.start + trim_end(bytes, scratch.encoding()).len();
            range.start = range.end - trim_start(&scratch.bytes()[range.clone()]).len();
        }
        range
    }

    /// What is replaced before splitting.
    fn passes(self) -> &'static [Pass] {
        match self {
            Self::V13a | Self::Mteval | Self::MtevalLowercase | Self::Keras => rewrite::WESTERN,
            Self::MtevalInternationalV13a => rewrite::INTERNATIONAL_V13A,
            Self::MtevalInternationalV14 => rewrite::INTERNATIONAL_V14,
            _ => &[],
        }
    }

    /// Splits a text in which nothing is to be replaced.
    fn split(self, scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
        debug_assert!(self.reads_latin1() || scratch.encoding() == Encoding::Utf8);
        let rules: &Rules = match self {
            Self::None => return scan::words(scratch, text, tokens),
            Self::V13a => return scan::v13a_rewritten(scratch, text, tokens),
            Self::International => &characters::INTERNATIONAL,
            Self::Chinese => &characters::CHINESE,
            Self::ChineseFixed => &characters::CHINESE_FIXED,
            Self::Characters => &characters::CHARACTERS,
            Self::WordRuns => &characters::WORD_RUNS,
            Self::Moses => &characters::MOSES,
            Self::Spaces => &characters::SPACES,
            Self::Keras => &characters::KERAS,
            Self::Tensor2Tensor => &characters::TENSOR2TENSOR,
            Self::Mteval | Self::MtevalLowercase => &characters::MTEVAL,
            Self::MtevalInternationalV13a | Self::MtevalInternationalV14 => {
                &characters::MTEVAL_INTERNATIONAL
            }
        };
        characters::split(scratch, text, tokens, rules);
    }
}
