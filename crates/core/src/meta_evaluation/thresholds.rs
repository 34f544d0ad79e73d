//! What accuracies gain at their best thresholds, for many draws at once.

use std::marker::PhantomData;
use std::ops::AddAssign;

use super::counter::{Bits, Counter, LANES, WORDS, place_of, sum, zip};
use crate::memory::listed;
use crate::processor::{Level, Work, run_at};
use crate::stop::{stop_here, stop_in};

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

/// Raises accuracies at threshold 0 to those at the best threshold, if all pairs have this weight.
///
/// Of equal differences, those that lower the sum are first, so that it is highest before or after
/// all of them.
pub fn improve_equal(events: &[Event], swaps: &[Bits], accuracies: &mut [[f64; 2]], weight: f64) {
    for (metric, counts) in raised(events, swaps).iter().enumerate() {
        for (draw, accuracy) in accuracies.iter_mut().enumerate() {
            accuracy[metric] += f64::from(counts[place_of(draw)]) * weight;
        }
    }
}

/// Events during which no sum of a draw rises from [`FAR`] below its highest to above it.
const AT_ONCE: usize = FAR - 1;
const FAR: usize = 1 << (NEAR - 1);

/// Planes of distances up to `FAR + AT_ONCE`.
const NEAR: usize = 8;

/// How often the sum of each draw reaches a new highest value, for both metrics.
fn raised(events: &[Event], swaps: &[Bits]) -> [[u32; LANES]; 2] {
    let mut below = [Below::new(events.len()), Below::new(events.len())];
    for events in events.chunks(AT_ONCE) {
        stop_here();
        let mut near = below.each_ref().map(Below::near);
        let highest = below.each_mut().map(|below| &mut below.highest);
        run_at(Level::current(), Passing(events, swaps, &mut near, highest));
        for (below, near) in below.iter_mut().zip(&near) {
            below.update(near);
        }
    }
    below.map(|mut below| below.highest.counts())
}

/// Changes near distances by events; where a sum is highest when it rises, counts that.
struct Passing<'a>(
    &'a [Event],
    &'a [Bits],
    &'a mut [Near; 2],
    [&'a mut Counter; 2],
);

impl Work for Passing<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(events, swaps, [near_first, near_second], [highest_first, highest_second]) = self;
        for event in events {
            let [x, y] = event.outputs.map(|output| &swaps[output as usize]);
            let [not_x, not_y] = event
                .swapped
                .map(|swapped| u64::from(swapped).wrapping_sub(1));
            let of_draws = |word: usize| {
                let (x, y) = (x[word] ^ not_x, y[word] ^ not_y);
                (x & y, !(x | y))
            };
            // A word at a time, which compilers turn into vectors.
            if event.gain > 0.0 {
                let (mut first, mut second) = (Bits::default(), Bits::default());
                for word in 0..WORDS {
                    let (of_first, of_second) = of_draws(word);
                    first[word] = rise(near_first, word, of_first);
                    second[word] = rise(near_second, word, of_second);
                }
                highest_first.add_some(first);
                highest_second.add_some(second);
            } else {
                for word in 0..WORDS {
                    let (of_first, of_second) = of_draws(word);
                    fall(near_first, word, of_first);
                    fall(near_second, word, of_second);
                }
            }
        }
    }
}

/// How far the sum of each draw is below its highest so far: plane `p` has bit `p` of all distances.
struct Below {
    planes: Vec<Bits>,
    highest: Counter,
}

/// Distances, of which those from [`FAR`] on are `FAR - 1`, and what is added to them.
type Near = [Bits; NEAR];

impl Below {
    fn new(events: usize) -> Self {
        let planes = (usize::BITS - events.leading_zeros()) as usize;
        Self {
            planes: vec![Bits::default(); planes.max(NEAR)],
            highest: Counter::new(),
        }
    }

    fn far(&self) -> Bits {
        let planes = self.planes[NEAR - 1..].iter();
        planes.fold(Bits::default(), |far, &plane| zip(far, plane, |x, y| x | y))
    }

    fn near(&self) -> Near {
        let far = self.far();
        let mut near = Near::default();
        for (near, &plane) in near.iter_mut().zip(&self.planes[..NEAR - 1]) {
            *near = zip(plane, far, |x, y| x | y);
        }
        near
    }

    /// Takes over what was added to near distances.
    fn update(&mut self, near: &Near) {
        let far = self.far();
        // Where it is far: plus one, less `FAR`.
        let (mut carry, mut borrow) = (far, far);
        for (place, plane) in self.planes.iter_mut().enumerate() {
            let kept = zip(*plane, far, |x, y| x & y);
            let added = near.get(place).copied().unwrap_or_default();
            (*plane, carry) = sum(kept, added, carry);
            if place >= NEAR - 1 {
                let less = zip(*plane, borrow, |x, y| x ^ y);
                borrow = zip(*plane, borrow, |x, y| !x & y);
                *plane = less;
            }
        }
    }
}

/// Raises the sums of some draws; those that were at their highest are returned.
#[inline(always)]
fn rise(near: &mut Near, word: usize, draws: u64) -> u64 {
    let any = near.iter().fold(0, |any, plane| any | plane[word]);
    let mut borrow = draws & any;
    for plane in near {
        let distance = plane[word];
        plane[word] = distance ^ borrow;
        borrow &= !distance;
    }
    draws & !any
}

/// Lowers the sums of some draws.
#[inline(always)]
fn fall(near: &mut Near, word: usize, draws: u64) {
    let mut carry = draws;
    for plane in near {
        let distance = plane[word];
        plane[word] = distance ^ carry;
        carry &= distance;
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
        let bits = listed(swaps.iter().map(|bits| low_half(bits[word] >> shift)));
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
        for (most, &gained) in most.iter_mut().zip(&gained) {
            if gained > *most {
                *most = gained;
            }
        }
    }
    most
}
