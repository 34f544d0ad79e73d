//! Blocks on every processor: 16 bytes at a time, with vectors that every x86-64 and every
//! `AArch64` has.

use wide::u8x16;

use super::definition::{BLOCK, Blocks, Letters, Marks, positions_in_eights};

/// Needs no proof.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

/// All bits of the bytes that are from `first` to `last`.
#[inline(always)]
fn within(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let distance = bytes - u8x16::splat(first);
    distance.min(u8x16::splat(last - first)).simd_eq(distance)
}

/// All bits of the bytes that are `byte`.
#[inline(always)]
fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

impl Blocks for Baseline {
    #[inline(always)]
    fn marks<const LATIN1: bool>(self, block: &[u8; BLOCK]) -> Marks {
        let mut marks = Marks::default();
        let (parts, []) = block.as_chunks::<16>() else {
            unreachable!("64 bytes are four times 16")
        };
        for (part, &bytes) in parts.iter().enumerate() {
            let bytes = u8x16::new(bytes);
            let mask = |bytes: u8x16| u64::from(bytes.to_bitmask()) << (16 * part);
            let mut spaces = within(bytes, 0x09, 0x0D) | within(bytes, 0x1C, 0x20);
            if LATIN1 {
                spaces = spaces | equal(bytes, 0x85) | equal(bytes, 0xA0);
            } else {
                marks.rare |= mask(equal(bytes, 0xC2) | within(bytes, 0xE1, 0xE3));
                marks.continuations |= mask(within(bytes, 0x80, 0xBF));
            }
            // All ASCII punctuation but `&` and `'`.
            let punctuation = within(bytes, b'!', b'%')
                | within(bytes, b'(', b'/')
                | within(bytes, b':', b'@')
                | within(bytes, b'[', b'`')
                | within(bytes, b'{', b'~');
            marks.spaces |= mask(spaces);
            marks.symbols |= mask(punctuation);
            // `,` and `.` differ in one bit.
            marks.stops |= mask(equal(bytes | u8x16::splat(b'.' ^ b','), b'.'));
            marks.hyphens |= mask(equal(bytes, b'-'));
            marks.digits |= mask(within(bytes, b'0', b'9'));
            marks.rare |= mask(equal(bytes, b'&') | equal(bytes, b'<'));
            marks.line_feeds |= mask(equal(bytes, b'\n'));
        }
        marks.symbols &= !(marks.stops | marks.hyphens | marks.rare);
        marks
    }

    #[inline(always)]
    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        let mut letters = Letters::default();
        let (parts, []) = block.as_chunks::<16>() else {
            unreachable!("64 bytes are four times 16")
        };
        for (part, &bytes) in parts.iter().enumerate() {
            let bytes = u8x16::new(bytes);
            let mask = |bytes: u8x16| u64::from(bytes.to_bitmask()) << (16 * part);
            // Upper-case letters differ from lower-case ones in one bit.
            let ascii = within(bytes | u8x16::splat(0x20), b'a', b'z');
            letters.ascii |= mask(ascii | within(bytes, b'0', b'9'));
            letters.leads |= mask(within(bytes, 0xC3, 0xC9) | within(bytes, 0xD0, 0xD1));
            letters.latin1_leads |= mask(equal(bytes, 0xC3));
            // 0x97 and 0xB7 differ in one bit.
            letters.signs |= mask(equal(bytes | u8x16::splat(0x20), 0xB7));
            letters.spaces |= mask(equal(bytes, b' '));
        }
        letters
    }

    #[inline(always)]
    fn positions(self, bits: u64, base: u32, places: &mut [u32; BLOCK]) {
        positions_in_eights(bits, base, places);
    }
}
