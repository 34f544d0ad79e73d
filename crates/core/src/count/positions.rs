//! Sets of positions of a hypothesis as bits, from which the n-grams of all orders follow at once.
//!
//! The mask of the n-grams that start at a token of a reference, shifted by one and intersected with
//! the mask of the positions of the token before it, is the mask of the (n+1)-grams that start at
//! that one. The lowest of these positions that is not yet confirmed is confirmed. So each
//! occurrence in the reference confirms at most one in the hypothesis, and each occurrence in the
//! hypothesis is confirmed at most once: that is clipping. Occurrences are confirmed from the lowest
//! on, so of two references, the one with more occurrences of an n-gram confirms all that the other
//! does.

/// Maximum order that is counted.
pub const ORDERS: usize = 8;

/// A set of positions of the hypothesis: one bit for each, those from 64 on in the next integer.
pub type Positions<const WORDS: usize> = [u64; WORDS];

/// A set of positions for each of `N` orders. The first integers of all orders are contiguous, then
/// the second ones: so that one instruction serves several orders.
pub type ByOrder<const WORDS: usize, const N: usize> = [[u64; N]; WORDS];

/// Extends the n-grams that start at one token by the token before it, which the hypothesis has at
/// `positions`.
#[inline(always)]
pub fn prepend<const WORDS: usize, const N: usize>(
    starting: &mut ByOrder<WORDS, N>,
    positions: Positions<WORDS>,
) {
    for word in 0..WORDS {
        let after = starting.get(word + 1).map_or([0; N], |next| *next);
        for n in (1..N).rev() {
            let before = starting[word][n - 1] >> 1 | after[n - 1] << 63;
            starting[word][n] = positions[word] & before;
        }
        starting[word][0] = positions[word];
    }
}

/// Confirms the first occurrence of each n-gram that is not yet confirmed.
#[inline(always)]
pub fn confirm<const WORDS: usize, const N: usize>(
    confirmed: &mut ByOrder<WORDS, N>,
    starting: &ByOrder<WORDS, N>,
) {
    let mut none_before = [u64::MAX; N];
    for (confirmed, starting) in confirmed.iter_mut().zip(starting) {
        for n in 0..N {
            let new = starting[n] & !confirmed[n];
            confirmed[n] |= new & new.wrapping_neg() & none_before[n];
            none_before[n] &= u64::from(new != 0).wrapping_sub(1);
        }
    }
}

/// Number of confirmed n-grams of each order.
#[inline(always)]
pub fn number_confirmed<const WORDS: usize, const N: usize>(
    confirmed: &ByOrder<WORDS, N>,
) -> [i64; N] {
    let mut numbers = [0; N];
    for word in confirmed {
        for (number, word) in numbers.iter_mut().zip(word) {
            *number += i64::from(word.count_ones());
        }
    }
    numbers
}
