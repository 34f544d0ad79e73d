//! Tokenization. A token is a range of bytes in the scratch buffer, not a separate string.

mod blocks;
mod character_classes;
mod characters;
mod chinese;
pub mod chrf_spans;
mod chrf_words;
pub mod preprocess;
pub mod rewrite;
mod scan;
mod scanner;
pub mod spans;
pub mod tercom;
pub mod token;
pub mod tokenizer;
pub mod unicode;

pub use chrf_words::chrf_words;
pub use preprocess::Preprocessing;
pub use tercom::Tercom;
pub use token::{Token, TokenList, TokenSlice};
pub use tokenizer::Tokenizer;
