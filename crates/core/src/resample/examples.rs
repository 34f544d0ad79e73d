//! Systems and a statistic that the tests of this folder share.

use super::units::Units;

/// Three systems of four units, in rows of two fields.
pub fn tables() -> Vec<Vec<i64>> {
    vec![
        vec![3, 7, 1, 5, 2, 9, 4, 4],
        vec![2, 7, 1, 5, 5, 9, 4, 4],
        vec![0, 7, 0, 5, 0, 9, 0, 4],
    ]
}

/// The same, side by side.
pub fn units() -> Units {
    Units::new(&tables(), 2).expect("whole rows")
}

/// The same with fields so large that their sums need 64 bits, and the same ratios.
pub fn wide_units() -> Units {
    let scaled: Vec<Vec<i64>> = tables()
        .into_iter()
        .map(|table| table.into_iter().map(|value| value << 32).collect())
        .collect();
    Units::new(&scaled, 2).expect("whole rows")
}

/// The first field divided by the second.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
pub fn ratio(row: &[i64]) -> f64 {
    row[0] as f64 / row[1] as f64
}
