//! Classifying 64 bytes at once: the only part of tokenization that examines every byte.

/// The class of a byte to `none` and `13a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Part of a word: letters, digits, the apostrophe, control characters, most of Unicode.
    Word,
    /// A whitespace character of one byte.
    Space,
    /// A symbol that is always a token by itself.
    Symbol,
    /// Must be examined: `.`, `,`, `-`, `&` and `<`, and in UTF-8 a byte that may begin a
    /// whitespace character of two or three bytes.
    Special,
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
            0x09..=0x0D | 0x1C..=0x20 => Class::Space,
            b'&' | b'<' | b'.' | b',' | b'-' => Class::Special,
            b'!'..=b'%' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => {
                Class::Symbol
            }
            0x85 | 0xA0 if latin1 => Class::Space,
            0xC2 | 0xE1..=0xE3 if !latin1 => Class::Special,
            _ => Class::Word,
        };
        if byte == u8::MAX {
            return classes;
        }
        byte += 1;
    }
}

/// For each class but [`Class::Word`], the bytes of a block in it: one bit per byte, lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// [`Class::Space`]
    pub spaces: u64,
    /// [`Class::Symbol`]
    pub symbols: u64,
    /// [`Class::Special`]
    pub specials: u64,
}

/// An implementation of the classification.
pub trait Classifier {
    /// The marks of a block.
    fn marks<const LATIN1: bool>(block: &[u8; 64]) -> Marks;
}

/// Runs on every processor; the reference for other implementations.
pub struct Portable;

impl Classifier for Portable {
    #[inline(always)]
    fn marks<const LATIN1: bool>(block: &[u8; 64]) -> Marks {
        let mut marks = Marks::default();
        for (bit, &byte) in block.iter().enumerate() {
            let class = classes::<LATIN1>()[byte as usize];
            marks.spaces |= u64::from(class == Class::Space) << bit;
            marks.symbols |= u64::from(class == Class::Symbol) << bit;
            marks.specials |= u64::from(class == Class::Special) << bit;
        }
        marks
    }
}

