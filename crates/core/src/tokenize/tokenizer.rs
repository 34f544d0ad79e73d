//! The native tokenizers by name, and the steps of each.

use std::ops::Range;

use super::character_classes::{self, Rules};
use super::characters;
use super::rewrite::{self, History, Passes};
use super::scan;
use super::token::TokenList;
use crate::error::{Error, by_name};
use crate::memory::{extend, joined};
use crate::text::{Encoding, Scratch, trim_end, trim_start};

/// A native tokenizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokenizer {
    /// Splits on whitespace.
    #[default]
    None,
    /// `13a`: the segmentation of `mteval-v13a.pl` as in sacreBLEU.
    V13a,
    /// That of `mteval-v14.pl --international-tokenization` as in sacreBLEU.
    International,
    /// Chinese characters as in sacreBLEU, and `13a` for other text.
    Chinese,
    /// The same with the intended ranges of characters.
    ChineseFixed,
    /// Each character is a token.
    Characters,
    /// Runs of letters, digits and underscores.
    WordRuns,
    /// Text already tokenized, as Moses writes it.
    Moses,
    /// What `mteval-v13a.pl` and `mteval-v14.pl` do, without lowercasing.
    Mteval,
    /// The same with their default, which lowercases ASCII letters.
    MtevalLowercase,
    /// What `mteval-v13a.pl --international-tokenization` does.
    MtevalInternationalV13a,
    /// What `mteval-v14.pl --international-tokenization` does.
    MtevalInternationalV14,
    /// tensor2tensor's variant of the international segmentation.
    Tensor2Tensor,
    /// keras-hub's variant of `13a`.
    Keras,
    /// Splits at single spaces (U+0020), as many scripts do.
    Spaces,
}

impl Tokenizer {
    /// All native tokenizers with their names.
    pub const ALL: [(&str, Self); 16] = [
        ("13a", Self::V13a),
        ("intl", Self::International),
        ("zh", Self::Chinese),
        ("zh-fixed", Self::ChineseFixed),
        ("char", Self::Characters),
        ("none", Self::None),
        ("words", Self::WordRuns),
        ("moses", Self::Moses),
        ("spaces", Self::Spaces),
        ("mteval-v13a", Self::Mteval),
        ("mteval-v14", Self::Mteval),
        ("mteval-v13a-lc", Self::MtevalLowercase),
        ("mteval-v13a-intl", Self::MtevalInternationalV13a),
        ("mteval-v14-intl", Self::MtevalInternationalV14),
        ("tensor2tensor", Self::Tensor2Tensor),
        ("keras", Self::Keras),
    ];

