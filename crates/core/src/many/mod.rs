//! Many texts against many: every pair, or each text against all others.

mod index;
pub mod pairwise;
pub mod self_bleu;
pub mod texts;
