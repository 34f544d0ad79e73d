//! Self-BLEU: each text against all others.

use std::ops::Range;

use super::index::{Entry, Index, clip, end_of_token};
use crate::count::ReferenceLength;
use crate::error::{Error, Pause};
use crate::memory::{listed, zeros};
use crate::metric::LengthMetric;
use crate::stop::Stop;
use crate::text::prefetch;
use crate::threads::on_threads;

/// Rows of statistics of each text against all others as its references, in time that
/// depends on the size of the texts, not on the number of pairs.
///
/// An n-gram is clipped to the highest count in any other text: the highest count in all texts or,
/// for the text that has it, the second highest.
///
/// If `chosen` is not empty, it says for each text whether its matches are needed. Other rows may
/// lack matches.
///
/// # Errors
///
/// Those of `pause`, [`Error::BadTable`] if there are fewer than two texts or `chosen` has another
/// length, [`Error::Internal`] instead of a panic.
pub fn against_others<M: LengthMetric>(
    index: &Index,
    metric: &M,
    chosen: &[bool],
    threads: usize,
    pause: Pause<'_>,
) -> Result<Vec<i64>, Error> {
    let texts = index.len();
    if texts < 2 || !(chosen.is_empty() || chosen.len() == texts) {
        return Err(Error::BadTable);
    }
    let longest = metric.longest_ngrams()[0];
    let is_chosen = |text: u32| chosen.get(text as usize).is_none_or(|&chosen| chosen);
    let entries = index.by_token()?;
    let ranges = in_parts(&entries, threads);
    let stop = Stop::default();
    let work = |part: Range<usize>, pause: Pause<'_>| {
        let mut matches = Matches::new(texts * longest);
        let visit = |order: usize, counts: &[(u32, u32)]| {
            if !counts.iter().any(|&(text, _)| is_chosen(text)) {
                return Ok(false);
            }
            let (mut most, mut second, mut holder) = (0, 0, 0);
            for &(text, count) in counts {
                if count > most {
                    (second, most, holder) = (most, count, text);
                } else {
                    second = second.max(count);
                }
            }
            for &(text, count) in counts {
                let limit = if text == holder { second } else { most };
                matches.add(text as usize * longest + order, clip(count, limit));
            }
            Ok(true)
        };
        index.shared_from(&entries[part], longest, 2, pause, visit)?;
        Ok(matches.all())
    };
    let parts = on_threads(
        ranges,
        |part| work(part, &|| stop.pause(pause)),
        |part| work(part, &|| stop.check()),
    )?;
    let mut matches = zeros::<u32>(texts * longest);
    for part in parts {
        for (sum, count) in matches.iter_mut().zip(part) {
            *sum += count;
        }
    }
    let width = metric.width();
    let mut table = zeros(texts * width);
    let lengths = Lengths::new(index, metric.reference_length());
    let rows = table.chunks_exact_mut(width);
    for (text, (row, matches)) in rows.zip(matches.chunks_exact(longest)).enumerate() {
        let length = index.length(text);
        metric.fill_row(&[length], &[lengths.choose(length)], matches, row);
    }
    Ok(table)
}

/// Numbers that are added to at random, each a little later, when it has been fetched from memory.
struct Matches {
    sums: Vec<u32>,
    later: Vec<(usize, u32)>,
}

impl Matches {
    /// How many wait; what they are added to fits into the fastest cache.
    const WAITING: usize = 256;

    fn new(size: usize) -> Self {
        Self {
            sums: zeros(size),
            later: Vec::with_capacity(Self::WAITING),
        }
    }

    fn add(&mut self, place: usize, count: u32) {
        prefetch(self.sums.as_ptr().wrapping_add(place).cast());
        if self.later.len() == Self::WAITING {
            self.flush();
        }
        self.later.push((place, count));
    }

    fn flush(&mut self) {
        for (place, count) in self.later.drain(..) {
            self.sums[place] += count;
        }
    }

    fn all(mut self) -> Vec<u32> {
        self.flush();
        self.sums
    }
}

/// Splits sorted entries into at most so many parts of about equal size, without splitting those of
/// a token.
fn in_parts(entries: &[Entry], parts: usize) -> Vec<Range<usize>> {
    let parts = parts.clamp(1, entries.len().max(1));
    let size = entries.len().div_ceil(parts);
    let mut ranges = Vec::new();
    let mut start = 0;
    for part in 1..=parts {
        let end = end_of_token(entries, size * part);
        if end > start {
            ranges.push(start..end);
            start = end;
        }
    }
    ranges
}

/// The lengths of all texts, from which the reference length of each text is derived.
struct Lengths {
    rule: ReferenceLength,
    /// Distinct lengths in ascending order, each with the number of texts.
    counts: Vec<(usize, usize)>,
    sum: usize,
    texts: usize,
}

impl Lengths {
    fn new(index: &Index, rule: ReferenceLength) -> Self {
        let mut all = listed((0..index.len()).map(|text| index.length(text)));
        all.sort_unstable();
        let counts = all.chunk_by(|one, other| one == other);
        let counts = listed(counts.map(|equal| (equal[0], equal.len())));
        Self {
            rule,
            counts,
            sum: all.iter().sum(),
            texts: all.len(),
        }
    }

    /// The reference length of a text of this length, which must be one of the texts.
    fn choose(&self, length: usize) -> usize {
        let at = self.counts.partition_point(|&(known, _)| known < length);
        let alone = self.counts[at].1 == 1;
        // The distinct lengths of the other texts in a range of `counts`.
        let others = |range: Range<usize>| {
            self.counts[range]
                .iter()
                .map(|&(known, _)| known)
                .filter(move |&known| !(alone && known == length))
        };
        let last = self.counts.len();
        match self.rule {
            ReferenceLength::Average => (self.sum - length) / (self.texts - 1),
            ReferenceLength::Shortest => others(0..last.min(2)).next().unwrap_or(0),
            ReferenceLength::Longest => others(last.saturating_sub(2)..last)
                .next_back()
                .unwrap_or(0),
            ReferenceLength::Closest | ReferenceLength::ClosestFirst => {
                let near: Vec<usize> = others(at.saturating_sub(1)..last.min(at + 2)).collect();
                ReferenceLength::Closest.choose(length, &near)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many parts are asked for, each has something, and together they have everything.
    #[test]
    fn parts_are_never_empty() {
        let entry = |number: u32| Entry {
            token: number / 3,
            ..Entry::default()
        };
        for count in [0, 1, 2, 7, 100] {
            let entries: Vec<_> = (0..count).map(entry).collect();
            for parts in [0, 1, 2, 3, 64, usize::MAX] {
                let ranges = in_parts(&entries, parts);
                assert!(ranges.len() <= parts.max(1));
                assert!(ranges.iter().all(|range| !range.is_empty()));
                let all: Vec<_> = ranges.into_iter().flatten().collect();
                assert_eq!(all, (0..entries.len()).collect::<Vec<_>>());
            }
        }
    }
}
