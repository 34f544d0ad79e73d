//! The natural logarithm and the exponential.
//!
//! Scores are those of sacreBLEU to the last bit with the C library's functions, whose results are
//! nearly always the exact ones, rounded. Those of Rust for WebAssembly are not; there, the crate that
//! is compiled for it has its own.

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
    // SAFETY: the crate `truebleu-wasm` defines both with these types.
    unsafe extern "Rust" {
        #[link_name = "truebleu_ln"]
        pub safe fn ln(number: f64) -> f64;
        #[link_name = "truebleu_exp"]
        pub safe fn exp(number: f64) -> f64;
    }
}

pub use functions::{exp, ln};
