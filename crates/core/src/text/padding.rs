//! Padded rows of token ids.

use crate::memory::{extend, reserve};

/// Number of ids that are compared at once.
const BLOCK: usize = 16;

/// Appends the ids of a row that come before `end` and are none of `pads`, which differ.
pub fn push_unpadded<T: Copy + PartialEq>(
    row: &[T],
    pads: &[T],
    end: Option<T>,
    values: &mut Vec<T>,
) {
    let length = end.and_then(|end| position(row, end));
    let row = &row[..length.unwrap_or(row.len())];
    // Padding is at one end of nearly all rows, so that what is left is copied at once.
    let is_id = |id: &T| !pads.contains(id);
    let padding = |ids: &[T]| pads.iter().map(|&pad| count(ids, pad)).sum::<usize>();
    let row = &row[row.iter().position(is_id).unwrap_or(row.len())..];
    let mut stop = row.len();
    while stop >= BLOCK && padding(&row[stop - BLOCK..stop]) == BLOCK {
        stop -= BLOCK;
    }
    let last = row[..stop].iter().rposition(is_id);
    let row = &row[..last.map_or(0, |last| last + 1)];
    if padding(row) == 0 {
        extend(values, row);
    } else {
        reserve(values, row.len());
        values.extend(row.iter().copied().filter(is_id));
    }
}

/// The position of the first id that equals this one.
fn position<T: Copy + PartialEq>(row: &[T], id: T) -> Option<usize> {
    let mut start = 0;
    while row
        .get(start..start + BLOCK)
        .is_some_and(|block| count(block, id) == 0)
    {
        start += BLOCK;
    }
    row[start..]
        .iter()
        .position(|&other| other == id)
        .map(|place| start + place)
}

/// How many ids equal this one, without a branch for each.
fn count<T: Copy + PartialEq>(row: &[T], id: T) -> usize {
    row.iter().map(|&other| usize::from(other == id)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &[u32]) {
        for (pads, end) in [
            (&[][..], None),
            (&[0], None),
            (&[], Some(3)),
            (&[0], Some(3)),
            (&[0, 1], None),
            (&[2, 0], Some(3)),
        ] {
            let before = row.iter().copied().take_while(|&id| Some(id) != end);
            let expected: Vec<u32> = before.filter(|id| !pads.contains(id)).collect();
            let mut values = Vec::new();
            push_unpadded(row, pads, end, &mut values);
            assert_eq!(values, expected, "{row:?}");
        }
    }

    /// All rows of five ids from 0 to 3, where 0 may be padding and 3 the end; alone, and in longer
    /// rows, which begin with padding or with ids.
    #[test]
    fn ids_before_the_end_are_kept_unless_they_are_padding() {
        for number in 0..4_u32.pow(5) {
            let ids: Vec<u32> = (0..5).map(|place| number / 4_u32.pow(place) % 4).collect();
            for [before, after] in [[0, 0], [0, 40], [40, 0], [17, 16]] {
                for first in 0..2 {
                    check(&[vec![first; before], ids.clone(), vec![0; after]].concat());
                }
            }
        }
    }
}
