//! AVX2 and AVX-512: 32 or 64 bytes at a time.
//!
//! Marks come from lookups in tables with 16 entries. A set is a product of high nibbles and low
//! nibbles, and a class is a union of sets. A byte belongs to a set if the table entries of its two
//! nibbles share the bit of that set.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16, _mm256_sub_epi8, _mm512_add_epi32,
    _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask,
    _mm512_cmple_epu8_mask, _mm512_cmplt_epi8_mask, _mm512_cvtepu8_epi32,
    _mm512_extracti32x4_epi32, _mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_shuffle_epi8, _mm512_srli_epi16,
    _mm512_storeu_si512, _mm512_sub_epi8, _mm512_test_epi8_mask,
};

use super::definition::{BLOCK, Blocks, Letters, Marks, positions_in_eights};
use crate::processor::{Avx2, Avx512};

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

/// Six sets of symbols, then stops and hyphens.
const PUNCTUATION: [Set; 8] = [
    (nibbles([2]), nibbles([1, 2, 3, 4, 5, 8, 9, 0xA, 0xB, 0xF])),
    (nibbles([3]), nibbles([0xA])),
    (nibbles([3, 5, 7]), nibbles([0xB, 0xD, 0xE])),
    (nibbles([3, 5]), nibbles([0xF])),
    (nibbles([4, 6]), nibbles([0])),
    (nibbles([5, 7]), nibbles([0xC])),
    (nibbles([2]), nibbles([0xC, 0xE])),
    (nibbles([2]), nibbles([0xD])),
];
const SYMBOLS: i8 = 0b0011_1111;
const STOPS: i8 = 0b0100_0000;

/// Three sets of spaces, and four that are spaces or rare; then digits.
const fn others(latin1: bool) -> [Set; 8] {
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
            (nibbles([0xC]), nibbles([2]))
        },
        if latin1 {
            EMPTY
        } else {
            (nibbles([0xE]), nibbles([1, 2, 3]))
        },
        (nibbles([2]), nibbles([6])),
        (nibbles([3]), nibbles([0xC])),
        (nibbles([3]), nibbles([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
    ]
}

const fn spaces(latin1: bool) -> i8 {
    if latin1 { 0b0000_1111 } else { 0b0000_0111 }
}

const fn rare(latin1: bool) -> i8 {
    0b0111_1111 & !spaces(latin1)
}

/// As signed numbers, continuation bytes are those below this.
const AFTER_CONTINUATIONS: i8 = 0xC0_u8.cast_signed();

/// For each nibble, the sets that have it as a high nibble (`high`) or a low one.
const fn lookup(sets: [Set; 8], high: bool) -> [u8; 16] {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut set = 0;
        while set < 8 {
            let members = if high { sets[set].0 } else { sets[set].1 };
            if members >> nibble & 1 == 1 {
                table[nibble] |= 1 << set;
            }
            set += 1;
        }
        nibble += 1;
    }
    table
}

#[inline]
fn table(table: &'static [u8; 16]) -> __m128i {
    // SAFETY: `table` is 16 readable bytes, the load asks for no alignment, and SSE2 is part of
    // x86-64.
    unsafe { _mm_loadu_si128(table.as_ptr().cast()) }
}

