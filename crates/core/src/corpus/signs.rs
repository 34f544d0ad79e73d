//! Signs that a text is not what its author believes: marks of tools, characters that are not seen,
//! segments without text, and texts that are all alike.

use std::ops::{AddAssign, Range};

use super::marks::{LONGEST, MARKS, characters, in_common, is_empty, marks, marks_of, to_string};
use crate::memory::{push, string};
use crate::text::{Batch, Segment};

/// The names of the signs: the marks, and then those that are in no text by itself.
pub const SIGNS: [&str; MARKS.len() + 4] = {
    let mut names = [""; MARKS.len() + 4];
    let (marks, others) = names.split_at_mut(MARKS.len());
    marks.copy_from_slice(&MARKS);
    others.copy_from_slice(&["beginning", "empty", "blank", "equal"]);
    names
};

const QUOTES: usize = 19;
const BEGINNING: usize = MARKS.len();
const EMPTY: usize = BEGINNING + 1;
const BLANK: usize = EMPTY + 1;
const EQUAL: usize = BLANK + 1;

/// From this one on, marks are characters that are not seen: of these, a sample says enough.
const ODD: Range<usize> = QUOTES + 1..MARKS.len();

/// Number of segments of a batch that are looked at at most: of a large one, others follow.
const SAMPLE: usize = 512;
const SAMPLE_OF_LARGE: usize = 160;
const LARGE: usize = 1 << 12;

/// Number of segments that are kept.
const KEPT: usize = 2000;

/// One segment in so many that has a sign, and at least two, are a reason to count all that have it.
const REASON: usize = 50;

/// How many pairs of texts are asked for the beginning that most texts have.
const ASKED: usize = 4;

/// How many segments have which sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Number of segments.
    pub segments: usize,
    /// Number of those that were looked at before any were counted.
    pub looked: usize,
    /// What was found, by the places in [`SIGNS`]: of odd characters among the segments that were
    /// looked at, and of all others at least so many among all segments.
    pub found: Vec<(usize, Found)>,
    /// Hypotheses with their references, if some have odd characters: those that were looked at.
    pub sample: Vec<(String, Vec<String>)>,
    /// The first hypothesis and reference, and what most of them begin with.
    first: [Vec<char>; 2],
    beginnings: [Vec<char>; 2],
}

/// The segments with a sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Number of hypotheses, and of segments in which a reference has the sign.
    pub counts: [u64; 2],
    /// The number of the first segment, from 0.
    pub segment: usize,
    /// What is there.
    pub marker: String,
}

impl Signs {
    /// Looks at a sample of the segments of a system, and at all if the sample gives a reason.
    pub fn look(&mut self, batch: &Batch<'_>, system: usize) {
        let texts = Texts { batch, system };
        let size = batch.len();
        if size == 0 || matches!(batch.hypotheses(0)[system], Segment::Ids(_)) {
            return;
        }
        let most = if size > LARGE {
            SAMPLE_OF_LARGE
        } else {
            SAMPLE
        };
        let sample = || spread(size, most);
        if self.segments == 0 {
            self.first = [0, 1].map(|side| {
                let first = texts.of(side, 0).and_then(characters);
                first.unwrap_or_default()
            });
            self.beginnings = [0, 1].map(|side| texts.beginning(side, sample()));
        }
        let looked = sample().count();
        let sampled = self.counts(&texts, sample());
        let is_reason = |&sign: &usize| {
            let most = sampled[sign][0].max(sampled[sign][1]);
            let known = self.found.iter().any(|(known, _)| *known == sign);
            let least = match sign {
                // These say something only if nearly all have them.
                QUOTES | BEGINNING | EQUAL => looked.div_ceil(2),
                _ => (looked / REASON).max(2).min(looked),
            };
            most > 0 && (known || most >= least as u64)
        };
        let reasons: Vec<usize> = (0..SIGNS.len()).filter(is_reason).collect();
        if reasons.iter().any(|sign| ODD.contains(sign)) {
            let fit = sample().filter(|&segment| texts.fits(segment));
            for segment in fit.take(KEPT.saturating_sub(self.sample.len())) {
                push(&mut self.sample, texts.kept(segment));
            }
        }
        let mut counted = sampled;
        if looked < size && !reasons.iter().all(|sign| ODD.contains(sign)) {
            counted = self.counts(&texts, 0..size);
            counted[ODD].copy_from_slice(&sampled[ODD]);
        }
        for sign in reasons {
            let found = self.found_in(&texts, sign, counted[sign]);
            self.add(sign, found);
        }
        self.segments += size;
        self.looked += looked;
    }

