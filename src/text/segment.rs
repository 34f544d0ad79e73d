//! One text, in whatever form the caller holds it.

/// One segment, borrowed from the caller.
///
/// The three fixed-width forms are those of Python's `str`. Lone surrogates are legal there;
/// they become the three bytes that UTF-8 would give them, so that distinct strings stay
/// distinct.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'a> {
    /// One byte a character: ASCII or Latin-1.
    Latin1(&'a [u8]),
    /// Two bytes a character.
    Ucs2(&'a [u16]),
    /// Four bytes a character.
    Ucs4(&'a [u32]),
    /// UTF-8.
    Utf8(&'a [u8]),
    /// Tokens already, as integers.
    Ids(&'a [i64]),
}

impl Segment<'_> {
    /// Asks for the beginning of the text, which will be read soon.
    ///
    /// Strings lie all over memory; fetching them one by one would cost more than reading them.
    #[inline]
    pub fn prefetch(&self) {
        match self {
            Self::Latin1(text) | Self::Utf8(text) => prefetch_lines(text),
            Self::Ucs2(text) => prefetch_lines(text),
            Self::Ucs4(text) => prefetch_lines(text),
            Self::Ids(ids) => prefetch_lines(ids),
        }
    }

    /// A rough size in bytes: what decides whether threads pay.
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

#[inline]
fn prefetch_lines<T>(text: &[T]) {
    for line in text.chunks(64 / size_of::<T>()).take(4) {
        prefetch(line.as_ptr().cast());
    }
}

/// Asks for the cache line of an address, whatever is there.
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
