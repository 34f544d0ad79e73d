//! One segment, in the form in which the caller holds it.

use crate::stop::stop_here;

/// One segment, borrowed from the caller.
///
/// The three fixed-width forms are those of Python's `str`. It may contain lone surrogates, which
/// are encoded as the three bytes that UTF-8 would give them, so that distinct strings stay
/// distinct.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'a> {
    /// One byte per character: ASCII or Latin-1.
    Latin1(&'a [u8]),
    /// Two bytes per character.
    Ucs2(&'a [u16]),
    /// Four bytes per character.
    Ucs4(&'a [u32]),
    /// UTF-8.
    Utf8(&'a [u8]),
    /// Token ids.
    Ids(&'a [i64]),
}

/// Number of units of a piece of a text; few in tests, whose texts are short.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 16 };

impl Segment<'_> {
    /// The text in pieces. All but the first begin with a space (U+0020); all but the last end with a
    /// visible character of ASCII.
    pub fn pieces(self) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            stop_here();
            let text = rest?;
            let piece;
            (piece, rest) = match text {
                Self::Latin1(text) => cut(text, Self::Latin1),
                Self::Utf8(text) => cut(text, Self::Utf8),
                Self::Ucs2(text) => cut(text, Self::Ucs2),
                Self::Ucs4(text) => cut(text, Self::Ucs4),
                Self::Ids(_) => (text, None),
            };
            Some(piece)
        })
    }
}

/// Cuts a piece off a text, where a visible character of ASCII and a space follow [`PIECE`] units: what
/// is stripped or replaced at the end of a text must not be at the end of a piece.
fn cut<'a, T: Copy + PartialEq + TryInto<u8>>(
    text: &'a [T],
    segment: impl Fn(&'a [T]) -> Segment<'a>,
) -> (Segment<'a>, Option<Segment<'a>>) {
    let ascii = |unit: T| unit.try_into().unwrap_or(b'\0');
    let mut rest = text.windows(2).skip(PIECE);
    match rest.position(|two| ascii(two[1]) == b' ' && ascii(two[0]).is_ascii_graphic()) {
        Some(before) => {
            let (piece, rest) = text.split_at(PIECE + before + 1);
            (segment(piece), Some(segment(rest)))
        }
        None => (segment(text), None),
    }
}

impl Segment<'_> {
    /// Prefetches the beginning of the text, which will be read soon.
    ///
    /// Strings are scattered over memory; waiting for each would take longer than reading it.
    #[inline]
    pub fn prefetch(&self) {
        let start: *const u8 = match self {
            Self::Latin1(text) | Self::Utf8(text) => text.as_ptr(),
            Self::Ucs2(text) => text.as_ptr().cast(),
            Self::Ucs4(text) => text.as_ptr().cast(),
            Self::Ids(ids) => ids.as_ptr().cast(),
        };
        // A branch on the length would take longer than lines that are not needed.
        for line in 0..PREFETCH_LINES {
            prefetch(start.wrapping_add(64 * line));
        }
    }

    /// Approximate size in bytes, to decide whether threads pay off.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::Latin1(text) | Self::Utf8(text) => text.len(),
            Self::Ucs2(text) => 2 * text.len(),
            Self::Ucs4(text) => 4 * text.len(),
            Self::Ids(ids) => 8 * ids.len(),
        }
    }
}

/// Cache lines to prefetch: a short sentence.
const PREFETCH_LINES: usize = 4;

/// Prefetches the cache line of an address, which need not be valid.
#[inline]
pub fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing and cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::Segment;

    #[test]
    fn weights_are_bytes() {
        let (two, four) = ([0; 5], [0; 5]);
        let segments = [
            Segment::Ucs2(&two),
            Segment::Ucs4(&four),
            Segment::Ids(&[0; 5]),
        ];
        assert_eq!(segments.map(|each| each.weight()), [10, 20, 40]);
    }
}
