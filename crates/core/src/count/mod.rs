//! Counting tokens: n-grams that a hypothesis shares with its references, and rows that add up.

mod bit_parallel;
mod by_order;
mod character_masks;
mod characters;
mod counter;
pub mod edits;
mod in_order;
mod integers;
mod keyed;
mod keys;
mod lines;
mod numbered;
mod numbers;
mod pair_lists;
mod positions;
mod reference_length;
pub mod rows;
mod seeds;
mod sorted;
#[cfg(test)]
mod tests;
mod vocabulary;
mod ways;

pub use character_masks::CharacterMasks;
pub use characters::{Characters, Whitespace, trim};
pub use counter::Counter;
pub use edits::{EditCounter, Edits};
pub use integers::Unit;
pub use keys::Tokens;
pub use numbers::Numbers;
pub use pair_lists::PairLists;
pub use reference_length::ReferenceLength;
pub use sorted::Sorted;
pub(crate) use vocabulary::Vocabulary;
