//! The code points of a text, in the form in which they are counted.

use super::integers::Unit;
use super::pair_lists::PairLists;
use super::sorted::Sorted;
use crate::memory::{push, reserve, reserve_exact};
use crate::processor::Level;
use crate::text::{code_points, decode, is_space};

/// For each kind of [`Whitespace`], which of the first code points are removed.
static REMOVED: [[bool; 0x100]; 3] = {
    let mut tables = [[false; 0x100]; 3];
    let mut c = 0;
    while c < 0x100 {
        #[expect(clippy::cast_possible_truncation, reason = "there are few")]
        let space = is_space(c as u32);
        tables[Whitespace::Removed as usize][c] = space;
        c += 1;
    }
    tables[Whitespace::WithoutSpaces as usize][b' ' as usize] = true;
    tables
};

/// Which whitespace of a text is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whitespace {
    /// None.
    Removed,
    /// All of it.
    Kept,
    /// All but U+0020 and what is at both ends, as in torchmetrics.
    WithoutSpaces,
}

impl Whitespace {
    fn keeps(self, c: u32) -> bool {
        match self {
            Self::Removed => !is_space(c),
            Self::Kept => true,
            Self::WithoutSpaces => c != u32::from(b' '),
        }
    }
}

/// Number of characters of both texts together from which on their n-grams are sorted where there
/// are no lists.
const LONG: usize = 512;

/// Bytes that are widened at once.
const BLOCK: usize = 64;

/// The bytes below this number are characters.
fn singles(latin1: bool) -> u16 {
    if latin1 { 0x100 } else { 0x80 }
}

/// Writes the characters of one byte at the start of a text, without the whitespace that is not
/// counted; returns how many there are, and how many of them are kept.
fn widen(bytes: &[u8], latin1: bool, whitespace: Whitespace, units: &mut [u16]) -> (usize, usize) {
    let (removed, singles) = (&REMOVED[whitespace as usize], singles(latin1));
    let length = bytes.iter().take_while(|&&byte| u16::from(byte) < singles);
    let length = length.count();
    let units = &mut units[..length];
    let mut kept = 0;
    for &byte in &bytes[..length] {
        units[kept] = byte.into();
        kept += usize::from(!removed[usize::from(byte)]);
    }
    (length, kept)
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask,
        _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_maskz_compress_epi8,
        _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_storeu_si512,
        _mm512_sub_epi8,
    };

    use super::{BLOCK, Whitespace};

    /// The same as [`widen`](super::widen).
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,popcnt")]
    pub fn widen(
        bytes: &[u8],
        latin1: bool,
        whitespace: Whitespace,
        units: &mut [u16],
    ) -> (usize, usize) {
        let (mut read, mut kept) = (0, 0);
        for block in bytes.chunks(BLOCK) {
            let all = u64::MAX >> (BLOCK - block.len());
            // SAFETY: only the bytes of `block` are read.
            let bytes = unsafe { _mm512_maskz_loadu_epi8(all, block.as_ptr().cast()) };
            let set = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
            let within = |first, last: u8| {
                _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, set(first)), set(last - first))
            };
            let equal = |byte| _mm512_cmpeq_epi8_mask(bytes, set(byte));
            let removed = match whitespace {
                Whitespace::Removed => {
                    within(b'\t', b'\r') | within(0x1C, b' ') | equal(0x85) | equal(0xA0)
                }
                Whitespace::Kept => 0,
                Whitespace::WithoutSpaces => equal(b' '),
            };
            let others = if latin1 {
                0
            } else {
                _mm512_movepi8_mask(bytes)
            };
            // The bytes before the first of the others.
            let singles = all & (others ^ others.wrapping_sub(1)) & !others;
            let keep = singles & !removed;
            let packed = _mm512_maskz_compress_epi8(keep, bytes);
            let Some(place) = units[kept..].first_chunk_mut::<BLOCK>() else {
                unreachable!("there is room for a block more")
            };
            let (low, high) = place.split_at_mut(BLOCK / 2);
            let low_bytes = _mm512_castsi512_si256(packed);
            let high_bytes = _mm512_extracti64x4_epi64::<1>(packed);
            for (place, bytes) in [(low, low_bytes), (high, high_bytes)] {
                // SAFETY: `place` is 64 writable bytes, and the store asks for no alignment.
                unsafe {
                    _mm512_storeu_si512(place.as_mut_ptr().cast(), _mm512_cvtepu8_epi16(bytes));
                }
            }
            read += singles.count_ones() as usize;
            kept += keep.count_ones() as usize;
            if others != 0 {
                break;
            }
        }
        (read, kept)
    }
}