    /// The numbers of hypotheses and of references with each sign.
    fn counts(
        &self,
        texts: &Texts<'_, '_>,
        segments: impl Iterator<Item = usize>,
    ) -> [[u64; 2]; SIGNS.len()] {
        let mut counts = [[0; 2]; SIGNS.len()];
        for segment in segments {
            for (side, mut bits) in self.signs_of(texts, segment).into_iter().enumerate() {
                while bits != 0 {
                    counts[bits.trailing_zeros() as usize][side] += 1;
                    bits &= bits - 1;
                }
            }
        }
        counts
    }

    /// The signs of a hypothesis, and of its references, as bits.
    fn signs_of(&self, texts: &Texts<'_, '_>, segment: usize) -> [u64; 2] {
        let of = |text: Segment<'_>, side: usize| {
            if text.weight() > LONGEST {
                return 0;
            }
            let mut bits = 0;
            marks_of(text, &mut |mark| {
                let place = MARKS.iter().position(|&name| name == mark);
                bits |= place.map_or(0, |place| 1 << place);
            });
            let beginning = &self.beginnings[side];
            let shared = || in_common(text, beginning).0;
            let begins = !beginning.is_empty() && shared() == beginning.len();
            let (_, equal) = in_common(text, &self.first[side]);
            bits | u64::from(begins) << BEGINNING | u64::from(equal) << EQUAL
        };
        let hypothesis = texts.batch.hypotheses(segment)[texts.system];
        let references = texts.batch.references(segment);
        let mut bits = of(hypothesis, 0);
        if is_empty(hypothesis) {
            let blank = references.iter().all(|&text| is_empty(text));
            bits |= 1 << if blank { BLANK } else { EMPTY };
        }
        [
            bits,
            references.iter().fold(0, |all, &text| all | of(text, 1)),
        ]
    }

    /// So many segments of a batch with a sign, of which the first is looked for.
    fn found_in(&self, texts: &Texts<'_, '_>, sign: usize, counts: [u64; 2]) -> Found {
        let side = usize::from(counts[0] == 0);
        let here = |&segment: &usize| self.signs_of(texts, segment)[side] >> sign & 1 != 0;
        let first = (0..texts.batch.len()).find(here).unwrap_or(0);
        let marker = if sign == BEGINNING {
            string(self.beginnings[side].iter().copied())
        } else if side == 0 {
            marker(texts.batch.hypotheses(first)[texts.system], sign)
        } else {
            let references = texts.batch.references(first).iter();
            let mut found = references.map(|&text| marker(text, sign));
            found.find(|found| !found.is_empty()).unwrap_or_default()
        };
        Found {
            counts,
            segment: self.segments + first,
            marker,
        }
    }

    /// Adds segments with a sign, which follow those that are known.
    fn add(&mut self, sign: usize, more: Found) {
        if let Some((_, found)) = self.found.iter_mut().find(|(known, _)| *known == sign) {
            found.counts = [0, 1].map(|side| found.counts[side] + more.counts[side]);
        } else {
            push(&mut self.found, (sign, more));
        }
    }
}

