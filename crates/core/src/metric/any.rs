//! Any of the metrics of the core, for callers that learn at run time which one it is.

use super::bleu::Bleu;
use super::chrf::Chrf;
use super::ter::Ter;
use super::{Metric, Scope};
use crate::resample::Statistic;

/// One of the metrics.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyMetric {
    /// BLEU.
    Bleu(Bleu),
    /// chrF, chrF+ or chrF++.
    Chrf(Chrf),
    /// Translation edit rate.
    Ter(Ter),
}

/// Evaluates an expression with the metric that an [`AnyMetric`] is, whatever its type.
///
/// The expression is compiled for each metric, so that counting does not ask again.
#[macro_export]
macro_rules! with_metric {
    ($any:expr, $metric:ident => $body:expr) => {
        match $any {
            $crate::metric::any::AnyMetric::Bleu($metric) => $body,
            $crate::metric::any::AnyMetric::Chrf($metric) => $body,
            $crate::metric::any::AnyMetric::Ter($metric) => $body,
        }
    };
}

pub use with_metric;

impl Statistic for AnyMetric {
    fn of(&self, sum: &[i64]) -> f64 {
        with_metric!(self, metric => metric.score(sum, Scope::Corpus))
    }
}
