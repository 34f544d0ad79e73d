//! Sums of the rows of some units: of a sample, or of the units that are swapped.

use std::hint::black_box;
use std::ops::Range;

use super::units::{LANES, Rows, Units};

/// Groups of lanes that are added to at the same time, in registers.
const TOGETHER: usize = 4;

impl Units {
    /// Sums the units of each sample, and passes the sums of all systems, side by side, to `take`.
    ///
    /// `list` lists the units of a sample, with repetitions.
    pub(super) fn for_sums(
        &self,
        samples: Range<u64>,
        mut list: impl FnMut(u64, &mut Vec<u32>),
        mut take: impl FnMut(&[i64]),
    ) {
        let mut units = Vec::new();
        let mut sums = vec![0; self.padded()];
        for sample in samples {
            list(sample, &mut units);
            sums.fill(0);
            match &self.rows {
                Rows::Narrow { rows, room } => add_narrow(rows, *room, &units, &mut sums),
                Rows::Wide(rows) => add_wide(rows, &units, &mut sums),
            }
            take(&sums[..self.line()]);
        }
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
