//! Text in any form: strings, lines, Arrow columns, token ids.

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "arrow")]
mod arrow_texts;
mod batch;
#[cfg(feature = "arrow")]
pub mod c_data;
mod characters;
pub mod lines;
mod lower;
pub mod normalize;
pub mod padding;
mod scratch;
mod segment;
mod splitter;
mod transcode;

pub use batch::{Batch, TOGETHER, threads_for};
#[cfg(feature = "tables")]
pub(crate) use characters::encode;
pub use characters::{Encoding, code_points, decode, is_space, space_length, trim_end, trim_start};
pub use normalize::Form;
pub use scratch::{PADDING, Scratch};
pub use segment::{Segment, prefetch};
