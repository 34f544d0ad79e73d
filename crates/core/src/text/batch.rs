//! A batch of segments: hypotheses of one or more systems, with their references.

use std::ops::Range;

use super::segment::Segment;
use crate::memory::{push, with_room};

/// Bytes of text below which a second thread costs more than it saves.
const WORTH_A_THREAD: usize = 1 << 18;

/// Segments that are counted together, at most.
pub const TOGETHER: usize = 8;

/// Bytes of text that are counted together, at most, unless they are of one segment: so many that
/// their tokens stay in the cache.
const SHORT: usize = 1 << 14;

/// How many of `threads` threads pay off for this many bytes of text.
#[must_use]
pub fn threads_for(bytes: usize, threads: usize) -> usize {
    threads.clamp(1, bytes / WORTH_A_THREAD + 1)
}

/// Segments, each with the hypotheses of all systems and its references.
#[derive(Debug)]
pub struct Batch<'a> {
    systems: usize,
    /// Those of all systems for the first segment, then for the second, …
    hypotheses: Vec<Segment<'a>>,
    references: Vec<Segment<'a>>,
    /// Where the references of each segment end.
    ends: Vec<usize>,
    weight: usize,
    largest: usize,
}

impl<'a> Batch<'a> {
    /// An empty batch of one system, with room for `segments` segments.
    #[must_use]
    pub fn with_capacity(segments: usize) -> Self {
        Self::of_systems(1, segments)
    }

    /// An empty batch of several systems, with room for `segments` segments.
    #[must_use]
    pub fn of_systems(systems: usize, segments: usize) -> Self {
        Self {
            systems,
            hypotheses: with_room(systems * segments),
            references: with_room(segments),
            ends: with_room(segments),
            weight: 0,
            largest: 0,
        }
    }

    /// Appends a segment of one system.
    pub fn push(
        &mut self,
        hypothesis: Segment<'a>,
        references: impl IntoIterator<Item = Segment<'a>>,
    ) {
        self.push_systems([hypothesis], references);
    }

    /// Appends a segment, with a hypothesis of each system.
    pub fn push_systems(
        &mut self,
        hypotheses: impl IntoIterator<Item = Segment<'a>>,
        references: impl IntoIterator<Item = Segment<'a>>,
    ) {
        let before = self.weight;
        for hypothesis in hypotheses {
            self.weight += hypothesis.weight();
            push(&mut self.hypotheses, hypothesis);
        }
        for reference in references {
            self.weight += reference.weight();
            push(&mut self.references, reference);
        }
        self.largest = self.largest.max(self.weight - before);
        push(&mut self.ends, self.references.len());
    }

    /// Approximate size in bytes, to decide how many threads pay off.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// Approximate size in bytes of the largest segment, with the hypotheses of all systems.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// Number of systems.
    #[must_use]
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// Number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the batch has no segments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The smallest and the largest number of references of a segment.
    #[must_use]
    pub fn reference_counts(&self) -> (usize, usize) {
        let counts = || (0..self.len()).map(|segment| self.references(segment).len());
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }

    /// The hypothesis of the first system, and its references.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[inline]
    #[must_use]
    pub fn segment(&self, segment: usize) -> (Segment<'a>, &[Segment<'a>]) {
        (self.hypotheses(segment)[0], self.references(segment))
    }

    /// The hypotheses of all systems.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[inline]
    #[must_use]
    pub fn hypotheses(&self, segment: usize) -> &[Segment<'a>] {
        self.hypotheses_of(segment..segment + 1)
    }

    /// The hypotheses of some segments: those of all systems for the first, then for the next.
    ///
    /// # Panics
    ///
    /// If there are no such segments.
    #[inline]
    #[must_use]
    pub fn hypotheses_of(&self, segments: Range<usize>) -> &[Segment<'a>] {
        &self.hypotheses[segments.start * self.systems..segments.end * self.systems]
    }

    /// The end of some segments from `first` on that are counted together: few and short ones, or a
    /// single one; and the size of their texts in bytes, as far as they are in memory at a time.
    #[must_use]
    pub fn together(&self, first: usize, end: usize) -> (usize, usize) {
        let largest = |segment: usize| {
            let weights = self.hypotheses(segment).iter().map(Segment::weight);
            weights.max().unwrap_or(0)
        };
        let mut bytes = 0;
        for segment in first..end.min(first + TOGETHER) {
            let references = self.references(segment).iter().map(Segment::weight);
            let more = references.sum::<usize>() + largest(segment);
            if segment > first && (bytes + more) * self.systems > SHORT {
                return (segment, bytes);
            }
            bytes += more;
        }
        (end.min(first + TOGETHER), bytes)
    }

    /// Prefetches the texts of a segment, which will be read soon, if there is such a segment.
    #[inline]
    pub fn prefetch(&self, segment: usize) {
        if segment < self.len() {
            let hypotheses = self.hypotheses(segment);
            for text in self.references(segment).iter().chain(hypotheses) {
                text.prefetch();
            }
        }
    }

    /// The references.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[inline]
    #[must_use]
    pub fn references(&self, segment: usize) -> &[Segment<'a>] {
        self.references_of(segment..segment + 1)
    }

    /// The references of some segments, of the first one first.
    ///
    /// # Panics
    ///
    /// If there are no such segments.
    #[inline]
    #[must_use]
    pub fn references_of(&self, segments: Range<usize>) -> &[Segment<'a>] {
        let end = |segment: usize| segment.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.references[end(segments.start)..end(segments.end)]
    }
}
