//! A corpus is counted: in pieces, on several threads, and looked at while it passes.

pub mod driver;
pub mod observe;

pub use driver::{count_batch, count_segment};
pub use observe::Observed;
