//! Sums of the rows of some units: of a sample, or of the units that are swapped.

use std::hint::black_box;
use std::ops::Range;

use super::units::{LANES, Rows, Units};
use crate::memory::{reserve, zeros};

/// Groups of lanes that are added to at the same time, in registers.
const TOGETHER: usize = 4;

/// Bytes of all rows from which on they are read block by block. Fewer stay in a cache.
const LARGE: usize = 4 << 20;

/// Bytes of the rows of a block, which stays in the fastest caches.
const BLOCK: usize = 1 << 18;

/// Units of all samples that are listed at the same time, if there are several.
const LISTED: usize = 1 << 23;

/// Maximum number of samples that are added up together.
const SAMPLES: usize = 64;

impl Units {
    /// Sums the units of each sample, and passes the sums of all systems, side by side, to `take`.
    ///
    /// `list` lists the units of a sample, with repetitions. Where the rows do not fit into a cache,
    /// several samples are added up together, one block of rows after the other.
    pub(super) fn for_sums(
        &self,
        samples: Range<u64>,
        mut list: impl FnMut(u64, &mut Vec<u32>),
        mut take: impl FnMut(&[i64]),
    ) {
        let line = self.padded();
        let size = match self.rows {
            Rows::Narrow { .. } => line * size_of::<i16>(),
            Rows::Wide(_) => line * size_of::<i64>(),
        };
        let (together, units) = if self.count() * size < LARGE {
            (1, self.count())
        } else {
            let together = LISTED / self.count();
            (together.clamp(1, SAMPLES), (BLOCK / size).max(1))
        };
        let shift = units.next_power_of_two().ilog2();
        let blocks = ((self.count() - 1) >> shift) + 1;
        let mut listed: Vec<_> = (0..together).map(|_| Sample::default()).collect();
        let mut other = Vec::new();
        let mut sums = zeros(together * line);
        let mut samples = samples.peekable();
        while samples.peek().is_some() {
            let mut count = 0;
            for (sample, number) in listed.iter_mut().zip(samples.by_ref()) {
                list(number, &mut sample.units);
                sample.sort(shift, blocks, &mut other);
                count += 1;
            }
            sums.fill(0);
            for block in 0..blocks {
                for (sample, sums) in listed[..count].iter().zip(sums.chunks_exact_mut(line)) {
                    let units = sample.block(block);
                    match &self.rows {
                        Rows::Narrow { rows, room } => add_narrow(rows, *room, units, sums),
                        Rows::Wide(rows) => add_wide(rows, units, sums),
                    }
                }
            }
            for sums in sums.chunks_exact(line).take(count) {
                take(&sums[..self.line()]);
            }
        }
    }
}

/// The units of a sample, sorted by block.
#[derive(Default)]
struct Sample {
    units: Vec<u32>,
    /// Where each block ends.
    ends: Vec<usize>,
}

impl Sample {
    /// Sorts the units by their bits from `shift` on.
    fn sort(&mut self, shift: u32, blocks: usize, other: &mut Vec<u32>) {
        self.ends.clear();
        reserve(&mut self.ends, blocks);
        self.ends.resize(blocks, 0);
        if let [end] = &mut self.ends[..] {
            *end = self.units.len();
            return;
        }
        let block = |unit: u32| (unit >> shift) as usize;
        for &unit in &self.units {
            self.ends[block(unit)] += 1;
        }
        let mut before = 0;
        for end in &mut self.ends {
            before += std::mem::replace(end, before);
        }
        other.clear();
        reserve(other, self.units.len());
        other.resize(self.units.len(), 0);
        for &unit in &self.units {
            let end = &mut self.ends[block(unit)];
            other[*end] = unit;
            *end += 1;
        }
        std::mem::swap(&mut self.units, other);
    }

    fn block(&self, block: usize) -> &[u32] {
        let start = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.units[start..self.ends[block]]
    }
}

fn add_wide(rows: &[i64], units: &[u32], sums: &mut [i64]) {
    let line = sums.len();
    for &unit in units {
        let row = &rows[unit as usize * line..][..line];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

fn add_narrow(rows: &[i16], room: usize, units: &[u32], sums: &mut [i64]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature has just been detected.
        return unsafe { add_avx2(rows, room, units, sums) };
    }
    add_lanes(rows, room, units, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_avx2(rows: &[i16], room: usize, units: &[u32], sums: &mut [i64]) {
    add_lanes(rows, room, units, sums);
}

#[inline(always)]
fn add_lanes(rows: &[i16], room: usize, units: &[u32], sums: &mut [i64]) {
    let line = sums.len();
    let mut start = 0;
    while start + TOGETHER * LANES <= line {
        add_groups::<TOGETHER>(rows, room, units, start, sums);
        start += TOGETHER * LANES;
    }
    while start < line {
        add_groups::<1>(rows, room, units, start, sums);
        start += LANES;
    }
}

/// Adds some groups of lanes, from `start` on, of all units. Up to `room` of them fit into 16 bits.
#[inline(always)]
fn add_groups<const GROUPS: usize>(
    rows: &[i16],
    room: usize,
    units: &[u32],
    start: usize,
    sums: &mut [i64],
) {
    let line = sums.len();
    for units in units.chunks(room) {
        let mut lanes = [[0_i16; LANES]; GROUPS];
        for &unit in units {
            let row = &rows[unit as usize * line + start..][..GROUPS * LANES];
            for (lanes, row) in lanes.iter_mut().zip(row.chunks_exact(LANES)) {
                for (lane, value) in lanes.iter_mut().zip(row) {
                    *lane += value;
                }
            }
        }
        // Without this, compilers add as many lanes at once as they can widen at once: a quarter.
        let lanes = black_box(lanes);
        let sums = &mut sums[start..][..GROUPS * LANES];
        for (sum, &lane) in sums.iter_mut().zip(lanes.as_flattened()) {
            *sum += i64::from(lane);
        }
    }
}