/// The code points of a text: 16 bits each or, if there are others than those of the Basic
/// Multilingual Plane, ids.
#[derive(Debug)]
pub struct Characters {
    level: Level,
    /// Those of 16 bits, of which `count` are read. This memory is kept, because to fill it with
    /// zeros for every text takes longer.
    units: Vec<u16>,
    count: usize,
    ids: Vec<i64>,
    /// Whether all code points are in `units`.
    in_bmp: bool,
}

impl Default for Characters {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

impl Characters {
    /// Characters that are read at this level.
    fn at(level: Level) -> Self {
        Self {
            level,
            units: Vec::new(),
            count: 0,
            ids: Vec::new(),
            in_bmp: false,
        }
    }

    /// Reads a text, without the whitespace that is not counted.
    pub fn read(&mut self, bytes: &[u8], latin1: bool, whitespace: Whitespace) {
        self.read_all(bytes, latin1, whitespace);
        if whitespace == Whitespace::WithoutSpaces {
            if self.in_bmp {
                self.units.truncate(self.count);
                trim(&mut self.units);
                self.count = self.units.len();
            } else {
                trim(&mut self.ids);
            }
        }
    }

    fn read_all(&mut self, bytes: &[u8], latin1: bool, whitespace: Whitespace) {
        self.ids.clear();
        // A character takes at least one byte, and a block is written at once.
        let room = bytes.len() + BLOCK;
        if self.units.len() < room {
            let more = room - self.units.len();
            reserve(&mut self.units, more);
            self.units.resize(room, 0);
        }
        let singles = singles(latin1);
        let (mut at, mut count) = (0, 0);
        self.in_bmp = true;
        while let Some(&first) = bytes.get(at) {
            let rest = &bytes[at..];
            if u16::from(first) < singles {
                let (read, kept) = match self.level {
                    // SAFETY: the level proves the features.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512(_) => unsafe {
                        avx512::widen(rest, latin1, whitespace, &mut self.units[count..])
                    },
                    _ => widen(rest, latin1, whitespace, &mut self.units[count..]),
                };
                at += read;
                count += kept;
                continue;
            }
            let (c, length) = decode(rest);
            at += length;
            let Ok(unit) = u16::try_from(c) else {
                return self.read_ids(bytes, whitespace);
            };
            self.units[count] = unit;
            count += usize::from(whitespace.keeps(c));
        }
        self.count = count;
    }

    /// Reads UTF-8 as ids.
    #[cold]
    fn read_ids(&mut self, bytes: &[u8], whitespace: Whitespace) {
        self.in_bmp = false;
        let kept = code_points(bytes).filter(|&(c, _)| whitespace.keeps(c));
        kept.for_each(|(c, _)| push(&mut self.ids, i64::from(c)));
    }

    /// Appends the code points of a piece of a text, without the whitespace that is not counted, to
    /// units of any width; returns false if one does not fit.
    pub fn append<U: TryFrom<u32>>(
        &mut self,
        bytes: &[u8],
        latin1: bool,
        whitespace: Whitespace,
        units: &mut Vec<U>,
    ) -> bool {
        self.read_all(bytes, latin1, whitespace);
        reserve(units, self.len());
        let mut push = |c: u32| U::try_from(c).map(|unit| units.push(unit)).is_ok();
        match self.in_bmp() {
            Some(all) => all.iter().all(|&unit| push(unit.into())),
            None => self
                .ids
                .iter()
                .all(|&id| u32::try_from(id).is_ok_and(&mut push)),
        }
    }

