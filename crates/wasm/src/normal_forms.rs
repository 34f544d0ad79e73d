//! Unicode normal forms from small tables, for the core: those of `unicode-normalization` are a quarter
//! of a module. They are made from it, and tests compare the two.

use std::collections::HashMap;
use std::sync::LazyLock;

use truebleu_core::text::packed::Packed;

/// For each character that is decomposed, how far it is from the last one; 4 times the number of its
/// parts, and a kind; and of each part, how far it is from that of the last one, with a sign.
const DECOMPOSITIONS: Packed = Packed(include_bytes!("decompositions.bin"));

/// Runs of code points: their number, and their combining class.
const CLASSES: Packed = Packed(include_bytes!("classes.bin"));

/// The kind of a decomposition that only the compatibility forms make, and that of one which is
/// undone by composing.
const COMPATIBLE: u32 = 1;
const COMPOSED: u32 = 2;

/// Parts of a character whose places in the last one are told apart.
const PLACES: usize = 18;

struct Tables {
    parts: Vec<char>,
    /// By the character: where its parts are, and whether they are its parts in all forms.
    decompositions: HashMap<char, (usize, usize, bool)>,
    compositions: HashMap<(char, char), char>,
    /// The ends of runs, and their classes.
    classes: Vec<(u32, u32)>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        parts: Vec::new(),
        decompositions: HashMap::new(),
        compositions: HashMap::new(),
        classes: Vec::new(),
    };
    let (mut at, mut last) = (0, [0; PLACES]);
    let mut numbers = DECOMPOSITIONS;
    while let (Some(step), Some(head)) = (numbers.next(), numbers.next()) {
        at += step;
        let start = tables.parts.len();
        for (part, turned) in last
            .iter_mut()
            .zip(numbers.by_ref().take(head as usize / 4))
        {
            // The last bit is the sign.
            *part = u32::wrapping_add(*part, (turned >> 1) ^ (turned & 1).wrapping_neg());
            tables.parts.extend(char::from_u32(*part));
        }
        let place = (start, tables.parts.len(), head & COMPATIBLE == 0);
        let character = char::from_u32(at).unwrap_or_default();
        tables.decompositions.insert(character, place);
        if let (COMPOSED, &[one, other]) = (head % 4, &tables.parts[start..]) {
            tables.compositions.insert((one, other), character);
        }
    }
    let mut end = 0;
    let mut numbers = CLASSES;
    while let (Some(length), Some(class)) = (numbers.next(), numbers.next()) {
        end += length;
        tables.classes.push((end, class));
    }
    tables
});

/// The syllables of Hangul, which are composed by arithmetic (The Unicode Standard, section 3.12).
mod hangul {
    pub const SYLLABLES: u32 = 0xAC00;
    pub const LEADING: u32 = 0x1100;
    pub const VOWELS: u32 = 0x1161;
    pub const TRAILING: u32 = 0x11A7;
    pub const VOWEL_COUNT: u32 = 21;
    pub const TRAILING_COUNT: u32 = 28;
    pub const LEADING_COUNT: u32 = 19;
    pub const COUNT: u32 = LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT;
}

impl Tables {
    fn class(&self, c: char) -> u32 {
        let run = self.classes.partition_point(|&(end, _)| end <= c.into());
        self.classes.get(run).map_or(0, |&(_, class)| class)
    }

    /// Passes on what a character is decomposed into.
    fn decompose(&self, c: char, compatible: bool, pass: &mut impl FnMut(char)) {
        if c < '\u{A0}' {
            return pass(c);
        }
        let syllable = u32::from(c).wrapping_sub(hangul::SYLLABLES);
        if syllable < hangul::COUNT {
            let (rest, trailing) = (
                syllable / hangul::TRAILING_COUNT,
                syllable % hangul::TRAILING_COUNT,
            );
            let parts = [
                hangul::LEADING + rest / hangul::VOWEL_COUNT,
                hangul::VOWELS + rest % hangul::VOWEL_COUNT,
                hangul::TRAILING + trailing,
            ];
            let count = if trailing > 0 { 3 } else { 2 };
            return parts[..count]
                .iter()
                .filter_map(|&part| char::from_u32(part))
                .for_each(pass);
        }
        match self.decompositions.get(&c) {
            Some(&(start, end, always)) if always || compatible => {
                for &part in &self.parts[start..end] {
                    self.decompose(part, compatible, pass);
                }
            }
            _ => pass(c),
        }
    }

    fn compose(&self, one: char, other: char) -> Option<char> {
        let (first, second) = (u32::from(one), u32::from(other));
        let leading = first.wrapping_sub(hangul::LEADING);
        let vowel = second.wrapping_sub(hangul::VOWELS);
        if leading < hangul::LEADING_COUNT && vowel < hangul::VOWEL_COUNT {
            let rest = leading * hangul::VOWEL_COUNT + vowel;
            return char::from_u32(hangul::SYLLABLES + rest * hangul::TRAILING_COUNT);
        }
        let syllable = first.wrapping_sub(hangul::SYLLABLES);
        let trailing = second.wrapping_sub(hangul::TRAILING);
        if syllable < hangul::COUNT
            && syllable % hangul::TRAILING_COUNT == 0
            && (1..hangul::TRAILING_COUNT).contains(&trailing)
        {
            return char::from_u32(first + trailing);
        }
        self.compositions.get(&(one, other)).copied()
    }
}

