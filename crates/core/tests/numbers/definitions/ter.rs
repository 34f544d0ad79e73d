//! The edits of TER by definition: shifts are chosen greedily, and each edit costs 1 (Snover et al.
//! 2006). The bounds of the search are those of Tercom as in sacreBLEU.

/// Maximum number of words that are shifted at once.
const LONGEST_SHIFT: usize = 10;
/// Maximum distance of a block from the same words in the reference.
const FARTHEST_SHIFT: usize = 50;
/// Number of shifts after which no more are tried.
const MOST_CANDIDATES: usize = 1000;
/// How far from the diagonal words are aligned.
const BEAM: usize = 25;

/// Numbers of insertions, deletions, substitutions and shifts.
pub fn edits<T: Clone + PartialEq>(hypothesis: &[T], reference: &[T]) -> [i64; 4] {
    let mut words = hypothesis.to_vec();
    if reference.is_empty() {
        return [0, as_count(words.len()), 0, 0];
    }
    let (mut shifts, mut checked) = (0, 0);
    loop {
        let (gain, shifted) = best_shift(&words, reference, &mut checked);
        if checked >= MOST_CANDIDATES || gain <= 0 {
            break;
        }
        words = shifted;
        shifts += 1;
    }
    let (_, path) = alignment(&words, reference);
    let of = |step| as_count(path.iter().filter(|&&each| each == step).count());
    [of('i'), of('d'), of('s'), shifts]
}

/// The cost of an alignment, and its steps: match, substitution, deletion or insertion.
///
/// Only cells near the diagonal are visited. Of equal paths, that with a match or substitution is
/// preferred, then that with a deletion.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "texts are short"
)]
fn alignment<T: PartialEq>(own: &[T], other: &[T]) -> (i64, Vec<char>) {
    const FAR: i64 = 1 << 40;
    let (height, width) = (own.len(), other.len());
    let slope = if height == 0 {
        1.0
    } else {
        width as f64 / height as f64
    };
    let beam = if slope / 2.0 > BEAM as f64 {
        (slope / 2.0 + BEAM as f64).ceil() as usize
    } else {
        BEAM
    };
    let mut cells = vec![vec![(FAR, ' '); width + 1]; height + 1];
    for (cost, cell) in (0..).zip(&mut cells[0]) {
        *cell = (cost, 'i');
    }
    for row in 1..=height {
        let middle = (row as f64 * slope).floor() as usize;
        let end = if row == height {
            width + 1
        } else {
            (width + 1).min(middle + beam)
        };
        for column in middle.saturating_sub(beam)..end {
            let mut found = (FAR, ' ');
            let mut offer = |cost: i64, step| {
                if cost < found.0 {
                    found = (cost, step);
                }
            };
            if column > 0 && own[row - 1] == other[column - 1] {
                offer(cells[row - 1][column - 1].0, 'm');
            } else if column > 0 {
                offer(cells[row - 1][column - 1].0 + 1, 's');
            }
            offer(cells[row - 1][column].0 + 1, 'd');
            if column > 0 {
                offer(cells[row][column - 1].0 + 1, 'i');
            }
            cells[row][column] = found;
        }
    }
    let (mut row, mut column, mut path) = (height, width, Vec::new());
    while (row, column) != (0, 0) {
        let step = cells[row][column].1;
        path.push(step);
        row -= usize::from(step != 'i');
        column -= usize::from(step != 'd');
    }
    path.reverse();
    (cells[height][width].0, path)
}

/// The best shift of a block: its gain, and the words after it. Of equal ones, the longest is
/// preferred, then the first, then the one with the first target.
fn best_shift<T: Clone + PartialEq>(own: &[T], other: &[T], checked: &mut usize) -> (i64, Vec<T>) {
    let (cost, path) = alignment(own, other);
    let (mut wrong_own, mut wrong_other, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for &step in &path {
        if step != 'i' {
            wrong_own.push(step != 'm');
        }
        if step != 'd' {
            wrong_other.push(step != 'm');
            // How many words of the hypothesis there are up to here.
            ends.push(wrong_own.len());
        }
    }
    let mut best = (0, 0, 0, 0);
    let mut result = own.to_vec();
    for start in 0..own.len() {
        for place in 0..other.len() {
            if place.abs_diff(start) > FARTHEST_SHIFT {
                continue;
            }
            for length in 1..=LONGEST_SHIFT {
                let (Some(block), Some(same)) = (
                    own.get(start..start + length),
                    other.get(place..place + length),
                ) else {
                    break;
                };
                if block != same {
                    break;
                }
                let there = ends[place] > start && ends[place] <= start + length;
                if there
                    || !wrong_own[start..start + length].contains(&true)
                    || !wrong_other[place..place + length].contains(&true)
                {
                    continue;
                }
                let mut last = None;
                for next in place..=place + length {
                    let target = if next == 0 { 0 } else { ends[next - 1] };
                    if last == Some(target) {
                        continue;
                    }
                    last = Some(target);
                    let moved = shifted(own, start, length, target);
                    let gain = cost - alignment(&moved, other).0;
                    *checked += 1;
                    let [length, start, target] = [length, start, target].map(as_count);
                    let order = (gain, length, -start, -target);
                    if order > best {
                        (best, result) = (order, moved);
                    }
                }
                if *checked >= MOST_CANDIDATES {
                    return (best.0, result);
                }
            }
        }
    }
    (best.0, result)
}

/// The words after a block is moved to before the word at `target`, counted before the block is
/// taken out. A target within the block moves it to the right, by as many words.
fn shifted<T: Clone>(own: &[T], start: usize, length: usize, target: usize) -> Vec<T> {
    let mut rest = own.to_vec();
    let block: Vec<_> = rest.drain(start..start + length).collect();
    let at = if target > start + length {
        target - length
    } else {
        target
    };
    let at = at.min(rest.len());
    rest.splice(at..at, block);
    rest
}

fn as_count(number: usize) -> i64 {
    i64::try_from(number).expect("short")
}
