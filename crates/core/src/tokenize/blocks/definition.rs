//! What an implementation of blocks does.

/// Number of bytes that are classified at once.
pub const BLOCK: usize = 64;

/// For each class of bytes, those of a block that are in it: one bit per byte, lowest first. A byte
/// in none of them is part of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whitespace characters of one byte.
    pub spaces: u64,
    /// Symbols that are always tokens by themselves.
    pub symbols: u64,
    /// `.` and `,`, which stay attached between two digits.
    pub stops: u64,
    /// `-`, which is a token by itself after a digit.
    pub hyphens: u64,
    /// ASCII digits.
    pub digits: u64,
    /// What must be examined: `&` and `<`, which may begin an entity or a tag, and in UTF-8 the bytes
    /// that may begin a whitespace character of two or three bytes.
    pub rare: u64,
    /// In UTF-8, all bytes of a character but the first.
    pub continuations: u64,
    /// Line feeds, which are among the spaces, too.
    pub line_feeds: u64,
}

/// The bytes of a block that may belong to ordinary letters and digits, and the spaces between
/// them: one bit per byte, lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// ASCII letters and digits.
    pub ascii: u64,
    /// The first bytes of U+00C0 to U+027F and U+0400 to U+047F: letters, but for U+00D7 and
    /// U+00F7.
    pub leads: u64,
    /// Those of U+00C0 to U+00FF.
    pub latin1_leads: u64,
    /// The last byte of U+00D7 or U+00F7, or of another character.
    pub signs: u64,
    /// The character U+0020.
    pub spaces: u64,
}

impl Letters {
    /// The bytes of characters that are certainly letters or digits, and whole in the block.
    #[inline(always)]
    pub fn certain(self) -> u64 {
        let signs = self.latin1_leads << 1 & self.signs;
        let leads = self.leads << 1 >> 1 & !(signs >> 1);
        self.ascii | leads | leads << 1
    }
}

/// An implementation of what is done with whole blocks.
///
/// Its value proves that the processor has the features that it uses.
pub trait Blocks: Copy {
    /// The marks of a block.
    fn marks<const LATIN1: bool>(self, block: &[u8; BLOCK]) -> Marks;

    /// The candidates of a block for [`Letters::certain`].
    fn letters(self, block: &[u8; BLOCK]) -> Letters;

    /// Writes `base` plus the position of each bit that is set, from the lowest to the highest. What
    /// comes after them in `places` is arbitrary.
    fn positions(self, bits: u64, base: u32, places: &mut [u32; BLOCK]);
}

/// [`Blocks::positions`] in plain Rust.
#[inline(always)]
pub fn positions_in_eights(mut bits: u64, base: u32, places: &mut [u32; BLOCK]) {
    // Eight at a time, because their number is unpredictable.
    let (eights, []) = places.as_chunks_mut::<8>() else {
        unreachable!("64 places are 8 times 8")
    };
    for places in eights {
        for place in places {
            *place = base + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            return;
        }
    }
}
