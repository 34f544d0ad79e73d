//! Which code points are Chinese characters to `zh`, each a token by itself.

use std::ops::RangeInclusive;

/// Chinese characters in sacreBLEU 2.6.0, on which published scores depend.
///
/// Its list writes the two ranges beyond U+FFFF with four-digit escapes. One of them therefore
/// means U+2001 to U+2A6D (dashes, quotation marks, arrows, mathematics), and CJK Extension B is
/// missing.
pub fn is_chinese(c: u32) -> bool {
    const MISREAD: RangeInclusive<u32> = 0x2001..=0x2A6D;
    MISREAD.contains(&c) || is_in_both(c)
}

/// The ranges that the list was meant to have: with Extension B, the compatibility supplement and
/// kana, without dashes.
pub fn is_chinese_or_kana(c: u32) -> bool {
    matches!(c, 0x2600..=0x27BF | 0x3040..=0x30FF | 0x20000..=0x2A6D6 | 0x2F800..=0x2FA1D)
        || is_in_both(c)
}

fn is_in_both(c: u32) -> bool {
    matches!(
        c,
        0x2E80..=0x2FDF // radicals
            | 0x2FF0..=0x303F // descriptions of characters, punctuation
            | 0x3100..=0x312F // Bopomofo
            | 0x31A0..=0x31BF
            | 0x31C0..=0x31EF // strokes
            | 0x3200..=0x33FF // enclosed, square
            | 0x3400..=0x4DB5 // Extension A
            | 0x4E00..=0x9FBB // the unified ideographs up to Unicode 4.1
            | 0xF900..=0xFA2D // compatibility
            | 0xFA30..=0xFA6A
            | 0xFA70..=0xFAD9
            | 0xFE10..=0xFE1F // vertical forms
            | 0xFE30..=0xFE4F
            | 0xFF00..=0xFFEF // full and half width
    )
}
