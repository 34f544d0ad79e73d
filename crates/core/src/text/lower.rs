//! Lower case that finds no memory with an error: `str::to_lowercase` would end the process.

use crate::memory::{extend, push};

/// Appends a text in lower case, in UTF-8, as `str::to_lowercase` writes it.
pub fn push_lower(out: &mut Vec<u8>, text: &str) {
    for (place, c) in text.char_indices() {
        if c.is_ascii() {
            push(out, c.to_ascii_lowercase() as u8);
        } else if c == 'Σ' {
            let after = &text[place + c.len_utf8()..];
            let ends_a_word = next_has_case(text[..place].chars().rev());
            let is_final = ends_a_word && !next_has_case(after.chars());
            extend(out, if is_final { "ς" } else { "σ" }.as_bytes());
        } else {
            for lower in c.to_lowercase() {
                extend(out, lower.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

/// Whether the next character that is not ignored beside letters, as an apostrophe is, has a case.
///
/// Only the standard library knows which characters these are: whether it takes a sigma after one
/// for the last letter of a word says it.
fn next_has_case(characters: impl Iterator<Item = char>) -> bool {
    let is_final = |before: String| before.to_lowercase().ends_with('ς');
    for c in characters {
        match c {
            'A'..='Z' | 'a'..='z' | 'Α'..='Ρ' | 'Σ'..='ω' => return true,
            ' ' => return false,
            _ if is_final(format!("{c}Σ")) => return true,
            _ if !is_final(format!("A{c}Σ")) => return false,
            // It is ignored.
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every character, by itself and beside sigmas, and of drawn ones together, the lower case
    /// is that of the standard library.
    #[test]
    fn lower_case_is_that_of_the_standard_library() {
        let check = |text: &str| {
            let mut out = Vec::new();
            push_lower(&mut out, text);
            assert_eq!(out, text.to_lowercase().as_bytes(), "{text:?}");
        };
        for c in char::MIN..=char::MAX {
            check(&format!("{c}Σ{c} A{c}Σ Σ{c}A AΣ{c} AΣ{c}{c}A"));
        }
        let characters: Vec<char> = "Σσςa ΑΩͺ'’.:\u{301}\u{AD}ʰ1中ǅİ\u{1D6A8}".chars().collect();
        let mut state = 63_u64;
        for _ in 0..100_000 {
            let drawn = (0..9).map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                characters[usize::try_from(state >> 33).expect("31 bits") % characters.len()]
            });
            check(&drawn.collect::<String>());
        }
    }
}
