//! The ways to count short hypotheses of tokens of one kind bit by bit.

use std::ops::Range;

use super::bit_parallel::BitParallel;
use super::keyed::{self, Keyed};
use super::keys::Keys;
#[cfg(target_arch = "x86_64")]
use super::positions::Four;
use super::positions::{Confirm, ORDERS, Portable};
use super::seeds::{Seeds, highest};
#[cfg(target_arch = "x86_64")]
use crate::processor::Avx2;
use crate::processor::Level;

/// How the current segment is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// The positions of the hypothesis are the bits of one integer.
    Bits64,
    /// They are the bits of two integers.
    Bits128,
    /// They are the bits of four integers.
    #[default]
    Bits256,
}

// So many slots that few hypotheses need a second try.
type Bits64 = BitParallel<1, 0x1000>;
type Bits128 = BitParallel<2, 0x4000>;
type Bits256 = BitParallel<4, 0x4000>;

/// Seeds that are tried.
const TRIES: usize = 4;

/// Tokens of a reference whose keys are in memory at once.
const CHUNK: usize = if cfg!(test) { 1 << 4 } else { 1 << 10 };

/// The ways to count tokens of one kind.
#[derive(Debug)]
pub struct Ways<K> {
    /// The keys of the current texts.
    keyed: Keyed<K>,
    seeds: Seeds,
    /// Where the keys of the hypothesis are.
    hypothesis: Range<usize>,
    /// Other seeds, if those of `keyed` do not do for the hypothesis, and hashes with them.
    other_seeds: Option<Seeds>,
    other_hashes: Vec<u16>,
    bits64: Box<Bits64>,
    bits128: Box<Bits128>,
    bits256: Box<Bits256>,
    way: Way,
}

impl<K: Copy + Default> Default for Ways<K> {
    fn default() -> Self {
        Self {
            keyed: Keyed::default(),
            seeds: Seeds::random(),
            hypothesis: 0..0,
            other_seeds: None,
            other_hashes: Vec::new(),
            bits64: Box::default(),
            bits128: Box::default(),
            bits256: Box::default(),
            way: Way::default(),
        }
    }
}

/// The level for which counting is compiled, and the number of orders.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The level.
    pub level: Level,
    /// The number of orders.
    pub orders: usize,
}

/// A reference, where its keys are if they have been computed, and what they are compared with.
struct Reference<'a, S: Keys> {
    level: Level,
    text: S,
    place: Option<usize>,
    keyed: &'a mut Keyed<S::Key>,
    hypothesis: Range<usize>,
    seeds: Seeds,
    other_seeds: Option<Seeds>,
    other_hashes: &'a mut Vec<u16>,
}

impl<S: Keys> Reference<'_, S> {
    #[inline(always)]
    fn confirm<const WORDS: usize, const SLOTS: usize, const N: usize>(
        mut self,
        bits: &mut BitParallel<WORDS, SLOTS>,
        mut how: impl Confirm<WORDS, N>,
    ) {
        let length = self.text.iter().len();
        if !S::WRITTEN {
            let seeds = self.other_seeds.unwrap_or(self.seeds);
            let tokens = self.text.iter();
            let tokens = tokens.map(|key| (key, highest(S::quick_hash(key, seeds))));
            let hypothesis = self.keyed.from(self.hypothesis.start);
            bits.reference(&mut how, self.text, hypothesis, tokens);
        } else if let Some(token) = self.place {
            self.confirm_part(bits, &mut how, token..token + length);
        } else {
            let mut end = length;
            while end > 0 {
                let start = end.saturating_sub(CHUNK);
                let part = self.text.part(start..end);
                let behind = self.hypothesis.end;
                let keys = self.keyed.write(self.level, part, behind, self.seeds);
                self.confirm_part(bits, &mut how, keys);
                end = start;
            }
        }
        bits.add(how);
    }

    #[inline(always)]
    fn confirm_part<const WORDS: usize, const SLOTS: usize, const N: usize>(
        &mut self,
        bits: &mut BitParallel<WORDS, SLOTS>,
        how: &mut impl Confirm<WORDS, N>,
        part: Range<usize>,
    ) {
        let hypothesis = self.keyed.from(self.hypothesis.start);
        let (keys, mut hashes) = self.keyed.part(part);
        if let Some(seeds) = self.other_seeds {
            keyed::hashes::<S>(keys, seeds, self.other_hashes);
            hashes = self.other_hashes;
        }
        let tokens = keys.iter().zip(hashes.iter().copied());
        bits.reference(how, self.text, hypothesis, tokens);
    }
}

