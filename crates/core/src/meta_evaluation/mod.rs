//! How well a metric agrees with people: accuracies over pairs of outputs, correlations, and soft
//! pairwise accuracy; in samples of segments, and after scores of two metrics have changed places.
//!
//! Outputs are in groups, such as those of one segment. Each measure is computed for some samples, or
//! swaps, side by side.

mod accuracy;
mod correlations;
mod kendall;
mod measures;
mod soft;
mod table;
mod variants;

pub use measures::{How, Measure};
pub use table::Table;

#[cfg(test)]
mod tests;
