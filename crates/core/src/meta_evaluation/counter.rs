//! Counts for many draws at once: bit `d` of what is added belongs to draw `d`.

/// Draws whose counts are taken together.
pub const LANES: usize = 512;

pub const WORDS: usize = LANES / 64;

/// A bit for each draw.
pub type Bits = [u64; WORDS];

/// Joins two words of each 64 draws.
#[inline(always)]
pub fn zip(one: Bits, other: Bits, join: impl Fn(u64, u64) -> u64) -> Bits {
    std::array::from_fn(|word| join(one[word], other[word]))
}

/// The lower and the higher bit of the sum of three bits.
#[inline(always)]
pub fn sum(one: Bits, other: Bits, third: Bits) -> (Bits, Bits) {
    let different = zip(one, other, |x, y| x ^ y);
    let both = zip(one, other, |x, y| x & y);
    let carried = zip(different, third, |x, y| x & y);
    let low = zip(different, third, |x, y| x ^ y);
    (low, zip(both, carried, |x, y| x | y))
}

/// Bits that are added before they are carried on.
const WAITING: usize = 8;

/// Bits of a count.
const PLANES: usize = 32;

/// Counts the bits of each draw. Plane `p` has bit `p` of all counts, so that a few operations add
/// to all of them (Muła, Kurz and Lemire 2018, *Faster Population Counts Using AVX2 Instructions*).
pub struct Counter {
    planes: [Bits; PLANES],
    waiting: [Bits; WAITING],
    count: usize,
}

impl Counter {
    pub const fn new() -> Self {
        Self {
            planes: [[0; WORDS]; PLANES],
            waiting: [[0; WORDS]; WAITING],
            count: 0,
        }
    }

    #[inline(always)]
    pub fn add(&mut self, bits: Bits) {
        self.waiting[self.count] = bits;
        self.count += 1;
        if self.count == WAITING {
            self.carry();
        }
    }

    /// Adds bits that are mostly 0.
    #[inline(always)]
    pub fn add_some(&mut self, bits: Bits) {
        if bits != [0; WORDS] {
            self.add(bits);
        }
    }

    #[inline(always)]
    fn carry(&mut self) {
        let waiting = self.waiting;
        let [ones, twos, fours, higher @ ..] = &mut self.planes;
        let mut of_twos = [[0; WORDS]; 4];
        for (pair, carried) in of_twos.iter_mut().enumerate() {
            (*ones, *carried) = sum(*ones, waiting[2 * pair], waiting[2 * pair + 1]);
        }
        let (low, first) = sum(*twos, of_twos[0], of_twos[1]);
        let (low, second) = sum(low, of_twos[2], of_twos[3]);
        *twos = low;
        let (low, mut carried) = sum(*fours, first, second);
        *fours = low;
        for plane in higher {
            let both = zip(*plane, carried, |x, y| x & y);
            *plane = zip(*plane, carried, |x, y| x ^ y);
            carried = both;
            if carried == [0; WORDS] {
                break;
            }
        }
        self.waiting = [[0; WORDS]; WAITING];
        self.count = 0;
    }

    /// The count of each draw, at [`place_of`] it.
    ///
    /// Eight planes at a time, the bits of each eight draws are transposed (Warren 2012, *Hacker's
    /// Delight*, 7-3).
    #[inline(always)]
    pub fn counts(&mut self) -> [u32; LANES] {
        self.carry();
        let mut counts = [0; LANES];
        for (place, planes) in self.planes.as_chunks::<8>().0.iter().enumerate() {
            let any = planes
                .iter()
                .fold(Bits::default(), |any, &plane| zip(any, plane, |x, y| x | y));
            if any == Bits::default() {
                continue;
            }
            let mut rows = *planes;
            for (step, mask) in [(4, 0x0f), (2, 0x33), (1, 0x55)] {
                let mask = u64::from_ne_bytes([mask; 8]);
                for first in (0..8).filter(|row| row & step == 0) {
                    let (one, other) = (rows[first], rows[first + step]);
                    let changed = zip(one, other, |x, y| (x >> step ^ y) & mask);
                    rows[first] = zip(one, changed, |x, change| x ^ change << step);
                    rows[first + step] = zip(other, changed, |y, change| y ^ change);
                }
            }
            let mut bytes = [[0; 8]; LANES / 8];
            for (bytes, word) in bytes.iter_mut().zip(rows.as_flattened()) {
                *bytes = word.to_le_bytes();
            }
            for (count, &byte) in counts.iter_mut().zip(bytes.as_flattened()) {
                *count += u32::from(byte) << (8 * place);
            }
        }
        counts
    }
}

/// Where the count of a draw is.
#[inline(always)]
pub const fn place_of(draw: usize) -> usize {
    draw % 8 * (LANES / 8) + draw / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draw `d` counts every `d + 1`th addition.
    #[test]
    fn counts_are_those_of_single_draws() {
        for additions in [0, 1, 7, 8, 9, 5_000] {
            let mut counter = Counter::new();
            for addition in 1..=additions {
                let bit = |draw: usize| u64::from(addition % (draw + 1) == 0) << (draw % 64);
                let word = |word: usize| (64 * word..64 * word + 64).map(bit).sum();
                counter.add(std::array::from_fn(word));
            }
            let expected: Vec<_> = (1..=LANES)
                .map(|every| u32::try_from(additions / every).expect("small"))
                .collect();
            let counts = counter.counts();
            let found: Vec<_> = (0..LANES).map(|draw| counts[place_of(draw)]).collect();
            assert_eq!(found, expected);
        }
    }
}
