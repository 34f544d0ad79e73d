//! Tokenization. A token is a range of bytes in the scratch buffer, not a separate string.

mod blocks;
mod character_classes;
mod characters;
mod chinese;
pub mod chrf_spans;
mod chrf_words;
mod preprocess;
mod rewrite;
mod scan;
mod scanner;
pub mod spans;
mod tercom;
mod token;
mod tokenizer;
pub mod unicode;

pub use chrf_words::chrf_words;
#[cfg(test)]
pub use preprocess::IN_PIECES;
pub use preprocess::Preprocessing;
pub use tercom::Tercom;
pub use token::{Token, TokenList, TokenSlice};
pub use tokenizer::Tokenizer;