    /// Number of characters.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        if self.in_bmp {
            self.count
        } else {
            self.ids.len()
        }
    }

    /// All code points, if they have 16 bits.
    #[must_use]
    pub fn in_bmp(&self) -> Option<&[u16]> {
        self.in_bmp.then(|| &self.units[..self.count])
    }

    /// All code points.
    pub fn ids(&mut self) -> &[i64] {
        if self.in_bmp && self.ids.is_empty() {
            reserve_exact(&mut self.ids, self.count);
            let units = self.units[..self.count].iter();
            self.ids.extend(units.map(|&unit| i64::from(unit)));
        }
        &self.ids
    }

    /// Counts the n-grams that a hypothesis shares with a reference, in lists or, if they are long, by
    /// sorting; returns false if neither can.
    pub fn clipped_matches(
        [hypothesis, reference]: [&mut Self; 2],
        orders: usize,
        lists: &mut PairLists,
        sorted: &mut Sorted,
        matches: &mut Vec<i64>,
    ) -> bool {
        matches.resize(orders, 0);
        if let (Some(hypothesis), Some(reference)) = (hypothesis.in_bmp(), reference.in_bmp()) {
            let texts = [hypothesis, reference];
            return lists.clipped_matches(texts, matches) || match_long(texts, sorted, matches);
        }
        match_long([hypothesis.ids(), reference.ids()], sorted, matches)
    }
}

fn match_long<U: Unit>(texts: [&[U]; 2], sorted: &mut Sorted, matches: &mut [i64]) -> bool {
    texts[0].len() + texts[1].len() >= LONG
        && sorted.clipped_matches(texts[0], &texts[1..], matches)
}

/// Removes whitespace at both ends.
pub fn trim<T: Copy + TryInto<u32>>(units: &mut Vec<T>) {
    let kept = |&unit: &T| !unit.try_into().is_ok_and(is_space);
    units.truncate(units.iter().rposition(kept).map_or(0, |last| last + 1));
    if let Some(first @ 1..) = units.iter().position(kept) {
        units.drain(..first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same characters are counted in either form, and from either encoding.
    #[test]
    fn whitespace() {
        let read = |text: &str, whitespace| {
            let latin1: Option<Vec<_>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
            let mut all = Level::available().into_iter().flat_map(|level| {
                let mut characters = Characters::at(level);
                characters.read(text.as_bytes(), false, whitespace);
                let ids = characters.ids().to_vec();
                if let Some(latin1) = &latin1 {
                    characters.read(latin1, true, whitespace);
                    assert_eq!(characters.ids(), ids);
                }
                [ids]
            });
            let ids = all.next().expect("the baseline");
            assert!(all.all(|others| others == ids), "{text}");
            let ids = ids
                .into_iter()
                .map(|id| u32::try_from(id).expect("a code point"));
            ids.filter_map(char::from_u32).collect::<String>()
        };
        let long: String = (1..0x100_u32)
            .chain(0x1C..0x80)
            .filter_map(char::from_u32)
            .collect();
        let word = |text: &str| text.replace(|c: char| is_space(c.into()), "");
        for last in [
            "b",
            "é",
            "中",
            "😀",
            &"ab".repeat(31),
            &"abc".repeat(50),
            &long,
        ] {
            let text = format!("\t \u{A0} a \u{A0}{last} \u{85} ");
            let expected = [
                (Whitespace::Removed, format!("a{}", word(last))),
                (Whitespace::Kept, text.clone()),
                (
                    Whitespace::WithoutSpaces,
                    format!("a\u{A0}{}", last.replace(' ', "")),
                ),
            ];
            for (whitespace, expected) in expected {
                assert_eq!(read(&text, whitespace), expected);
            }
        }
        assert_eq!(read(" \t ", Whitespace::WithoutSpaces), "");
    }
}
