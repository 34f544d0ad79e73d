//! Outputs that people have judged, in groups, with scores of one or two metrics.

use std::ops::Range;

use crate::error::Error;
use crate::memory::with_room;

/// Scores of outputs in groups.
#[derive(Debug)]
pub struct Table {
    /// The groups that have pairs.
    pub(super) groups: Vec<Range<usize>>,
    /// Whether all outputs of a group are of one segment.
    pub(super) is_by_segment: bool,
    /// The segment of each output.
    pub(super) segments: Vec<usize>,
    /// The system of each output.
    pub(super) systems: Vec<usize>,
    pub(super) gold: Vec<f64>,
    pub(super) scores: [Vec<f64>; 2],
}

impl Table {
    /// Scores of outputs in groups of these sizes, group by group; for each output its segment, its
    /// system, its gold score, and its scores under two metrics.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the numbers do not fit together.
    pub fn new(
        sizes: &[usize],
        [segments, systems]: [Vec<usize>; 2],
        gold: Vec<f64>,
        scores: [Vec<f64>; 2],
    ) -> Result<Self, Error> {
        let mut groups = with_room(sizes.len());
        let mut start = 0_usize;
        for &size in sizes {
            let end = start.checked_add(size).ok_or(Error::BadTable)?;
            groups.push(start..end);
            start = end;
        }
        groups.retain(|outputs| outputs.len() > 1);
        let lengths = [
            segments.len(),
            systems.len(),
            scores[0].len(),
            scores[1].len(),
        ];
        if start != gold.len() || lengths != [start; 4] || u32::try_from(start).is_err() {
            return Err(Error::BadTable);
        }
        let is_by_segment = groups.iter().all(|outputs| {
            let segments = &segments[outputs.clone()];
            segments.iter().all(|segment| *segment == segments[0])
        });
        Ok(Self {
            groups,
            is_by_segment,
            segments,
            systems,
            gold,
            scores,
        })
    }

    /// Room for some items for each pair within a group, of which there are fewer than
    /// 2<sup>32</sup>.
    pub(super) fn room<T>(&self, each: usize) -> Result<Vec<T>, Error> {
        let pairs: usize = self.groups.iter().map(|group| pairs_of(group.len())).sum();
        let mut room = Vec::new();
        let reserved = room.try_reserve_exact(each.saturating_mul(pairs));
        if reserved.is_err() || u32::try_from(pairs).is_err() {
            return Err(Error::OutOfMemory(format!("{pairs} pairs of outputs")));
        }
        Ok(room)
    }
}

/// The number of pairs of `size` things; of more than 2<sup>32</sup>, more than memory holds.
pub const fn pairs_of(size: usize) -> usize {
    size.saturating_mul(size.saturating_sub(1)) / 2
}
