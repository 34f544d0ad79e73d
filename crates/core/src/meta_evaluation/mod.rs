//! Whether a metric orders outputs as people do: accuracies over pairs, what they become when scores
//! of two metrics change places, and rank correlation.
//!
//! Outputs are in groups, such as those of one segment, and pairs are formed within a group. A pair
//! is right if the metric orders it as the gold scores do, ties included; scores that differ by no
//! more than a threshold are tied (Deutsch, Foster and Freitag 2023, *Ties Matter*).

mod counter;
mod hybrids;
mod kendall;
mod pairs;
mod polynomial;
mod reached;
mod soft;
mod swaps;
mod taus;
mod thresholds;

pub use hybrids::Correlation;
pub use kendall::Ranks;
pub use pairs::{Best, Pairs, Weights, pairs_of};
pub use reached::reached;
pub use swaps::{Accuracies, DRAWS, Swaps};
