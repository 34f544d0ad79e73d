//! The tables in `tests/golden/`, and the files in `examples/`.

use std::fs;
use std::path::Path;

/// Reads a file of the project.
pub fn file(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    fs::read_to_string(Path::new(root).join(path)).expect("a file of the project")
}

/// The rows of a golden as cells, without the names of the columns. Lines that begin with # say
/// where the numbers come from.
pub fn table<const COLUMNS: usize>(name: &str) -> Vec<[String; COLUMNS]> {
    let text = file(&format!("tests/golden/{name}"));
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let cells = lines.map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    cells
        .map(|row| row.try_into().expect("a cell for each column"))
        .collect()
}

/// The numbers in a cell, separated by spaces.
pub fn numbers<T: std::str::FromStr>(cell: &str) -> Vec<T> {
    let number = |text: &str| text.parse().ok().expect("a number");
    cell.split_whitespace().map(number).collect()
}

/// The strings in JSON: that of one string, or those of a list.
pub fn strings(json: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut rest = json;
    while let Some(start) = rest.find('"') {
        let mut units = Vec::new();
        let mut characters = rest[start + 1..].char_indices();
        let end = loop {
            match characters.next().expect("a closing quote") {
                (place, '"') => break place,
                (_, '\\') => units.push(match characters.next().expect("what is escaped").1 {
                    'n' => u16::from(b'\n'),
                    't' => u16::from(b'\t'),
                    'r' => u16::from(b'\r'),
                    'f' => 0xC,
                    'b' => 0x8,
                    'u' => {
                        let digits: String = characters.by_ref().take(4).map(|(_, c)| c).collect();
                        u16::from_str_radix(&digits, 16).expect("four digits")
                    }
                    c => u16::try_from(u32::from(c)).expect("a symbol of ASCII"),
                }),
                (_, c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        };
        strings.push(String::from_utf16(&units).expect("whole characters"));
        rest = &rest[start + end + 2..];
    }
    strings
}

/// The lines of files in `examples/`: for each segment the hypothesis, then the references.
pub fn example(system: &str, references: &str) -> Vec<Vec<String>> {
    let references = references
        .split('+')
        .map(|name| format!("reference-{name}"));
    let names = [format!("system-{system}")].into_iter().chain(references);
    let texts: Vec<_> = names
        .map(|name| file(&format!("examples/{name}.en")))
        .collect();
    let mut lines: Vec<_> = texts.iter().map(|text| text.lines()).collect();
    let segments = texts[0].lines().count();
    (0..segments)
        .map(|_| {
            let texts = lines.iter_mut().map(|lines| lines.next().expect("a line"));
            texts.map(str::to_owned).collect()
        })
        .collect()
}

#[test]
fn strings_are_unescaped() {
    let json = r#"["a\"b", "\u3000\ud83d\ude00é", "", "\\\n"]"#;
    assert_eq!(strings(json), ["a\"b", "\u{3000}😀é", "", "\\\n"]);
    assert_eq!(strings("[]"), [""; 0]);
}