/// Normalizes a text: compatibility characters are replaced or not, and the rest composed or not.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub fn truebleu_normalized(text: &str, compatible: bool, composing: bool) -> String {
    let tables = &*TABLES;
    let mut characters: Vec<(u32, char)> = Vec::new();
    for c in text.chars() {
        tables.decompose(c, compatible, &mut |part| {
            characters.push((tables.class(part), part));
        });
    }
    // What combines with the same character is ordered by its class.
    for marks in characters.chunk_by_mut(|&(class, _), &(next, _)| class > 0 && next > 0) {
        marks.sort_by_key(|&(class, _)| class);
    }
    let mut composed = String::with_capacity(text.len());
    if !composing {
        composed.extend(characters.iter().map(|&(_, c)| c));
        return composed;
    }
    // The last character of class 0, and what comes after it and is not composed with it.
    let mut starter: Option<char> = None;
    let mut marks: Vec<char> = Vec::new();
    let mut last = 0;
    for (class, c) in characters {
        let blocked = !marks.is_empty() && last >= class;
        let both = starter
            .filter(|_| !blocked)
            .and_then(|starter| tables.compose(starter, c));
        if both.is_some() {
            starter = both;
            continue;
        }
        if class == 0 {
            composed.extend(starter.replace(c));
            composed.extend(marks.drain(..));
        } else {
            marks.push(c);
        }
        last = class;
    }
    composed.extend(starter);
    composed.extend(marks);
    composed
}

#[cfg(test)]
mod tests {
    use super::*;
    use truebleu_core::text::packed::compare;
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::{
        canonical_combining_class, compose, decompose_canonical, decompose_compatible,
    };

    fn collected(decompose: impl FnOnce(&mut dyn FnMut(char))) -> Vec<char> {
        let mut parts = Vec::new();
        decompose(&mut |part| parts.push(part));
        parts
    }

    fn canonical(c: char) -> Vec<char> {
        collected(|pass| decompose_canonical(c, pass))
    }

    /// What a character is decomposed into, if it is, and the kind of this.
    fn decomposition(
        c: char,
        composites: &HashMap<Vec<char>, Vec<char>>,
    ) -> Option<(u32, Vec<char>)> {
        let parts = canonical(c);
        if parts == [c] {
            let parts = collected(|pass| decompose_compatible(c, pass));
            return (parts != [c]).then_some((COMPATIBLE, parts));
        }
        if let Some((&other, before)) = parts.split_last() {
            let alone = match before {
                [one] => vec![*one],
                _ => Vec::new(),
            };
            let known = composites.get(before).into_iter().flatten();
            for &one in known.chain(&alone) {
                if compose(one, other) == Some(c) {
                    return Some((COMPOSED, vec![one, other]));
                }
            }
        }
        Some((0, parts))
    }

    /// The files are what `unicode-normalization` has.
    #[test]
    fn tables_are_those_of_the_crate() {
        let is_syllable = |c: char| ('\u{AC00}'..='\u{D7A3}').contains(&c);
        let characters = || (char::MIN..=char::MAX).filter(|&c| !is_syllable(c));
        let mut composites: HashMap<Vec<char>, Vec<char>> = HashMap::new();
        for c in characters() {
            composites.entry(canonical(c)).or_default().push(c);
        }
        let (mut numbers, mut last, mut at) = (Vec::new(), [0_i32; PLACES], 0);
        for c in characters() {
            let Some((kind, parts)) = decomposition(c, &composites) else {
                continue;
            };
            assert!(parts.len() <= PLACES);
            let count = u32::try_from(parts.len()).expect("few");
            numbers.extend([u32::from(c) - at, 4 * count + kind]);
            at = c.into();
            for (last, part) in last.iter_mut().zip(parts) {
                let part = i32::try_from(u32::from(part)).expect("21 bits");
                let step = part - *last;
                numbers.push(((step << 1) ^ (step >> 31)).cast_unsigned());
                *last = part;
            }
        }
        compare(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/decompositions.bin"),
            numbers,
        );
        let mut runs: Vec<[u32; 2]> = Vec::new();
        for c in 0..=u32::from(char::MAX) {
            let class = char::from_u32(c)
                .map_or(0, canonical_combining_class)
                .into();
            match runs.last_mut() {
                Some([length, known]) if *known == class => *length += 1,
                _ => runs.push([1, class]),
            }
        }
        compare(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/classes.bin"),
            runs.into_iter().flatten(),
        );
    }

    /// Characters by themselves, and drawn ones together, are what the crate makes of them.
    #[test]
    fn forms_are_those_of_the_crate() {
        let check = |text: &str| {
            let of_the_crate: [String; 4] = [
                text.nfd().collect(),
                text.nfc().collect(),
                text.nfkd().collect(),
                text.nfkc().collect(),
            ];
            let ours = [(false, false), (false, true), (true, false), (true, true)]
                .map(|(compatible, composing)| truebleu_normalized(text, compatible, composing));
            assert_eq!(ours, of_the_crate, "{text:?}");
        };
        let mut parts = vec![
            'a', '\u{1100}', '\u{1161}', '\u{11A8}', '\u{AC00}', '\u{AC01}',
        ];
        for c in char::MIN..=char::MAX {
            check(c.encode_utf8(&mut [0; 4]));
            if canonical_combining_class(c) > 0 || canonical(c) != [c] {
                parts.push(c);
                parts.extend(canonical(c));
            }
        }
        let mut state = 46_u64;
        for _ in 0..100_000 {
            let text: String = (0..6)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    parts[usize::try_from(state >> 33).expect("31 bits") % parts.len()]
                })
                .collect();
            check(&text);
        }
    }
}