    /// The tokenizer with this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        by_name(&Self::ALL, "tokenizer", name)
    }

    /// Whether its tokens depend on the version of [`unicode`](super::unicode).
    #[must_use]
    pub fn knows_unicode(self) -> bool {
        matches!(
            self,
            Self::International
                | Self::WordRuns
                | Self::MtevalInternationalV13a
                | Self::MtevalInternationalV14
                | Self::Tensor2Tensor
        )
    }

    /// Whether it reads Latin-1; the others need UTF-8.
    #[must_use]
    pub fn reads_latin1(self) -> bool {
        matches!(self, Self::None | Self::Characters | Self::V13a)
    }

    /// Tokenizes `text`, a text in `scratch`.
    ///
    /// A tokenizer that rewrites its input appends the rewritten text to `scratch`.
    pub fn tokenize(self, scratch: &mut Scratch, text: Range<usize>, tokens: &mut TokenList) {
        if self == Self::V13a {
            if self.scan(scratch, text.clone(), tokens) {
                return;
            }
        } else if !self.rewrites(&scratch.bytes()[text.clone()]) {
            return self.split(scratch, self.trimmed(scratch, text), tokens);
        }
        let text = self.rewrite(scratch, self.trimmed(scratch, text), None);
        self.split(scratch, text, tokens);
    }

    /// Splits a text that may consist of several, separated by spaces, for a tokenizer that
    /// [reads Latin-1](Self::reads_latin1): all split at whitespace. Returns false if something in it
    /// must be rewritten first.
    #[must_use]
    pub fn scan(self, scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) -> bool {
        if self == Self::V13a {
            return scan::v13a(scratch, text, tokens) == scan::Outcome::Done;
        }
        self.split(scratch, text, tokens);
        true
    }

    /// The same for a text that [`Self::trimmed`] has returned. Also returns the
    /// rewritten text, in which the tokens are, and its history.
    pub fn tokenize_with_history(
        self,
        scratch: &mut Scratch,
        text: Range<usize>,
        tokens: &mut TokenList,
    ) -> (Range<usize>, History) {
        let mut history = History::default();
        let text = self.rewrite(scratch, text, Some(&mut history));
        self.split(scratch, text.clone(), tokens);
        (text, history)
    }

    /// Whether [`Self::rewrite`] may change anything.
    fn rewrites(self, text: &[u8]) -> bool {
        // The line separator begins with the byte E2 in UTF-8.
        self == Self::MtevalLowercase
            || !self.passes().is_empty()
                && (memchr::memchr3(b'&', b'<', 0xE2, text).is_some()
                    || memchr::memchr(b'\n', text).is_some())
    }

    /// Appends a trimmed text to `scratch`, with all replacements that precede splitting.
    fn rewrite(
        self,
        scratch: &mut Scratch,
        text: Range<usize>,
        history: Option<&mut History>,
    ) -> Range<usize> {
        let text = joined(&[&scratch.bytes()[text]]);
        let mut text = rewrite::rewrite(text, self.passes(), history);
        if self == Self::MtevalLowercase {
            text.make_ascii_lowercase();
        }
        scratch.append(|bytes| extend(bytes, &text))
    }

    /// The text without the whitespace that sacreBLEU strips before it tokenizes.
    ///
    /// It strips the end of every text, and `zh` strips both ends. This affects the tokens where
    /// the ends of a text are not padded.
    #[must_use]
    pub fn trimmed(self, scratch: &Scratch, text: Range<usize>) -> Range<usize> {
        let mut range = text;
        if matches!(
            self,
            Self::V13a | Self::International | Self::Chinese | Self::ChineseFixed
        ) {
            let bytes = &scratch.bytes()[range.clone()];
            range.end = range.start + trim_end(bytes, scratch.encoding()).len();
        }
        if matches!(self, Self::Chinese | Self::ChineseFixed) {
            range.start = range.end - trim_start(&scratch.bytes()[range.clone()]).len();
        }
        range
    }

    /// The replacements that precede splitting.
    fn passes(self) -> Passes {
        match self {
            Self::V13a | Self::Mteval | Self::MtevalLowercase | Self::Keras => rewrite::WESTERN,
            Self::MtevalInternationalV13a => rewrite::INTERNATIONAL_V13A,
            Self::MtevalInternationalV14 => rewrite::INTERNATIONAL_V14,
            _ => &[],
        }
    }

    /// Splits a text in which nothing needs to be replaced.
    fn split(self, scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
        debug_assert!(self.reads_latin1() || scratch.encoding() == Encoding::Utf8);
        let rules: &Rules = match self {
            Self::None => return scan::words(scratch, text, tokens),
            Self::Characters => return scan::characters(scratch, text, tokens),
            Self::V13a => return scan::v13a_rewritten(scratch, text, tokens),
            Self::International => &character_classes::INTERNATIONAL,
            Self::Chinese => &character_classes::CHINESE,
            Self::ChineseFixed => &character_classes::CHINESE_FIXED,
            Self::WordRuns => &character_classes::WORD_RUNS,
            Self::Moses => &character_classes::MOSES,
            Self::Spaces => &character_classes::SPACES,
            Self::Keras => &character_classes::KERAS,
            Self::Tensor2Tensor => &character_classes::TENSOR2TENSOR,
            Self::Mteval | Self::MtevalLowercase => &character_classes::MTEVAL,
            Self::MtevalInternationalV13a | Self::MtevalInternationalV14 => {
                &character_classes::MTEVAL_INTERNATIONAL
            }
        };
        characters::split(scratch, text, tokens, rules);
    }
}
