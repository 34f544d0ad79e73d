//! Which of 64 bytes may end a word: the only part of tokenizing that looks at every byte.

/// What a byte can be to a tokenizer of Western text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Part of a word: letters, digits, the apostrophe, control characters, most of Unicode.
    Word,
    /// White space of one byte, the line feed excepted.
    Space,
    /// The line feed, which `-` before it may take away.
    LineFeed,
    /// A symbol that is always a token of its own.
    Symbol,
    /// `&` and `<`: symbols that may begin something to be rewritten.
    Markup,
    /// `.` and `,`: tokens of their own unless a digit is near.
    Stop,
    /// `-`: a token of its own after a digit.
    Dash,
    /// A byte with which white space of two or three bytes may begin.
    Lead,
}

/// The class of every byte of UTF-8 text, or of Latin-1.
pub const fn classes<const LATIN1: bool>() -> &'static [Class; 256] {
    const UTF8: [Class; 256] = table(false);
    const LATIN: [Class; 256] = table(true);
    if LATIN1 { &LATIN } else { &UTF8 }
}

const fn table(latin1: bool) -> [Class; 256] {
    let mut classes = [Class::Word; 256];
    let mut byte: u8 = 0;
    loop {
        classes[byte as usize] = match byte {
            b'\n' => Class::LineFeed,
            0x09..=0x0D | 0x1C..=0x20 => Class::Space,
            b'&' | b'<' => Class::Markup,
            b'.' | b',' => Class::Stop,
            b'-' => Class::Dash,
            b'!'..=b'%' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => {
                Class::Symbol
            }
            0x85 | 0xA0 if latin1 => Class::Space,
            0xC2 | 0xE1..=0xE3 if !latin1 => Class::Lead,
            _ => Class::Word,
        };
        if byte == u8::MAX {
            return classes;
        }
        byte += 1;
    }
}

/// Marks the bytes of a block that are not of class [`Class::Word`], lowest bit first.
///
/// A mark may be false (the scanner looks the class up), a missing mark may not.
pub trait Classifier {
    /// The marks of 64 bytes.
    fn marks<const LATIN1: bool>(block: &[u8; 64]) -> u64;
}

/// Runs everywhere, and is what the others are checked against.
pub struct Portable;

impl Classifier for Portable {
    #[inline(always)]
    fn marks<const LATIN1: bool>(block: &[u8; 64]) -> u64 {
        let mut marks = 0;
        for (bit, &byte) in block.iter().enumerate() {
            marks |= u64::from(classes::<LATIN1>()[byte as usize] != Class::Word) << bit;
        }
        marks
    }
}

/// Two look-ups of 16 entries classify 32 bytes at a time.
///
/// A byte is marked if the row of its high nibble and the column of its low nibble share a bit.
/// Rows with the same columns share one, and control characters are marked more generously than
/// necessary, so that 8 bits suffice.
#[cfg(target_arch = "x86_64")]
pub struct Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, Classifier};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_set1_epi8, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
        _mm256_srli_epi16,
    };

    // Sets of low nibbles, a bit each.
    const A: i8 = 1;
    const B: i8 = 2;
    const C_TO_E: i8 = 4;
    const F: i8 = 8;
    const ALL_BUT_7: i8 = 16;
    const ZERO: i8 = 32;
    const TWO: i8 = 64;
    const ONE_OR_THREE: i8 = -128;
    // Only in Latin-1, where there is room for it.
    const FIVE: i8 = TWO;

    const fn rows(latin1: bool) -> [i8; 16] {
        let mut rows = [0; 16];
        rows[0x0] = ALL_BUT_7;
        rows[0x1] = ALL_BUT_7;
        rows[0x2] = ALL_BUT_7;
        rows[0x3] = A | B | C_TO_E | F;
        rows[0x4] = ZERO;
        rows[0x5] = B | C_TO_E | F;
        rows[0x6] = ZERO;
        rows[0x7] = B | C_TO_E;
        if latin1 {
            rows[0x8] = FIVE;
            rows[0xA] = ZERO;
        } else {
            rows[0xC] = TWO;
            rows[0xE] = TWO | ONE_OR_THREE;
        }
        rows
    }

    const fn columns(latin1: bool) -> [i8; 16] {
        let mut columns = [ALL_BUT_7; 16];
        columns[0x7] = 0;
        columns[0x0] |= ZERO;
        if latin1 {
            columns[0x5] |= FIVE;
        } else {
            columns[0x1] |= ONE_OR_THREE;
            columns[0x2] |= TWO;
            columns[0x3] |= ONE_OR_THREE;
        }
        columns[0xA] |= A;
        columns[0xB] |= B;
        columns[0xC] |= C_TO_E;
        columns[0xD] |= C_TO_E;
        columns[0xE] |= C_TO_E;
        columns[0xF] |= F;
        columns
    }

    /// The same 16 entries in both lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn table(t: [i8; 16]) -> __m256i {
        _mm256_setr_epi8(
            t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12], t[13],
            t[14], t[15], t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11],
            t[12], t[13], t[14], t[15],
        )
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn half<const LATIN1: bool>(half: &[u8; 32]) -> u32 {
        // SAFETY: `half` is 32 readable bytes, and the load asks for no alignment.
        let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        // A byte from 0x80 up would read 0 from the columns, so the high bit is masked away.
        let low = _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
        let columns = _mm256_shuffle_epi8(table(const { columns(LATIN1) }), low);
        let rows = _mm256_shuffle_epi8(table(const { rows(LATIN1) }), high);
        let shared = _mm256_and_si256(rows, columns);
        let words = _mm256_cmpeq_epi8(shared, _mm256_setzero_si256());
        !_mm256_movemask_epi8(words).cast_unsigned()
    }

    impl Classifier for Avx2 {
        #[inline(always)]
        fn marks<const LATIN1: bool>(block: &[u8; 64]) -> u64 {
            let ([low, high], []) = block.as_chunks::<32>() else {
                unreachable!("64 bytes are two halves")
            };
            // SAFETY: `Avx2` is used only by `scan::avx2`, after AVX2 has been detected.
            unsafe { u64::from(half::<LATIN1>(low)) | (u64::from(half::<LATIN1>(high)) << 32) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const LATIN1: bool>() {
        for byte in 0..=u8::MAX {
            for position in 0..64 {
                let mut block = [b'x'; 64];
                block[position] = byte;
                let is_word = classes::<LATIN1>()[byte as usize] == Class::Word;
                let due = u64::from(!is_word) << position;
                assert_eq!(Portable::marks::<LATIN1>(&block), due);
                #[cfg(target_arch = "x86_64")]
                if std::is_x86_feature_detected!("avx2") {
                    let marks = Avx2::marks::<LATIN1>(&block);
                    assert_eq!(marks & due, due, "byte {byte:#x} at {position}");
                    // False marks are for control characters only.
                    assert!(marks == due || byte < 0x20);
                }
            }
        }
    }

    #[test]
    fn every_byte_at_every_position_is_marked_if_it_may_end_a_word() {
        check::<false>();
        check::<true>();
    }
}