impl<K: Copy + Default> Ways<K> {
    #[inline(always)]
    fn start<S: Keys<Key = K>>(
        &mut self,
        text: S,
        place: Option<usize>,
        Setting { level, orders }: Setting,
    ) -> bool {
        let length = text.iter().len();
        if orders > ORDERS || length > Bits256::POSITIONS {
            return false;
        }
        self.hypothesis = match place {
            Some(token) => token..token + length,
            None => self.keyed.write(level, text, 0, self.seeds),
        };
        self.other_seeds = None;
        let keys = self.keyed.from(self.hypothesis.start);
        let (_, mut hashes) = self.keyed.part(self.hypothesis.clone());
        for _ in 0..TRIES {
            if length <= Bits64::POSITIONS {
                if self.bits64.start(text, keys, hashes) {
                    self.way = Way::Bits64;
                    return true;
                }
            } else if length <= Bits128::POSITIONS {
                if self.bits128.start(text, keys, hashes) {
                    self.way = Way::Bits128;
                    return true;
                }
            } else if self.bits256.start(text, keys, hashes) {
                self.way = Way::Bits256;
                return true;
            }
            let seeds = self.other_seeds.unwrap_or(self.seeds).other();
            self.other_seeds = Some(seeds);
            keyed::hashes::<S>(&keys[..length], seeds, &mut self.other_hashes);
            hashes = &self.other_hashes;
        }
        false
    }

    #[inline(always)]
    fn reference<S: Keys<Key = K>>(
        &mut self,
        four: impl Confirm<1, 4>,
        text: S,
        place: Option<usize>,
        Setting { level, orders }: Setting,
    ) {
        let reference = Reference {
            level,
            text,
            place,
            keyed: &mut self.keyed,
            hypothesis: self.hypothesis.clone(),
            seeds: self.seeds,
            other_seeds: self.other_seeds,
            other_hashes: &mut self.other_hashes,
        };
        match (self.way, orders <= 4) {
            (Way::Bits64, true) => reference.confirm(&mut self.bits64, four),
            (Way::Bits64, false) => {
                reference.confirm(&mut self.bits64, Portable::<1, ORDERS>::default());
            }
            (Way::Bits128, true) => {
                reference.confirm(&mut self.bits128, Portable::<2, 4>::default());
            }
            (Way::Bits128, false) => {
                reference.confirm(&mut self.bits128, Portable::<2, ORDERS>::default());
            }
            (Way::Bits256, true) => {
                reference.confirm(&mut self.bits256, Portable::<4, 4>::default());
            }
            (Way::Bits256, false) => {
                reference.confirm(&mut self.bits256, Portable::<4, ORDERS>::default());
            }
        }
    }

    /// Computes the keys of many short texts.
    pub fn key<S: Keys<Key = K>>(&mut self, level: Level, text: S) {
        self.keyed.write(level, text, 0, self.seeds);
    }

    /// Starts a hypothesis; `place` is that of its first token among those that were
    /// [keyed](Self::key), if it was. Returns false if it has too many tokens or orders, or different
    /// tokens that share a slot.
    pub fn start_at<S: Keys<Key = K>>(
        &mut self,
        text: S,
        place: Option<usize>,
        setting: Setting,
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn avx2<S: Keys>(
            ways: &mut Ways<S::Key>,
            text: S,
            place: Option<usize>,
            setting: Setting,
        ) -> bool {
            ways.start(text, place, setting)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt"
        )]
        fn avx512<S: Keys>(
            ways: &mut Ways<S::Key>,
            text: S,
            place: Option<usize>,
            setting: Setting,
        ) -> bool {
            ways.start(text, place, setting)
        }

        match setting.level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => unsafe { avx512(self, text, place, setting) },
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => unsafe { avx2(self, text, place, setting) },
            _ => self.start(text, place, setting),
        }
    }

    /// Adds a reference, with a place if the hypothesis has one.
    pub fn reference_at<S: Keys<Key = K>>(
        &mut self,
        text: S,
        place: Option<usize>,
        setting: Setting,
    ) {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn avx2<S: Keys>(
            proof: Avx2,
            ways: &mut Ways<S::Key>,
            text: S,
            place: Option<usize>,
            setting: Setting,
        ) {
            ways.reference(Four::new(proof), text, place, setting);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt"
        )]
        fn avx512<S: Keys>(
            proof: Avx2,
            ways: &mut Ways<S::Key>,
            text: S,
            place: Option<usize>,
            setting: Setting,
        ) {
            ways.reference(Four::new(proof), text, place, setting);
        }

        match (setting.level, setting.level.avx2()) {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            (Level::Avx512(_), Some(proof)) => unsafe { avx512(proof, self, text, place, setting) },
            // SAFETY: `proof` proves the features.
            #[cfg(target_arch = "x86_64")]
            (_, Some(proof)) => unsafe { avx2(proof, self, text, place, setting) },
            _ => self.reference(Portable::default(), text, place, setting),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn clipped_matches_avx2(&self, matches: &mut [i64]) {
        self.clipped_matches(matches);
    }

    #[inline(always)]
    fn clipped_matches(&self, matches: &mut [i64]) {
        match self.way {
            Way::Bits64 => self.bits64.clipped_matches(matches),
            Way::Bits128 => self.bits128.clipped_matches(matches),
            Way::Bits256 => self.bits256.clipped_matches(matches),
        }
    }

    /// Counts the matches.
    pub fn clipped_matches_at(&self, level: Level, matches: &mut [i64]) {
        match level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => unsafe { self.clipped_matches_avx2(matches) },
            _ => self.clipped_matches(matches),
        }
    }
}
