//! Counting keys in ascending order, of which equal n-grams of every order are neighbors.

use super::integers::Key;
use super::positions::ORDERS;
use crate::stop::stop_in;

/// What is counted of keys in ascending order.
///
/// Where an n-gram ends, the smaller of the numbers of its occurrences in the hypothesis and in the
/// reference is its clipped count. It is credited at most as often as the reference has it that has it
/// most, and is known by the number of keys of the hypothesis before it: in each reference the same.
pub struct Counts<'a, K> {
    /// How often each is credited, if there are several references.
    credited: &'a mut [[u32; ORDERS]],
    /// By the highest bit in which neighbours differ: for each order, whether its n-grams differ.
    differing: [[u32; ORDERS]; u128::BITS as usize],
    last: K,
    now: Now,
}

/// Number of keys so far, and for each order, what was counted before the present n-gram began.
#[derive(Clone, Copy, Default)]
struct Now {
    all: u32,
    references: u32,
    all_before: [u32; ORDERS],
    references_before: [u32; ORDERS],
    matched: [u32; ORDERS],
}

impl<'a, K: Key> Counts<'a, K> {
    /// For n-grams of tokens of so many bits.
    pub fn new(bits: u32, orders: usize, credited: &'a mut [[u32; ORDERS]]) -> Self {
        let mut differing = [[0; ORDERS]; u128::BITS as usize];
        let width = bits as usize * orders + 1;
        for (bit, differing) in differing.iter_mut().enumerate().take(width).skip(1) {
            let same = (orders - 1).saturating_sub((bit - 1) / bits as usize);
            differing[same..].fill(u32::MAX);
        }
        Self {
            credited,
            differing,
            last: K::default(),
            now: Now::default(),
        }
    }

    /// Adds keys, and how often each occurs.
    #[inline(always)]
    pub fn add(&mut self, keys: impl Iterator<Item = (K, u32)>) {
        let (mut last, mut now) = (self.last, self.now);
        for (step, (key, times)) in keys.enumerate() {
            stop_in(step);
            let difference = (key ^ last | K::from(1)).highest_bit() as usize;
            let ends = &self.differing[difference % self.differing.len()];
            let ended = now.end(ends);
            if !self.credited.is_empty() {
                ended.credit(self.credited);
            }
            now.all += times;
            now.references += if key.low() & 1 == 1 { times } else { 0 };
            last = key;
        }
        (self.last, self.now) = (last, now);
    }

    /// Ends the last n-grams, and writes how many matched, unless they are credited.
    pub fn finish(&mut self, matches: &mut [i64]) {
        let ends = &[u32::MAX; ORDERS];
        let ended = self.now.end(ends);
        if !self.credited.is_empty() {
            return ended.credit(self.credited);
        }
        for (total, matched) in matches.iter_mut().zip(self.now.matched) {
            *total = matched.into();
        }
    }
}

/// The n-grams that end at a key: for each order, how often both texts have it, and what knows it.
struct Ended {
    matched: [u32; ORDERS],
    before: [u32; ORDERS],
}

impl Ended {
    #[inline(always)]
    fn credit(&self, credited: &mut [[u32; ORDERS]]) {
        if self.matched == [0; ORDERS] {
            return;
        }
        for (n, &matched) in self.matched.iter().enumerate() {
            if matched > 0 {
                let credited = &mut credited[self.before[n] as usize][n];
                *credited = matched.max(*credited);
            }
        }
    }
}

impl Now {
    /// Ends the n-grams of the orders that have all bits set in `ends`.
    #[inline(always)]
    fn end(&mut self, ends: &[u32; ORDERS]) -> Ended {
        let mut ended = Ended {
            matched: [0; ORDERS],
            before: [0; ORDERS],
        };
        for (n, ends) in ends.iter().enumerate() {
            let of_reference = self.references - self.references_before[n];
            let of_hypothesis = self.all - self.all_before[n] - of_reference;
            ended.before[n] = self.all_before[n] - self.references_before[n];
            ended.matched[n] = of_hypothesis.min(of_reference) & ends;
            self.matched[n] += ended.matched[n];
            self.all_before[n] += (self.all - self.all_before[n]) & ends;
            self.references_before[n] += of_reference & ends;
        }
        ended
    }
}
