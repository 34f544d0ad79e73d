//! Resampling for intervals and tests: bootstrap samples of rows, swaps of what units contribute to
//! scores, at random or in all ways; random orders, to see whether theirs matters.
//!
//! Nothing here knows what a row means. A statistic is a function from a sum of rows to a number,
//! and a unit (a segment or a document) has one row for each system. Where the statistic is not
//! one of the core's, the sums themselves are returned.
//!
//! Every sample has its own random generator, so results do not depend on the number of threads.

mod bootstrap;
mod neighbors;
pub(crate) mod random;
mod statistic;
mod sums;
mod swaps;
pub(crate) mod threads;
mod units;

pub use neighbors::Influences;
pub use statistic::Statistic;
pub use swaps::{Contributions, MOST_PERMUTED, Tested, swap_all};
pub use units::Units;