impl AddAssign<&Signs> for Signs {
    /// Adds the signs of segments that follow.
    fn add_assign(&mut self, other: &Signs) {
        if self.segments == 0 {
            self.clone_from(other);
            return;
        }
        // Texts that begin alike, or are equal, in each part may differ from those of another.
        let differs = |sign: usize| match sign {
            BEGINNING => self.beginnings != other.beginnings,
            EQUAL => self.first != other.first,
            _ => false,
        };
        self.found.retain(|(sign, _)| !differs(*sign));
        let others = other.found.iter().filter(|(sign, _)| !differs(*sign));
        let others: Vec<_> = others.cloned().collect();
        for (sign, more) in others {
            let segment = self.segments + more.segment;
            self.add(sign, Found { segment, ..more });
        }
        self.segments += other.segments;
        self.looked += other.looked;
        let room = KEPT.saturating_sub(self.sample.len());
        for pair in other.sample.iter().take(room) {
            push(&mut self.sample, pair.clone());
        }
    }
}

/// At most so many segments, spread over a batch: in each of as many parts, one somewhere, since
/// what is odd may stand in every second line.
fn spread(size: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = size.div_ceil(most).max(1);
    (0..size).step_by(step).map(move |start| {
        let number = u32::try_from(start / step)
            .unwrap_or(0)
            .wrapping_mul(0x9E37_79B1)
            >> 16;
        (start + number as usize % step).min(size - 1)
    })
}

/// The hypotheses of one system in a batch, and the references.
struct Texts<'a, 'b> {
    batch: &'a Batch<'b>,
    system: usize,
}

impl Texts<'_, '_> {
    /// The hypothesis of a segment (`side` 0), or its first reference.
    fn of(&self, side: usize, segment: usize) -> Option<Segment<'_>> {
        match side {
            0 => self.batch.hypotheses(segment).get(self.system).copied(),
            _ => self.batch.references(segment).first().copied(),
        }
    }

    /// Whether a segment can be kept: its hypothesis and references are not too long.
    fn fits(&self, segment: usize) -> bool {
        let mut references = self.batch.references(segment).iter();
        let fits = |text: &Segment<'_>| text.weight() <= LONGEST;
        fits(&self.batch.hypotheses(segment)[self.system]) && references.all(fits)
    }

    fn kept(&self, segment: usize) -> (String, Vec<String>) {
        let references = self.batch.references(segment).iter().copied();
        let hypothesis = self.batch.hypotheses(segment)[self.system];
        (to_string(hypothesis), references.map(to_string).collect())
    }

    /// What most texts of a sample begin with, up to a space or a colon; empty if there is nothing.
    fn beginning(&self, side: usize, sample: impl Iterator<Item = usize>) -> Vec<char> {
        let texts: Vec<_> = sample
            .filter_map(|segment| self.of(side, segment))
            .filter(|text| text.weight() <= LONGEST)
            .collect();
        // They are spread, since a part of the text may begin otherwise.
        let step = (texts.len() / (ASKED + 1)).max(1);
        let asked = texts.iter().step_by(step);
        let asked: Vec<_> = asked.filter_map(|&text| characters(text)).collect();
        let shared = asked.windows(2).filter(|two| two[0] != two[1]).map(|two| {
            let both = two[0].iter().zip(&two[1]);
            let same = both.take_while(|(one, other)| one == other).count();
            let is_end = |c: &char| c.is_whitespace() || matches!(c, ':' | '：');
            let end = two[0][..same].iter().rposition(is_end);
            &two[0][..end.map_or(0, |end| end + 1)]
        });
        let words = shared.filter(|shared| shared.iter().any(|c| c.is_alphabetic()));
        let begins = |text: Segment<'_>, words: &[char]| in_common(text, words).0 == words.len();
        let count = |words: &&[char]| texts.iter().filter(|&&text| begins(text, words)).count();
        words.max_by_key(count).unwrap_or_default().to_vec()
    }
}

/// What of a text is a sign: the first place where it is.
fn marker(text: Segment<'_>, sign: usize) -> String {
    let text = characters(text).unwrap_or_default();
    let mut place = None;
    marks(&text, &mut |mark, range| {
        if mark == SIGNS[sign] {
            place.get_or_insert(range);
        }
    });
    string(text[place.unwrap_or_default()].iter().copied())
}
