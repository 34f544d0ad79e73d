//! Kendall's tau-b of two metrics after their scores have changed places.

use std::ops::Range;

use super::counter::{Bits, Counter, LANES, place_of};
use super::kendall::Ranks;
use super::pairs::{pairs_of, relation};
use super::polynomial::Polynomial;
use super::swaps::{Accuracies, DRAWS, Swaps};
use crate::error::Error;
use crate::memory::listed;
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_here;

/// In larger groups, ranks take less memory than all pairs; tests need no such groups.
const MOST_PAIRED: usize = if cfg!(test) { 64 } else { 2048 };

/// Pairs of all groups together that are in memory, at most; groups beyond them are ranked.
const MOST_PAIRS: usize = 1 << 24;

/// What a pair of outputs adds, as a metric orders it after swaps.
struct Pair {
    /// Where the gold scores are tied, whether those of the metric differ.
    agrees: Polynomial,
    disagrees: Polynomial,
    tied: bool,
}

impl Swaps {
    /// Tau-b of both metrics, averaged over groups, for [`DRAWS`] draws of each block; NaN where
    /// none is defined.
    ///
    /// # Errors
    ///
    /// Those of [`Swaps::at`].
    pub(super) fn taus(
        &self,
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        let mut paired = 0;
        let small = self.groups.iter().take_while(|outputs| {
            paired += pairs_of(outputs.len());
            outputs.len() <= MOST_PAIRED && paired <= MOST_PAIRS
        });
        let small = small.count();
        let groups = &self.groups[..small];
        let mut pairs = Self::room(groups, 1)?;
        Self::for_pairs(groups, |one, other| {
            let expected = relation(self.gold[one], self.gold[other], 0.0);
            let tied = expected == 0;
            let found = |first: usize, second: usize| {
                relation(self.scores[first][one], self.scores[second][other], 0.0)
            };
            pairs.push(Pair {
                agrees: Polynomial::of(|first, second| {
                    let found = found(first, second);
                    found != 0 && (tied || found == expected)
                }),
                disagrees: Polynomial::of(|first, second| found(first, second) * expected < 0),
                tied,
            });
        });
        Self::in_blocks(blocks, threads, |block| {
            let swaps = self.swaps(seed, block);
            let mut averages = Averages::new();
            run_at(
                Level::current(),
                Counting(groups, &pairs, &swaps, &mut averages),
            );
            for outputs in &self.groups[small..] {
                self.add_ranked(outputs, &swaps, &mut averages);
            }
            averages.of_draws()
        })
    }

    /// Adds those of a group of many outputs.
    fn add_ranked(&self, outputs: &Range<usize>, swaps: &[Bits], averages: &mut Averages) {
        let ones = listed(outputs.clone().map(|_| 1.0));
        for draw in 0..DRAWS {
            for metric in 0..2 {
                stop_here();
                let score = |output: usize| {
                    let bit = swaps[output][draw / 64] >> (draw % 64) & 1 == 1;
                    self.scores[usize::from(bit) ^ metric][output]
                };
                let scores = listed(outputs.clone().map(score));
                let taus = Ranks::new(&self.gold[outputs.clone()], &scores)
                    .and_then(|ranks| ranks.tau_b(&ones));
                if let Ok([tau]) = taus.as_deref()
                    && !tau.is_nan()
                {
                    averages.sums[metric][place_of(draw)] += tau;
                    averages.counts[metric][place_of(draw)] += 1.0;
                }
            }
        }
    }
}

/// Sums over groups whose tau-b is defined, and their number.
struct Averages {
    sums: [[f64; LANES]; 2],
    counts: [[f64; LANES]; 2],
}

impl Averages {
    const fn new() -> Self {
        Self {
            sums: [[0.0; LANES]; 2],
            counts: [[0.0; LANES]; 2],
        }
    }

    fn of_draws(&self) -> Accuracies {
        let average =
            |metric: usize, place: usize| self.sums[metric][place] / self.counts[metric][place];
        (0..DRAWS)
            .map(place_of)
            .map(|place| [average(0, place), average(1, place)])
            .collect()
    }
}

/// Adds tau-b of groups, whose pairs follow each other.
struct Counting<'a>(&'a [Range<usize>], &'a [Pair], &'a [Bits], &'a mut Averages);

impl Work for Counting<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(groups, pairs, swaps, averages) = self;
        let mut pairs = pairs.iter();
        for outputs in groups {
            let mut counters = [const { [const { Counter::new() }; 3] }; 2];
            let mut untied = 0_u32;
            for one in outputs.clone() {
                stop_here();
                let x = &swaps[one];
                for (y, pair) in swaps[outputs.start..one].iter().zip(pairs.by_ref()) {
                    let agree = pair.agrees.values(x, y);
                    if pair.tied {
                        counters[0][2].add(agree[0]);
                        counters[1][2].add(agree[1]);
                    } else {
                        let disagree = pair.disagrees.values(x, y);
                        for metric in 0..2 {
                            counters[metric][0].add(agree[metric]);
                            counters[metric][1].add(disagree[metric]);
                        }
                        untied += 1;
                    }
                }
            }
            if untied > 0 {
                let of_gold = f64::from(untied).sqrt();
                for (metric, counters) in counters.iter_mut().enumerate() {
                    let [agree, disagree, tied] = counters;
                    let (agree, disagree, tied) =
                        (agree.counts(), disagree.counts(), tied.counts());
                    let sums = &mut averages.sums[metric];
                    let counts = &mut averages.counts[metric];
                    for lane in 0..LANES {
                        let gap = f64::from(agree[lane]) - f64::from(disagree[lane]);
                        let untied = f64::from(agree[lane] + disagree[lane] + tied[lane]);
                        let defined = untied > 0.0;
                        sums[lane] += if defined {
                            gap / untied.sqrt() / of_gold
                        } else {
                            0.0
                        };
                        counts[lane] += if defined { 1.0 } else { 0.0 };
                    }
                }
            }
        }
    }
}
