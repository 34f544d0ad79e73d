//! The definitions of BLEU, chrF and TER: short, obvious and slow, to be checked against the papers.
//!
//! The fuzz targets include single files of this folder.

pub mod bleu;
pub mod chrf;
pub mod ngrams;
pub mod random;
pub mod ter;
