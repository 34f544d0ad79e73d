//! What accuracies gain at their best thresholds, for many draws at once.

use std::marker::PhantomData;
use std::ops::AddAssign;

use super::counter::Bits;
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_in;

/// A pair whose scores become tied at a threshold, which makes it right or wrong.
pub struct Event {
    pub difference: f64,
    pub outputs: [u32; 2],
    /// It concerns draws in which the scores of the two outputs are swapped like this.
    pub swapped: [bool; 2],
    pub gain: f64,
}

/// A sum of weights: in 32 bits where they suffice.
pub trait Sum: Copy + AddAssign + PartialOrd {
    const ZERO: Self;
    fn of(weights: f64) -> Self;
    fn weights(self) -> f64;
}

impl Sum for i32 {
    const ZERO: Self = 0;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of 32 bits")]
    fn of(weights: f64) -> Self {
        weights as Self
    }

    #[inline(always)]
    fn weights(self) -> f64 {
        f64::from(self)
    }
}

impl Sum for f64 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn of(weights: f64) -> Self {
        weights
    }

    #[inline(always)]
    fn weights(self) -> f64 {
        self
    }
}

/// Raises accuracies at threshold 0 to those at the best threshold.
pub fn improve<T: Sum>(events: &[Event], swaps: &[Bits], accuracies: &mut [[f64; 2]]) {
    struct Improving<'a, T>(&'a [Event], &'a [Bits], &'a mut [[f64; 2]], PhantomData<T>);
    impl<T: Sum> Work for Improving<'_, T> {
        type Output = ();

        #[inline(always)]
        fn run(self) {
            improve_here::<T>(self.0, self.1, self.2);
        }
    }
    run_at(
        Level::current(),
        Improving::<T>(events, swaps, accuracies, PhantomData),
    );
}

/// Draws whose sums stay in registers.
const TOGETHER: usize = 32;

#[inline(always)]
fn improve_here<T: Sum>(events: &[Event], swaps: &[Bits], accuracies: &mut [[f64; 2]]) {
    for (part, accuracies) in accuracies.chunks_exact_mut(TOGETHER).enumerate() {
        let (word, shift) = (part * TOGETHER / 64, part * TOGETHER % 64);
        // Close together, they stay in the fastest cache.
        let bits: Vec<u32> = swaps
            .iter()
            .map(|bits| low_half(bits[word] >> shift))
            .collect();
        for metric in 0..2 {
            let gained = most_gained::<T>(events, &bits, metric == 1);
            for (accuracy, gained) in accuracies.iter_mut().zip(gained) {
                accuracy[metric] += gained.weights();
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn low_half(bits: u64) -> u32 {
    bits as u32
}

/// The most that each draw gains at any threshold.
#[inline(always)]
fn most_gained<T: Sum>(events: &[Event], bits: &[u32], second: bool) -> [T; TOGETHER] {
    let (mut gained, mut most) = ([T::ZERO; TOGETHER], [T::ZERO; TOGETHER]);
    for (place, event) in events.iter().enumerate() {
        stop_in(place);
        let matching = |which: usize| {
            let swapped = event.swapped[which] ^ second;
            bits[event.outputs[which] as usize] ^ u32::from(swapped).wrapping_sub(1)
        };
        let draws = matching(0) & matching(1);
        let gain = T::of(event.gain);
        for (draw, gained) in gained.iter_mut().enumerate() {
            if draws >> draw & 1 == 1 {
                *gained += gain;
            }
        }
        // Equal differences become tied together.
        if events
            .get(place + 1)
            .is_none_or(|next| next.difference > event.difference)
        {
            for (most, &gained) in most.iter_mut().zip(&gained) {
                if gained > *most {
                    *most = gained;
                }
            }
        }
    }
    most
}
