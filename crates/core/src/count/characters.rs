//! The code points of a text, in the form in which they are counted.

use super::integers::Unit;
use super::sorted::Sorted;
use crate::memory::{check_room, reserve};
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

/// Number of characters of both texts together from which on their n-grams are sorted.
const LONG: usize = 512;

/// The code points of a text: 16 bits each or, if there are others than those of the Basic
/// Multilingual Plane, ids.
#[derive(Debug, Default)]
pub struct Characters {
    units: Vec<u16>,
    ids: Vec<i64>,
    /// Whether all code points are in `units`.
    in_bmp: bool,
}

impl Characters {
    /// Reads a text, without the whitespace that is not counted.
    pub fn read(&mut self, bytes: &[u8], latin1: bool, whitespace: Whitespace) {
        self.read_all(bytes, latin1, whitespace);
        if whitespace == Whitespace::WithoutSpaces {
            if self.in_bmp {
                trim(&mut self.units);
            } else {
                trim(&mut self.ids);
            }
        }
    }

    fn read_all(&mut self, bytes: &[u8], latin1: bool, whitespace: Whitespace) {
        let removed = &REMOVED[whitespace as usize];
        self.ids.clear();
        // A character takes at least one byte.
        if self.units.len() < bytes.len() {
            check_room::<u16>(bytes.len());
            self.units.resize(bytes.len(), 0);
        }
        let singles = if latin1 { 0x100 } else { 0x80 };
        let (mut at, mut count) = (0, 0);
        self.in_bmp = true;
        while let Some(&first) = bytes.get(at) {
            let rest = &bytes[at..];
            if u16::from(first) < singles {
                let length = rest.iter().take_while(|&&byte| u16::from(byte) < singles);
                let length = length.count();
                let units = &mut self.units[count..count + length];
                let mut kept = 0;
                for &byte in &rest[..length] {
                    units[kept] = byte.into();
                    kept += usize::from(!removed[usize::from(byte)]);
                }
                at += length;
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
        self.units.truncate(count);
    }

    /// Reads UTF-8 as ids.
    #[cold]
    fn read_ids(&mut self, bytes: &[u8], whitespace: Whitespace) {
        self.in_bmp = false;
        check_room::<i64>(bytes.len());
        let kept = code_points(bytes).filter(|&(c, _)| whitespace.keeps(c));
        self.ids.extend(kept.map(|(c, _)| i64::from(c)));
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
            self.units.len()
        } else {
            self.ids.len()
        }
    }

    /// All code points, if they have 16 bits.
    #[must_use]
    pub fn in_bmp(&self) -> Option<&[u16]> {
        self.in_bmp.then_some(&self.units)
    }

    /// All code points.
    pub fn ids(&mut self) -> &[i64] {
        if self.in_bmp && self.ids.is_empty() {
            check_room::<i64>(self.units.len());
            self.ids
                .extend(self.units.iter().map(|&unit| i64::from(unit)));
        }
        &self.ids
    }

    /// Counts the n-grams that a hypothesis shares with a reference, if they are long; returns false
    /// if they are not, or have too many different characters.
    pub fn match_long(
        [hypothesis, reference]: [&mut Self; 2],
        orders: usize,
        sorted: &mut Sorted,
        matches: &mut Vec<i64>,
    ) -> bool {
        matches.resize(orders, 0);
        if let (Some(hypothesis), Some(reference)) = (hypothesis.in_bmp(), reference.in_bmp()) {
            return match_long([hypothesis, reference], sorted, matches);
        }
        match_long([hypothesis.ids(), reference.ids()], sorted, matches)
    }
}

fn match_long<U: Unit>(texts: [&[U]; 2], sorted: &mut Sorted, matches: &mut [i64]) -> bool {
    texts[0].len() + texts[1].len() >= LONG && sorted.clipped_matches(texts, matches)
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
            let mut characters = Characters::default();
            characters.read(text.as_bytes(), false, whitespace);
            let ids = characters.ids().to_vec();
            if text.chars().all(|c| u32::from(c) < 0x100) {
                let latin1: Vec<_> = text.chars().map(|c| c as u8).collect();
                characters.read(&latin1, true, whitespace);
                assert_eq!(characters.ids(), ids);
            }
            let ids = ids
                .into_iter()
                .map(|id| u32::try_from(id).expect("a code point"));
            ids.filter_map(char::from_u32).collect::<String>()
        };
        for last in ["b", "é", "中", "😀"] {
            let text = format!("\t \u{A0} a \u{A0}{last} \u{85} ");
            let expected = [
                (Whitespace::Removed, format!("a{last}")),
                (Whitespace::Kept, text.clone()),
                (Whitespace::WithoutSpaces, format!("a\u{A0}{last}")),
            ];
            for (whitespace, expected) in expected {
                assert_eq!(read(&text, whitespace), expected);
            }
        }
        assert_eq!(read(" \t ", Whitespace::WithoutSpaces), "");
    }
}