/// The sets of each byte, by the tables for its high and its low nibble.
#[inline]
#[target_feature(enable = "avx2")]
fn sets_of_32(bytes: __m256i, high: &'static [u8; 16], low: &'static [u8; 16]) -> __m256i {
    let nibble = _mm256_set1_epi8(0x0F);
    let table = |entries| _mm256_broadcastsi128_si256(table(entries));
    _mm256_and_si256(
        _mm256_shuffle_epi8(table(low), _mm256_and_si256(bytes, nibble)),
        _mm256_shuffle_epi8(
            table(high),
            _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble),
        ),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn marks_of_32<const LATIN1: bool>(half: &[u8; 32]) -> Marks {
    // SAFETY: `half` is 32 readable bytes, and the load asks for no alignment.
    let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
    let punctuation = sets_of_32(
        bytes,
        const { &lookup(PUNCTUATION, true) },
        const { &lookup(PUNCTUATION, false) },
    );
    let others = sets_of_32(
        bytes,
        const { &lookup(others(LATIN1), true) },
        const { &lookup(others(LATIN1), false) },
    );
    let highest = |sets| u64::from(_mm256_movemask_epi8(sets).cast_unsigned());
    let equal = |bytes, byte| highest(_mm256_cmpeq_epi8(bytes, byte));
    let any = |sets, mask| {
        let some = _mm256_and_si256(sets, _mm256_set1_epi8(mask));
        equal(some, _mm256_setzero_si256()) ^ 0xFFFF_FFFF
    };
    Marks {
        spaces: any(others, const { spaces(LATIN1) }),
        symbols: any(punctuation, SYMBOLS),
        // Shifted, the bit of stops is the highest of its byte.
        stops: highest(_mm256_slli_epi16::<1>(punctuation)),
        hyphens: highest(punctuation),
        digits: highest(others),
        rare: any(others, const { rare(LATIN1) }),
        continuations: if LATIN1 {
            0
        } else {
            highest(_mm256_cmpgt_epi8(
                _mm256_set1_epi8(AFTER_CONTINUATIONS),
                bytes,
            ))
        },
        line_feeds: equal(bytes, _mm256_set1_epi8(b'\n'.cast_signed())),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn letters_of_32(half: &[u8; 32]) -> Letters {
    // SAFETY: `half` is 32 readable bytes, and the load asks for no alignment.
    let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
    let mask = |bytes| u64::from(_mm256_movemask_epi8(bytes).cast_unsigned());
    let set = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let within = |bytes, first, last: u8| {
        let distance = _mm256_sub_epi8(bytes, set(first));
        mask(_mm256_cmpeq_epi8(
            _mm256_min_epu8(distance, set(last - first)),
            distance,
        ))
    };
    // Upper-case letters differ from lower-case ones in one bit, and so do 0x97 and 0xB7.
    let folded = _mm256_or_si256(bytes, set(0x20));
    Letters {
        ascii: within(folded, b'a', b'z') | within(bytes, b'0', b'9'),
        leads: within(bytes, 0xC3, 0xC9) | within(bytes, 0xD0, 0xD1),
        latin1_leads: mask(_mm256_cmpeq_epi8(bytes, set(0xC3))),
        signs: mask(_mm256_cmpeq_epi8(folded, set(0xB7))),
        spaces: mask(_mm256_cmpeq_epi8(bytes, set(b' '))),
    }
}

impl Blocks for Avx2 {
    #[inline(always)]
    fn marks<const LATIN1: bool>(self, block: &[u8; BLOCK]) -> Marks {
        let ([low, high], []) = block.as_chunks::<32>() else {
            unreachable!("64 bytes are two halves")
        };
        // SAFETY: `self` proves AVX2.
        let (low, high) = unsafe { (marks_of_32::<LATIN1>(low), marks_of_32::<LATIN1>(high)) };
        Marks {
            spaces: low.spaces | high.spaces << 32,
            symbols: low.symbols | high.symbols << 32,
            stops: low.stops | high.stops << 32,
            hyphens: low.hyphens | high.hyphens << 32,
            digits: low.digits | high.digits << 32,
            rare: low.rare | high.rare << 32,
            continuations: low.continuations | high.continuations << 32,
            line_feeds: low.line_feeds | high.line_feeds << 32,
        }
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        let ([low, high], []) = block.as_chunks::<32>() else {
            unreachable!("64 bytes are two halves")
        };
        // SAFETY: `self` proves AVX2.
        let (low, high) = unsafe { (letters_of_32(low), letters_of_32(high)) };
        Letters {
            ascii: low.ascii | high.ascii << 32,
            leads: low.leads | high.leads << 32,
            latin1_leads: low.latin1_leads | high.latin1_leads << 32,
            signs: low.signs | high.signs << 32,
            spaces: low.spaces | high.spaces << 32,
        }
    }

    #[inline(always)]
    fn positions(self, bits: u64, base: u32, places: &mut [u32; BLOCK]) {
        positions_in_eights(bits, base, places);
    }
}

/// The sets of each byte, by the tables for its high and its low nibble.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sets_of_64(bytes: __m512i, high: &'static [u8; 16], low: &'static [u8; 16]) -> __m512i {
    let nibble = _mm512_set1_epi8(0x0F);
    let table = |entries| _mm512_broadcast_i32x4(table(entries));
    _mm512_and_si512(
        _mm512_shuffle_epi8(table(low), _mm512_and_si512(bytes, nibble)),
        _mm512_shuffle_epi8(
            table(high),
            _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble),
        ),
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn marks_of_64<const LATIN1: bool>(block: &[u8; BLOCK]) -> Marks {
    // SAFETY: `block` is 64 readable bytes, and the load asks for no alignment.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    let punctuation = sets_of_64(
        bytes,
        const { &lookup(PUNCTUATION, true) },
        const { &lookup(PUNCTUATION, false) },
    );
    let others = sets_of_64(
        bytes,
        const { &lookup(others(LATIN1), true) },
        const { &lookup(others(LATIN1), false) },
    );
    let any = |sets, mask| _mm512_test_epi8_mask(sets, _mm512_set1_epi8(mask));
    Marks {
        spaces: any(others, const { spaces(LATIN1) }),
        symbols: any(punctuation, SYMBOLS),
        stops: any(punctuation, STOPS),
        hyphens: _mm512_movepi8_mask(punctuation),
        digits: _mm512_movepi8_mask(others),
        rare: any(others, const { rare(LATIN1) }),
        continuations: if LATIN1 {
            0
        } else {
            _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(AFTER_CONTINUATIONS))
        },
        line_feeds: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\n'.cast_signed())),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn letters_of_64(block: &[u8; BLOCK]) -> Letters {
    // SAFETY: `block` is 64 readable bytes, and the load asks for no alignment.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    let set = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let within = |bytes, first, last: u8| {
        let distance = _mm512_sub_epi8(bytes, set(first));
        _mm512_cmple_epu8_mask(distance, set(last - first))
    };
    // Upper-case letters differ from lower-case ones in one bit, and so do 0x97 and 0xB7.
    let folded = _mm512_or_si512(bytes, set(0x20));
    Letters {
        ascii: within(folded, b'a', b'z') | within(bytes, b'0', b'9'),
        leads: within(bytes, 0xC3, 0xC9) | within(bytes, 0xD0, 0xD1),
        latin1_leads: _mm512_cmpeq_epi8_mask(bytes, set(0xC3)),
        signs: _mm512_cmpeq_epi8_mask(folded, set(0xB7)),
        spaces: _mm512_cmpeq_epi8_mask(bytes, set(b' ')),
    }
}

/// The numbers from 0 to 63.
const INDICES: [u8; BLOCK] = {
    let mut indices = [0; BLOCK];
    let mut index: u8 = 0;
    while index < 64 {
        indices[index as usize] = index;
        index += 1;
    }
    indices
};

/// Compressed in a register and then stored: a compressing store is slow on some processors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
fn positions_of_64(bits: u64, base: u32, places: &mut [u32; BLOCK]) {
    // SAFETY: `INDICES` is 64 readable bytes, and the load asks for no alignment.
    let indices = unsafe { _mm512_loadu_si512(INDICES.as_ptr().cast()) };
    let packed = _mm512_maskz_compress_epi8(bits, indices);
    let base = _mm512_set1_epi32(base.cast_signed());
    let ([first, second, third, fourth], []) = places.as_chunks_mut::<16>() else {
        unreachable!("64 places are four times 16")
    };
    let write = |places: &mut [u32; 16], indices| {
        let positions = _mm512_add_epi32(_mm512_cvtepu8_epi32(indices), base);
        // SAFETY: `places` is 64 writable bytes, and the store asks for no alignment.
        unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), positions) };
    };
    write(first, _mm512_castsi512_si128(packed));
    // Few blocks have that many tokens, except of single characters.
    if bits.count_ones() > 16 {
        write(second, _mm512_extracti32x4_epi32::<1>(packed));
        write(third, _mm512_extracti32x4_epi32::<2>(packed));
        write(fourth, _mm512_extracti32x4_epi32::<3>(packed));
    }
}

impl Blocks for Avx512 {
    #[inline(always)]
    fn marks<const LATIN1: bool>(self, block: &[u8; BLOCK]) -> Marks {
        // SAFETY: `self` proves the features.
        unsafe { marks_of_64::<LATIN1>(block) }
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        // SAFETY: `self` proves the features.
        unsafe { letters_of_64(block) }
    }

    #[inline(always)]
    fn positions(self, bits: u64, base: u32, places: &mut [u32; BLOCK]) {
        // SAFETY: `self` proves the features.
        unsafe { positions_of_64(bits, base, places) }
    }
}
