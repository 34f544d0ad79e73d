//! The natural logarithm and the exponential.
//!
//! Scores are those of sacreBLEU to the last bit with the C library's functions, whose results are
//! nearly always the exact ones, rounded. Those of Rust for WebAssembly are not; those of the crate
//! `pxfm` are.

#[cfg(not(target_family = "wasm"))]
mod functions {
    #[inline(always)]
    pub fn ln(number: f64) -> f64 {
        number.ln()
    }

    #[inline(always)]
    pub fn exp(number: f64) -> f64 {
        number.exp()
    }
}

#[cfg(target_family = "wasm")]
mod functions {
    pub use pxfm::{f_exp as exp, f_log as ln};
}

pub use functions::{exp, ln};
