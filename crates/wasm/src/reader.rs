//! What the caller has written, piece by piece.

use truebleu_core::error::Error;
use truebleu_core::text::Segment;

/// The input that is left.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from the beginning.
    pub fn of(input: &'a [u8]) -> Self {
        Self(input)
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next bytes.
    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (piece, rest) = self.0.split_at_checked(length).ok_or_else(cut)?;
        self.0 = rest;
        Ok(piece)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (piece, rest) = self.0.split_first_chunk().ok_or_else(cut)?;
        self.0 = rest;
        Ok(*piece)
    }

    /// A count.
    pub fn number(&mut self) -> Result<usize, Error> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    /// A float64.
    pub fn float(&mut self) -> Result<f64, Error> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// A float64 that is a whole number.
    #[expect(clippy::cast_possible_truncation, reason = "it is checked")]
    pub fn whole(&mut self) -> Result<i64, Error> {
        let number = self.float()?;
        if number.fract() != 0.0 || number.abs() > MOST {
            return Err(Error::InvalidSetting(format!(
                "{number} is not a whole number up to 2^53"
            )));
        }
        Ok(number as i64)
    }

    /// Rows of so many numbers.
    pub fn rows(&mut self, count: usize, width: usize) -> Result<Vec<i64>, Error> {
        let numbers = count.checked_mul(width).ok_or_else(cut)?;
        let bytes = numbers.checked_mul(8).ok_or_else(cut)?;
        let mut rows = Reader(self.bytes(bytes)?);
        (0..numbers).map(|_| rows.whole()).collect()
    }

    /// A text.
    pub fn text(&mut self) -> Result<&'a [u8], Error> {
        let length = self.number()?;
        self.bytes(length)
    }

    /// A text that is a name or a value.
    pub fn word(&mut self) -> Result<&'a str, Error> {
        str::from_utf8(self.text()?).map_err(|_| cut())
    }

    /// A hypothesis; its references are put into the list.
    pub fn segment(&mut self, references: &mut Vec<Segment<'a>>) -> Result<Segment<'a>, Error> {
        let count = self.number()?;
        let hypothesis = Segment::Utf8(self.text()?);
        references.clear();
        for _ in 0..count {
            references.push(Segment::Utf8(self.text()?));
        }
        Ok(hypothesis)
    }
}

/// Every whole number up to this is a float64.
pub const MOST: f64 = 9_007_199_254_740_992.0;

fn cut() -> Error {
    Error::InvalidSetting("the input is not what truebleu.js writes".to_owned())
}
