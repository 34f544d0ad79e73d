//! BLEU by definition (Papineni et al. 2002).

use super::ngrams::clipped_matches;

/// The reference length by rule (section 2.2.2: the closest); of equally close ones the shorter or,
/// for `closest-first`, the first.
pub fn reference_length(rule: &str, hypothesis: usize, lengths: &[usize]) -> usize {
    let mut chosen = lengths[0];
    for &length in &lengths[1..] {
        let (far, farther) = (length.abs_diff(hypothesis), chosen.abs_diff(hypothesis));
        let better = match rule {
            "closest" => far < farther || (far == farther && length < chosen),
            "closest-first" => far < farther,
            "shortest" => length < chosen,
            "longest" => length > chosen,
            _ => false,
        };
        if better {
            chosen = length;
        }
    }
    if rule == "average" {
        chosen = lengths.iter().sum::<usize>() / lengths.len();
    }
    chosen
}

/// The row of a segment: both lengths, and for each order the clipped matches and the n-grams.
pub fn row(hypothesis: &[i64], references: &[Vec<i64>], orders: usize, rule: &str) -> Vec<i64> {
    let lengths: Vec<_> = references.iter().map(Vec::len).collect();
    let ref_len = reference_length(rule, hypothesis.len(), &lengths);
    let matches = (1..=orders).map(|n| clipped_matches(hypothesis, references, n));
    let totals = (1..=orders).map(|n| as_count((hypothesis.len() + 1).saturating_sub(n)));
    [as_count(hypothesis.len()), as_count(ref_len)]
        .into_iter()
        .chain(matches)
        .chain(totals)
        .collect()
}

/// The brevity penalty (section 2.3); that of an empty text is the limit, 0.
pub fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    if hyp_len < ref_len {
        (1.0 - ref_len / hyp_len).exp()
    } else {
        1.0
    }
}

/// The score from 0 to 100 (section 2.3), given a weight for each precision.
pub fn score(penalty: f64, precisions: &[f64], weights: &[f64]) -> f64 {
    let powers = precisions.iter().zip(weights);
    100.0 * penalty * powers.map(|(p, weight)| p.powf(*weight)).product::<f64>()
}

fn as_count(number: usize) -> i64 {
    i64::try_from(number).expect("small")
}
