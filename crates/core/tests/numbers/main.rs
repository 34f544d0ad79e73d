//! The numbers of the core: those of other tools, recorded in `tests/golden/`, and those of the
//! definitions.

mod bleu;
mod chrf;
mod definitions;
mod golden;
mod goldens;
mod many;
mod metrics;
mod resample;
mod ter;
mod tokens;
