//! How the edits of a pair are found, step by step.

use super::beam::Edit;
use super::shifts::Shift;
use crate::memory::push;

/// Learns what the search for edits does; `()` learns nothing, at no cost.
pub trait Observer {
    /// A round begins, and the hypothesis as it is now has this distance from the reference.
    fn round(&mut self, distance: usize);

    /// The best path of the round has this edit; they come from the last to the first.
    fn edit(&mut self, edit: Edit);

    /// The round ends with a shift in a hypothesis of this length.
    fn shift(&mut self, shift: &Shift, hypothesis: usize);
}

impl Observer for () {
    #[inline(always)]
    fn round(&mut self, _distance: usize) {}

    #[inline(always)]
    fn edit(&mut self, _edit: Edit) {}

    #[inline(always)]
    fn shift(&mut self, _shift: &Shift, _hypothesis: usize) {}
}

/// A block of words that was shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeShift {
    /// The position of its first word before the shift.
    pub start: usize,
    /// Number of words.
    pub length: usize,
    /// The position of its first word after the shift.
    pub target: usize,
    /// By how much the edit distance fell.
    pub gain: usize,
}

/// What was done to turn a hypothesis into a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// First, the shifts, each in the hypothesis that the one before it has left.
    pub shifts: Vec<MadeShift>,
    /// Then, the edits, from left to right. A deletion takes a word of the hypothesis, an insertion
    /// one of the reference, a match or a substitution one of each.
    pub edits: Vec<Edit>,
    distance: usize,
}

impl Observer for Trace {
    fn round(&mut self, distance: usize) {
        if let Some(last) = self.shifts.last_mut() {
            last.gain = self.distance - distance;
        }
        self.distance = distance;
        self.edits.clear();
    }

    fn edit(&mut self, edit: Edit) {
        push(&mut self.edits, edit);
    }

    fn shift(&mut self, shift: &Shift, hypothesis: usize) {
        let (block, target) = shift.block(hypothesis);
        let shift = MadeShift {
            start: block.start,
            length: block.len(),
            target,
            // Known when the next round begins.
            gain: 0,
        };
        push(&mut self.shifts, shift);
    }
}
