//! What this processor can do beyond what every processor of its architecture can.
//!
//! It is detected once. A value of [`Avx2`] or [`Avx512`] proves that the features exist, so a
//! function that takes one cannot be called where they do not.

use std::sync::LazyLock;

use crate::error::{Error, by_name};

/// Proof of AVX2 with the bit manipulation of the same processors: BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

/// Proof of AVX-512 for bytes (F, BW, DQ, VL, VBMI2), besides all that [`Avx2`] proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The proof, if it can be given.
    #[must_use]
    pub fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The proof, if it can be given.
    #[must_use]
    pub fn detect() -> Option<Self> {
        (Avx2::detect().is_some()
            && std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vbmi2"))
        .then_some(Self(()))
    }
}

/// The features that loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// 16 bytes at a time: on x86-64 with SSE2, on `AArch64` with Neon, elsewhere in plain Rust.
    Baseline,
    /// 32 bytes at a time.
    Avx2(Avx2),
    /// 64 bytes at a time.
    Avx512(Avx512),
}

/// The environment variable that names the highest level to use.
pub const VARIABLE: &str = "TRUEBLEU_SIMD";

static CURRENT: LazyLock<(Level, Option<Error>)> = LazyLock::new(|| {
    let available = Level::available();
    let named = std::env::var(VARIABLE).unwrap_or_default();
    let (highest, error) = match by_name(&Level::NAMES, VARIABLE, &named) {
        Ok(rank) => (rank, None),
        Err(_) if named.is_empty() => (usize::MAX, None),
        Err(error) => (usize::MAX, Some(error)),
    };
    (available[highest.min(available.len() - 1)], error)
});

impl Level {
    /// The name of each level and its rank.
    const NAMES: [(&str, usize); 3] = [("baseline", 0), ("avx2", 1), ("avx512", 2)];

    /// All levels that this processor has, the lowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let more = [
            Avx2::detect().map(Self::Avx2),
            Avx512::detect().map(Self::Avx512),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let more = [];
        [Some(Self::Baseline)]
            .into_iter()
            .chain(more)
            .flatten()
            .collect()
    }

    /// The highest level of this processor, or the one that [`VARIABLE`] names if that is lower.
    #[inline]
    #[must_use]
    pub fn current() -> Self {
        CURRENT.0
    }

    /// The error if [`VARIABLE`] does not name a level and is therefore ignored.
    #[must_use]
    pub fn misnamed() -> Option<&'static Error> {
        CURRENT.1.as_ref()
    }

    /// The proof of AVX2, which AVX-512 includes.
    #[inline]
    #[must_use]
    pub fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Baseline => None,
            Self::Avx2(proof) => Some(proof),
            Self::Avx512(_) => Some(Avx2(())),
        }
    }

    /// The names of all levels.
    #[must_use]
    pub fn names() -> [&'static str; 3] {
        Self::NAMES.map(|(name, _)| name)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let rank = match self {
            Self::Baseline => 0,
            Self::Avx2(_) => 1,
            Self::Avx512(_) => 2,
        };
        Self::NAMES[rank].0
    }
}

/// Work that is compiled for each level. For that, `run` must be inlined always.
pub trait Work {
    /// What the work results in.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does work as it is compiled for a level.
pub fn run_at<W: Work>(level: Level, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn avx2<W: Work>(_: Avx2, work: W) -> W::Output {
        work.run()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt")]
    fn avx512<W: Work>(_: Avx512, work: W) -> W::Output {
        work.run()
    }

    match level {
        // SAFETY: `proof` proves the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(proof) => unsafe { avx512(proof, work) },
        // SAFETY: `proof` proves the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(proof) => unsafe { avx2(proof, work) },
        _ => work.run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_order_and_have_names() {
        let levels = Level::available();
        assert_eq!(levels[0], Level::Baseline);
        let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
        assert_eq!(names, ["baseline", "avx2", "avx512"][..levels.len()]);
        assert!(levels.contains(&Level::current()));
        assert_eq!(Level::misnamed(), None);
    }
}
