//! Many texts, split into tokens once.

use super::index::Index;
use crate::error::Error;
use crate::metric::{NgramMetric, with_worker};
use crate::text::Segment;

/// The tokens of many texts, in one or several streams.
#[derive(Debug, Default)]
pub struct Texts {
    streams: Vec<Index>,
}

impl Texts {
    /// Splits a text with this thread's worker of the metric, and appends it.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if the text, or all of them, do not fit into 32-bit positions.
    pub fn push<M: NgramMetric>(&mut self, metric: &M, text: Segment<'_>) -> Result<(), Error> {
        let before = self.len();
        let streams = &mut self.streams;
        streams.resize_with(metric.longest_ngrams().len(), Index::default);
        with_worker::<M, _>(|worker| {
            metric
                .split(worker, text, &mut |stream, tokens| {
                    streams[stream].push(tokens)
                })
                .map_err(|error| error.after(before))
        })
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.streams.first().map_or(0, Index::len)
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tokens of each stream; none if there are no texts.
    #[must_use]
    pub fn streams(&self) -> &[Index] {
        &self.streams
    }
}
