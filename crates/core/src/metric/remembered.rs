//! Logarithms and exponentials of small counts, each computed once.

use std::sync::atomic::{AtomicU64, Ordering};

use super::logarithm::ln;

/// Counts below this are small: those of nearly all sentences.
const SMALL: usize = 128;

/// Rows of what is remembered of orders without a match.
const ZEROS: usize = 8;

type Table<const N: usize> = [AtomicU64; N];

const fn empty<const N: usize>() -> Table<N> {
    [const { AtomicU64::new(0) }; N]
}

static LOGARITHMS: Table<{ SMALL * SMALL }> = empty();
static HALVED: Table<{ ZEROS * SMALL }> = empty();
static PENALTIES: Table<{ SMALL * SMALL }> = empty();

/// The number at a place of a table with rows of [`SMALL`] numbers. It is computed the first time
/// (and always, if it is 0), and by each thread that comes before the first has finished: all store
/// the same.
#[inline(always)]
fn remembered(table: &[AtomicU64], row: i64, column: i64, compute: impl Fn() -> f64) -> f64 {
    let small = |number| usize::try_from(number).ok().filter(|&n| n < SMALL);
    let place = small(row).zip(small(column));
    let Some(place) = place.and_then(|(row, column)| table.get(row * SMALL + column)) else {
        return compute();
    };
    match place.load(Ordering::Relaxed) {
        0 => {
            let number = compute();
            place.store(number.to_bits(), Ordering::Relaxed);
            number
        }
        bits => f64::from_bits(bits),
    }
}

/// The logarithm of the percentage that `matched` is of `total`, both above 0.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub fn ln_percentage(matched: i64, total: i64) -> f64 {
    remembered(&LOGARITHMS, total, matched, || {
        ln(100.0 * matched as f64 / total as f64)
    })
}

/// The logarithm of the percentage that `2^-zeros` matches are of `total`, which is above 0.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub fn ln_halved(zeros: i64, total: i64) -> f64 {
    remembered(&HALVED, zeros, total, || {
        let halvings = (0..zeros).fold(1.0, |halvings, _| 2.0 * halvings);
        ln(100.0 / (halvings * total as f64))
    })
}

/// The brevity penalty, which `compute` computes.
#[inline(always)]
pub fn penalty(hyp_len: i64, ref_len: i64, compute: impl Fn() -> f64) -> f64 {
    if hyp_len >= ref_len {
        return 1.0;
    }
    remembered(&PENALTIES, hyp_len, ref_len, compute)
}
