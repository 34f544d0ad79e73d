//! Many texts against many: every pair, or each against all others.

pub mod index;
pub mod pairwise;
pub mod self_bleu;
