//! The keys of words with AVX-512: eight words at a time.

use std::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm_set_epi64x, _mm_shuffle_epi8, _mm_storeu_si128,
    _mm256_maskz_loadu_epi32, _mm256_min_epu32, _mm256_set1_epi32, _mm256_storeu_si256,
    _mm256_sub_epi32, _mm512_add_epi64, _mm512_castsi128_si512, _mm512_castsi512_si256,
    _mm512_cvtepi64_epi16, _mm512_cvtepu32_epi64, _mm512_extracti64x4_epi64, _mm512_inserti32x4,
    _mm512_maskz_permutexvar_epi64, _mm512_max_epu64, _mm512_min_epu64, _mm512_mullo_epi64,
    _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi64, _mm512_set_epi64,
    _mm512_set1_epi64, _mm512_slli_epi64, _mm512_sllv_epi64, _mm512_srli_epi64, _mm512_sub_epi64,
    _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::{AHEAD, HEAD, Word, Words};
use crate::count::seeds::Seeds;

/// Bytes that are loaded for a word.
const LOADED: usize = 16;

/// Writes the words of a text, and the highest bits of their hashes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt")]
#[expect(clippy::cast_possible_wrap, reason = "a word has few bytes")]
pub fn write(words: Words<'_>, seeds: Seeds, keys: &mut [Word], hashes: &mut [u16]) {
    let Words { bytes, tokens } = words;
    let (starts, ends) = tokens.places();
    if starts.is_empty() {
        return;
    }
    let Some(last) = bytes.len().checked_sub(LOADED) else {
        unreachable!("every text is followed by padding")
    };
    let last = _mm256_set1_epi32(u32::try_from(last).unwrap_or(u32::MAX).cast_signed());
    let (first, second) = seeds.numbers();
    let [first, second] = [first, second].map(u64::cast_signed);
    let seeds = _mm512_set_epi64(second, first, second, first, second, first, second, first);
    let order = _mm_set_epi64x(0x0F0E_0B0A_0706_0302, 0x0D0C_0908_0504_0100);
    let blocks = starts.chunks(AHEAD).zip(ends.chunks(AHEAD));
    for (block, (starts, ends)) in blocks.enumerate() {
        let mask = 0xFF >> (AHEAD - starts.len());
        // SAFETY: only the elements of both slices are read.
        let (starts, ends) = unsafe {
            (
                _mm256_maskz_loadu_epi32(mask, starts.as_ptr().cast()),
                _mm256_maskz_loadu_epi32(mask, ends.as_ptr().cast()),
            )
        };
        let lengths = _mm512_cvtepu32_epi64(_mm256_sub_epi32(ends, starts));
        // Where words begin, but never where a load would end outside of `bytes`.
        let mut at = [0_u32; AHEAD];
        // SAFETY: `at` is 32 writable bytes, and the store asks for no alignment.
        unsafe {
            _mm256_storeu_si256(at.as_mut_ptr().cast(), _mm256_min_epu32(starts, last));
        }
        let load = |token: usize| -> __m128i {
            // SAFETY: none of `at` is after `last`, behind which there are as many bytes, and loads
            // ask for no alignment.
            unsafe { _mm_loadu_si128(bytes.as_ptr().add(at[token] as usize).cast()) }
        };
        let four = |token: usize| -> __m512i {
            let all = _mm512_castsi128_si512(load(token));
            let all = _mm512_inserti32x4::<1>(all, load(token + 1));
            let all = _mm512_inserti32x4::<2>(all, load(token + 2));
            _mm512_inserti32x4::<3>(all, load(token + 3))
        };
        let kept = _mm512_min_epu64(lengths, _mm512_set1_epi64(HEAD as i64));
        let bits = _mm512_slli_epi64::<3>(kept);
        let length = _mm512_slli_epi64::<56>(_mm512_min_epu64(lengths, _mm512_set1_epi64(255)));
        // Of four words, the numbers of each: what is beyond the word is cleared, and the length
        // written into the second.
        let word = |loaded: __m512i, twice: __m512i| -> __m512i {
            let before = _mm512_set_epi64(64, 0, 64, 0, 64, 0, 64, 0);
            let bits = _mm512_permutexvar_epi64(twice, bits);
            let bits = _mm512_sub_epi64(_mm512_max_epu64(bits, before), before);
            let beyond = _mm512_sllv_epi64(_mm512_set1_epi64(-1), bits);
            let length = _mm512_maskz_permutexvar_epi64(0b1010_1010, twice, length);
            _mm512_ternarylogic_epi64::<0b1010_1110>(beyond, loaded, length)
        };
        let low = word(four(0), _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0));
        let high = word(four(4), _mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4));
        let products = [low, high].map(|words| _mm512_mullo_epi64(words, seeds));
        let hash = _mm512_srli_epi64::<48>(_mm512_add_epi64(
            _mm512_unpacklo_epi64(products[0], products[1]),
            _mm512_unpackhi_epi64(products[0], products[1]),
        ));
        let hash = _mm_shuffle_epi8(_mm512_cvtepi64_epi16(hash), order);
        let hash_place = &mut hashes[AHEAD * block..AHEAD * block + AHEAD];
        // SAFETY: `hash_place` is 16 writable bytes, and the store asks for no alignment.
        unsafe { _mm_storeu_si128(hash_place.as_mut_ptr().cast(), hash) };
        let places = _mm512_or_si512(
            _mm512_cvtepu32_epi64(starts),
            _mm512_slli_epi64::<32>(lengths),
        );
        let key_places = &mut keys[AHEAD * block..=AHEAD * (block + 1)];
        let pairs = [(low, 0, 8), (low, 4, 10), (high, 0, 12), (high, 4, 14)];
        for (pair, (words, own, place)) in pairs.into_iter().enumerate() {
            let indices = _mm512_set_epi64(0, place + 1, own + 3, own + 2, 0, place, own + 1, own);
            let both = _mm512_permutex2var_epi64(words, indices, places);
            let place = key_places[2 * pair..].as_mut_ptr();
            // SAFETY: both stores are of 32 bytes, of which the next key takes the last eight, and
            // there is a key more. They ask for no alignment.
            unsafe {
                _mm256_storeu_si256(place.cast(), _mm512_castsi512_si256(both));
                _mm256_storeu_si256(place.add(1).cast(), _mm512_extracti64x4_epi64::<1>(both));
            }
        }
    }
}
