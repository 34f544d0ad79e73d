//! Resampling of rows for intervals and tests: bootstrap samples, random swaps with equal
//! probability or by importance sampling, all swaps; random orders, to see whether theirs matters.
//!
//! Nothing here knows what a row means. A statistic is a function from a sum of rows to a number,
//! and a unit (a segment or a document) has one row for each system. Where the statistic is not
//! one of the core's, the sums themselves are returned.
//!
//! Every sample has its own random generator, so results do not depend on the number of threads.

mod bootstrap;
#[cfg(test)]
mod examples;
mod importance;
mod neighbors;
mod permute;
pub(crate) mod random;
mod statistic;
mod sums;
mod swaps;
pub(crate) mod threads;
mod units;

pub use importance::Importance;
pub use neighbors::Influences;
pub use permute::MOST_PERMUTED;
pub use statistic::{Statistic, Tally, sum_at};
pub use units::Units;