/// Classifies 32 bytes at a time by table lookups with 16 entries.
///
/// A set is a product of high nibbles and low nibbles, and a class is a union of sets. A byte
/// belongs to a set if the table entries of its two nibbles share the bit of that set.
#[cfg(target_arch = "x86_64")]
pub struct Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, Classifier, Marks};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_set1_epi8, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
        _mm256_srli_epi16,
    };

    /// The high and the low nibbles of a set, one bit each.
    type Set = (u16, u16);

    const fn nibbles<const N: usize>(list: [u8; N]) -> u16 {
        let mut bits = 0;
        let mut at = 0;
        while at < N {
            bits |= 1 << list[at];
            at += 1;
        }
        bits
    }

    const EMPTY: Set = (0, 0);

    const SYMBOLS: [Set; 8] = [
        (nibbles([2]), nibbles([1, 2, 3, 4, 5, 8, 9, 0xA, 0xB, 0xF])),
        (nibbles([3]), nibbles([0xA])),
        (nibbles([3, 5, 7]), nibbles([0xB, 0xD, 0xE])),
        (nibbles([3, 5]), nibbles([0xF])),
        (nibbles([4, 6]), nibbles([0])),
        (nibbles([5, 7]), nibbles([0xC])),
        EMPTY,
        EMPTY,
    ];

    /// The first four sets are spaces, the other four specials.
    const fn spaces_and_specials(latin1: bool) -> [Set; 8] {
        let spaces = if latin1 {
            nibbles([2, 0xA])
        } else {
            nibbles([2])
        };
        [
            (nibbles([0]), nibbles([9, 0xA, 0xB, 0xC, 0xD])),
            (nibbles([1]), nibbles([0xC, 0xD, 0xE, 0xF])),
            (spaces, nibbles([0])),
            if latin1 {
                (nibbles([8]), nibbles([5]))
            } else {
                EMPTY
            },
            (nibbles([2]), nibbles([6, 0xC, 0xD, 0xE])),
            (nibbles([3]), nibbles([0xC])),
            if latin1 {
                EMPTY
            } else {
                (nibbles([0xC]), nibbles([2]))
            },
            if latin1 {
                EMPTY
            } else {
                (nibbles([0xE]), nibbles([1, 2, 3]))
            },
        ]
    }

    const SPACES: i8 = 0x0F;
    const SPECIALS: i8 = !SPACES;

    /// For each nibble, the sets that have it as a high nibble (`high`) or a low one.
    const fn lookup(sets: [Set; 8], high: bool) -> [i8; 16] {
        let mut table = [0; 16];
        let mut nibble = 0;
        while nibble < 16 {
            let mut set = 0;
            while set < 8 {
                let members = if high { sets[set].0 } else { sets[set].1 };
                if members >> nibble & 1 == 1 {
                    table[nibble] |= (1_u8 << set).cast_signed();
                }
                set += 1;
            }
            nibble += 1;
        }
        table
    }

    /// A vector with the same 16 entries in both lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn table(t: [i8; 16]) -> __m256i {
        _mm256_setr_epi8(
            t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12], t[13],
            t[14], t[15], t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11],
            t[12], t[13], t[14], t[15],
        )
    }

    /// One bit per byte, set if the byte has any of the bits in `mask`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn any(sets: __m256i, mask: i8) -> u64 {
        let some = _mm256_and_si256(sets, _mm256_set1_epi8(mask));
        let none = _mm256_cmpeq_epi8(some, _mm256_setzero_si256());
        u64::from(!_mm256_movemask_epi8(none).cast_unsigned())
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn half<const LATIN1: bool>(half: &[u8; 32]) -> Marks {
        // SAFETY: `half` is 32 readable bytes, and the load asks for no alignment.
        let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        let nibble = _mm256_set1_epi8(0x0F);
        let low = _mm256_and_si256(bytes, nibble);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
        let symbols = _mm256_and_si256(
            _mm256_shuffle_epi8(table(const { lookup(SYMBOLS, true) }), high),
            _mm256_shuffle_epi8(table(const { lookup(SYMBOLS, false) }), low),
        );
        let separators = _mm256_and_si256(
            _mm256_shuffle_epi8(
                table(const { lookup(spaces_and_specials(LATIN1), true) }),
                high,
            ),
            _mm256_shuffle_epi8(
                table(const { lookup(spaces_and_specials(LATIN1), false) }),
                low,
            ),
        );
        Marks {
            spaces: any(separators, SPACES),
            symbols: any(symbols, -1),
            specials: any(separators, SPECIALS),
        }
    }

    impl Classifier for Avx2 {
        #[inline(always)]
        fn marks<const LATIN1: bool>(block: &[u8; 64]) -> Marks {
            let ([low, high], []) = block.as_chunks::<32>() else {
                unreachable!("64 bytes are two halves")
            };
            // SAFETY: `Avx2` is used only by `scan::avx2`, after AVX2 has been detected.
            let (low, high) = unsafe { (half::<LATIN1>(low), half::<LATIN1>(high)) };
            Marks {
                spaces: low.spaces | high.spaces << 32,
                symbols: low.symbols | high.symbols << 32,
                specials: low.specials | high.specials << 32,
            }
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
                let class = classes::<LATIN1>()[byte as usize];
                let mark = |marked| u64::from(class == marked) << position;
                let expected = Marks {
                    spaces: mark(Class::Space),
                    symbols: mark(Class::Symbol),
                    specials: mark(Class::Special),
                };
                assert_eq!(Portable::marks::<LATIN1>(&block), expected);
                #[cfg(target_arch = "x86_64")]
                if std::is_x86_feature_detected!("avx2") {
                    assert_eq!(
                        Avx2::marks::<LATIN1>(&block),
                        expected,
                        "{byte:#x} at {position}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_byte_is_classified_at_every_position() {
        check::<false>();
        check::<true>();
    }
}
