//! Fixed-width text as UTF-8.

use super::characters::{LONGEST, encode};
use crate::memory::reserve;
use crate::processor::Level;

/// Characters that are encoded at once.
const AT_ONCE: usize = 16;

/// Appends characters as UTF-8. Lone surrogates become the three bytes that UTF-8 would give them.
pub fn push_all<T: Copy + Into<u32>>(bytes: &mut Vec<u8>, text: &[T]) {
    push_all_at(Level::current(), bytes, text);
}

fn push_all_at<T: Copy + Into<u32>>(level: Level, bytes: &mut Vec<u8>, text: &[T]) {
    let mut end = bytes.len();
    // Room for the longest encoding, so that the vector never grows in the loop.
    reserve(bytes, LONGEST * text.len());
    bytes.resize(end + LONGEST * text.len(), 0);
    let (blocks, rest) = text.as_chunks::<AT_ONCE>();
    end += match level {
        // SAFETY: the level proves the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => unsafe { avx512::encode(blocks, &mut bytes[end..]) },
        _ => encode_blocks(blocks, &mut bytes[end..]),
    };
    end += one_by_one(rest, &mut bytes[end..]);
    bytes.truncate(end);
}

/// Writes characters as UTF-8; returns how many bytes they take.
fn encode_blocks<T: Copy + Into<u32>>(blocks: &[[T; AT_ONCE]], place: &mut [u8]) -> usize {
    let mut end = 0;
    for block in blocks {
        if block.iter().fold(0, |all, &c| all | c.into()) < 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "all are ASCII")]
            let ascii = block.map(|c| c.into() as u8);
            place[end..end + AT_ONCE].copy_from_slice(&ascii);
            end += AT_ONCE;
        } else {
            end += one_by_one(block, &mut place[end..]);
        }
    }
    end
}

fn one_by_one<T: Copy + Into<u32>>(text: &[T], place: &mut [u8]) -> usize {
    let encoded = text.iter();
    encoded.fold(0, |end, &c| end + encode(c.into(), &mut place[end..]))
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_and_si512, _mm512_cmpge_epu32_mask, _mm512_cmpneq_epi8_mask,
        _mm512_loadu_si512, _mm512_mask_blend_epi32, _mm512_maskz_compress_epi8, _mm512_or_si512,
        _mm512_set1_epi8, _mm512_set1_epi32, _mm512_slli_epi32, _mm512_srli_epi32,
        _mm512_storeu_si512,
    };

    use super::{AT_ONCE, LONGEST};

    /// No byte of UTF-8 has this value.
    const UNUSED: u8 = 0xFF;

    /// Writes characters as UTF-8; returns how many bytes they take.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    pub fn encode<T: Copy + Into<u32>>(blocks: &[[T; AT_ONCE]], place: &mut [u8]) -> usize {
        let mut end = 0;
        for block in blocks {
            end += encode_block(block, &mut place[end..]);
        }
        end
    }

    /// Each character is encoded in the four bytes of a lane, in which the bytes that it does not
    /// need are [`UNUSED`]; then these are removed.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn encode_block<T: Copy + Into<u32>>(text: &[T; AT_ONCE], place: &mut [u8]) -> usize {
        let Some(place) = place.first_chunk_mut::<{ LONGEST * AT_ONCE }>() else {
            unreachable!("the caller has made room")
        };
        let text: [u32; AT_ONCE] = text.map(Into::into);
        // SAFETY: `text` is 64 readable bytes, and the load asks for no alignment.
        let text = unsafe { _mm512_loadu_si512(text.as_ptr().cast()) };
        let set = |number: u32| _mm512_set1_epi32(number.cast_signed());
        let six = |shifted| _mm512_and_si512(shifted, set(0x3F));
        let or = |a: __m512i, b, c| _mm512_or_si512(_mm512_or_si512(a, b), c);
        // The groups of six bits.
        let low = six(text);
        let middle = six(_mm512_srli_epi32::<6>(text));
        let high = six(_mm512_srli_epi32::<12>(text));
        let one = _mm512_or_si512(text, set(0xFFFF_FF00));
        let two = or(
            _mm512_srli_epi32::<6>(text),
            _mm512_slli_epi32::<8>(low),
            set(0xFFFF_80C0),
        );
        let three = or(
            _mm512_or_si512(_mm512_srli_epi32::<12>(text), set(0xFF80_80E0)),
            _mm512_slli_epi32::<8>(middle),
            _mm512_slli_epi32::<16>(low),
        );
        let four = or(
            or(
                _mm512_srli_epi32::<18>(text),
                _mm512_slli_epi32::<8>(high),
                set(0x8080_80F0),
            ),
            _mm512_slli_epi32::<16>(middle),
            _mm512_slli_epi32::<24>(low),
        );
        let from = |smallest| _mm512_cmpge_epu32_mask(text, set(smallest));
        let bytes = _mm512_mask_blend_epi32(from(0x80), one, two);
        let bytes = _mm512_mask_blend_epi32(from(0x800), bytes, three);
        let bytes = _mm512_mask_blend_epi32(from(0x1_0000), bytes, four);
        let used = _mm512_cmpneq_epi8_mask(bytes, _mm512_set1_epi8(UNUSED.cast_signed()));
        let packed = _mm512_maskz_compress_epi8(used, bytes);
        // SAFETY: `place` is 64 writable bytes, and the store asks for no alignment.
        unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), packed) };
        used.count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All levels encode all code points alike, alone and among others.
    #[test]
    fn every_code_point_at_every_level() {
        let expected = |text: &[u32]| {
            let mut bytes = vec![0; LONGEST * text.len()];
            let length = one_by_one(text, &mut bytes);
            bytes.truncate(length);
            bytes
        };
        for level in Level::available() {
            let all: Vec<u32> = (0..0x11_0000).collect();
            let mixed: Vec<u32> = (0..0x11_0000)
                .map(|c: u32| {
                    c.wrapping_mul(0x9E37_79B1) % [0x80, 0x800, 0x1_0000, 0x11_0000][c as usize % 4]
                })
                .collect();
            for text in [&all, &mixed] {
                let mut bytes = b"kept".to_vec();
                push_all_at(level, &mut bytes, text);
                assert!(bytes.starts_with(b"kept"));
                assert!(bytes[4..] == expected(text), "{level:?}");
            }
        }
    }
}
