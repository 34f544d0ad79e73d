//! Tables of Unicode as lists of small numbers, each in as few bytes as it needs (LEB128).

/// The numbers of a list.
pub struct Packed(pub &'static [u8]);

impl Iterator for Packed {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    }
}

/// Compares a list in a file of the sources with what it is made of, in tests.
///
/// # Panics
///
/// If they differ: then the file is written.
pub fn compare(path: &str, numbers: impl IntoIterator<Item = u32>) {
    let mut bytes = Vec::new();
    for mut number in numbers {
        while number > 0x7F {
            bytes.push(0x80 | number.to_le_bytes()[0]);
            number >>= 7;
        }
        bytes.push(number.to_le_bytes()[0]);
    }
    if std::fs::read(path).unwrap_or_default() != bytes {
        assert!(
            std::fs::write(path, bytes).is_ok(),
            "{path} cannot be written"
        );
        panic!("{path} has been written anew: run this again");
    }
}
