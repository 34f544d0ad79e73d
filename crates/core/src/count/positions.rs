//! Sets of positions of a hypothesis as bits, from which the n-grams of all orders follow at once.
//!
//! The mask of the n-grams that start at a token of a reference, shifted by one and intersected with
//! the mask of the positions of the token before it, is the mask of the (n+1)-grams that start at
//! that one. The lowest of these positions that is not yet confirmed is confirmed. So each
//! occurrence in the reference confirms at most one in the hypothesis, and each occurrence in the
//! hypothesis is confirmed at most once: that is clipping. Occurrences are confirmed from the lowest
//! on, so of two references, the one with more occurrences of an n-gram confirms all that the other
//! does.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_extract_epi64, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_permutevar8x32_epi32, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_srli_epi64, _mm256_sub_epi64,
};

#[cfg(target_arch = "x86_64")]
use crate::processor::Avx2;

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

/// The n-grams that the tokens of a reference confirm, from the last token on.
pub trait Confirm<const WORDS: usize, const N: usize> {
    /// Takes the next token, which the hypothesis has at `positions`.
    fn token(&mut self, positions: Positions<WORDS>);

    /// What the tokens have confirmed.
    fn confirmed(self) -> ByOrder<WORDS, N>;
}

/// On every processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable<const WORDS: usize, const N: usize> {
    /// The n-grams that start at the current token.
    starting: ByOrder<WORDS, N>,
    confirmed: ByOrder<WORDS, N>,
}

impl<const WORDS: usize, const N: usize> Default for Portable<WORDS, N> {
    fn default() -> Self {
        let none = [[0; N]; WORDS];
        Self {
            starting: none,
            confirmed: none,
        }
    }
}

impl<const WORDS: usize, const N: usize> Confirm<WORDS, N> for Portable<WORDS, N> {
    #[inline(always)]
    fn token(&mut self, positions: Positions<WORDS>) {
        prepend(&mut self.starting, positions);
        confirm(&mut self.confirmed, &self.starting);
    }

    #[inline(always)]
    fn confirmed(self) -> ByOrder<WORDS, N> {
        self.confirmed
    }
}

/// Four orders at once: compilers would keep some of them in other registers.
///
/// Each n-gram keeps its lane while it grows; one lane in turn begins again. So a token waits for
/// little of what is done with the one behind it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Four {
    proof: Avx2,
    turn: usize,
    starting: __m256i,
    confirmed: __m256i,
}

/// For each turn, all bits of the lane that begins again.
#[cfg(target_arch = "x86_64")]
static BEGINS: [[u64; 4]; 4] = [
    [u64::MAX, 0, 0, 0],
    [0, u64::MAX, 0, 0],
    [0, 0, u64::MAX, 0],
    [0, 0, 0, u64::MAX],
];

/// For each turn, the lane of each order, as two halves.
#[cfg(target_arch = "x86_64")]
static LANES: [[u32; 8]; 4] = [
    [0, 1, 6, 7, 4, 5, 2, 3],
    [2, 3, 0, 1, 6, 7, 4, 5],
    [4, 5, 2, 3, 0, 1, 6, 7],
    [6, 7, 4, 5, 2, 3, 0, 1],
];

#[cfg(target_arch = "x86_64")]
impl Four {
    /// Before the last token.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn new(proof: Avx2) -> Self {
        let none = _mm256_setzero_si256();
        Self {
            proof,
            turn: 0,
            starting: none,
            confirmed: none,
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn take(&mut self, _: Avx2, positions: u64) {
        let turn = self.turn % 4;
        self.turn += 1;
        // SAFETY: each is 32 readable bytes, and loads ask for no alignment.
        let (begins, lanes) = unsafe {
            (
                _mm256_loadu_si256(BEGINS[turn].as_ptr().cast()),
                _mm256_loadu_si256(LANES[turn].as_ptr().cast()),
            )
        };
        let positions = _mm256_set1_epi64x(positions.cast_signed());
        self.starting = _mm256_or_si256(
            _mm256_and_si256(_mm256_srli_epi64::<1>(self.starting), positions),
            _mm256_and_si256(begins, positions),
        );
        let starting = _mm256_permutevar8x32_epi32(self.starting, lanes);
        let new = _mm256_andnot_si256(self.confirmed, starting);
        let lowest = _mm256_and_si256(new, _mm256_sub_epi64(_mm256_setzero_si256(), new));
        self.confirmed = _mm256_or_si256(self.confirmed, lowest);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn numbers(self, _: Avx2) -> [u64; 4] {
        [
            _mm256_extract_epi64::<0>(self.confirmed),
            _mm256_extract_epi64::<1>(self.confirmed),
            _mm256_extract_epi64::<2>(self.confirmed),
            _mm256_extract_epi64::<3>(self.confirmed),
        ]
        .map(i64::cast_unsigned)
    }
}

#[cfg(target_arch = "x86_64")]
impl Confirm<1, 4> for Four {
    #[inline(always)]
    fn token(&mut self, [positions]: Positions<1>) {
        // SAFETY: `proof` proves AVX2.
        unsafe { self.take(self.proof, positions) };
    }

    #[inline(always)]
    fn confirmed(self) -> ByOrder<1, 4> {
        // SAFETY: `proof` proves AVX2.
        [unsafe { self.numbers(self.proof) }]
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
