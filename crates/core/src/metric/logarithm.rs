//! The natural logarithm.
//!
//! Scores are those of sacreBLEU to the last bit with the C library's logarithm, which is nearly
//! always the exact one, rounded. That of Rust for WebAssembly is not, and a unit in its last place
//! moves a score by several. There, a sum of two floats is computed, and rounded once.

/// The natural logarithm of a number.
#[inline(always)]
pub fn ln(number: f64) -> f64 {
    if cfg!(target_family = "wasm") {
        rounded(number)
    } else {
        number.ln()
    }
}

/// A sum of two floats, of which the second is below the last place of the first.
type Double = (f64, f64);

/// The two parts of ln 2; a multiple of the first by an exponent is exact.
const LN_2: Double = (0.693_147_180_559_890_3, 5.497_923_018_708_371e-14);

/// Numbers from about 1/√2 to √2 are multiplied by one of `FIRST/128` to `LAST/128`, which brings them
/// near 1.
const STEPS: usize = 128;
const FIRST: usize = 90;
const LAST: usize = 182;

/// The logarithms of the inverse factors.
static TABLE: [Double; LAST - FIRST + 1] = table();

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]
fn rounded(number: f64) -> f64 {
    if !number.is_normal() || number < 0.0 {
        return number.ln();
    }
    let bits = number.to_bits();
    let mut exponent = (bits >> 52) as f64 - 1023.0;
    let mut part = f64::from_bits(bits & (u64::MAX >> 12) | 1.0_f64.to_bits());
    if part > std::f64::consts::SQRT_2 {
        part /= 2.0;
        exponent += 1.0;
    }
    let step = (STEPS as f64 / part + 0.5) as usize;
    let factor = step as f64 / STEPS as f64;
    // Both products are exact, and so is the difference.
    let high = f64::from_bits(part.to_bits() & (u64::MAX << 27));
    let (a, b) = sum(high * factor - 1.0, (part - high) * factor);
    let (table, table_low) = TABLE[step - FIRST];
    let (square, square_low) = product(a, a);
    let series = a
        * a
        * a
        * (1.0 / 3.0 - a * (0.25 - a * (0.2 - a * (1.0 / 6.0 - a * (1.0 / 7.0 - a / 8.0)))));
    let (first, low) = sum(exponent * LN_2.0, table);
    let (second, lower) = sum(first, a);
    let (third, lowest) = sum(second, -0.5 * square);
    let rest = exponent * LN_2.1 + table_low + b - 0.5 * square_low - a * b + series;
    third + (low + lower + lowest + rest)
}

/// A sum, and what is lost in it.
const fn sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}

/// A product, and what is lost in it.
const fn product(a: f64, b: f64) -> Double {
    let (a_high, b_high) = (upper(a), upper(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    let product = a * b;
    let lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, lost)
}

/// A number with the upper half of its bits.
const fn upper(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & (u64::MAX << 27))
}

const fn times(a: Double, b: Double) -> Double {
    let (high, low) = product(a.0, b.0);
    sum(high, low + (a.0 * b.1 + a.1 * b.0))
}

/// A quotient of two numbers of which the first is as exact as it can be.
const fn over(a: Double, b: f64) -> Double {
    let high = a.0 / b;
    let (back, lost) = product(high, b);
    sum(high, ((a.0 - back) - lost + a.1) / b)
}

/// `ln(128/step)` for each step: twice the area hyperbolic tangent of `(128 − step)/(128 + step)`.
#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
const fn table() -> [Double; LAST - FIRST + 1] {
    let mut table = [(0.0, 0.0); LAST - FIRST + 1];
    let mut step = FIRST;
    while step <= LAST {
        let argument = over((STEPS as f64 - step as f64, 0.0), (STEPS + step) as f64);
        let square = times(argument, argument);
        let mut total: Double = (0.0, 0.0);
        let mut term = 45;
        // From the smallest term to the largest.
        while term > 0 {
            total = times(total, square);
            let inverse = over((1.0, 0.0), term as f64);
            let (high, low) = sum(inverse.0, total.0);
            total = sum(high, low + inverse.1 + total.1);
            term -= 2;
        }
        let (high, low) = times(total, argument);
        table[step - FIRST] = (2.0 * high, 2.0 * low);
        step += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It is that of the C library, or next to it, which it seldom is.
    #[test]
    fn it_is_the_other_one() {
        let mut unequal = 0;
        for index in 1..200_000_u32 {
            let number = f64::from(index) * 100.0 / f64::from(index % 977 + index / 1000 + 1);
            let apart = rounded(number).to_bits().abs_diff(number.ln().to_bits());
            assert!(apart <= 1, "{number}");
            unequal += apart;
        }
        assert!(unequal < 400, "{unequal}");
        for number in [
            1.0,
            100.0,
            0.5,
            2.0,
            1.0 + f64::EPSILON,
            1.0 - f64::EPSILON,
            1e-300,
            1e300,
        ] {
            assert_eq!(rounded(number), number.ln(), "{number}");
        }
        assert!(rounded(-1.0).is_nan() && rounded(f64::NAN).is_nan());
        assert_eq!(
            (rounded(0.0), rounded(f64::INFINITY)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
        assert_eq!(rounded(5e-324), 5e-324_f64.ln());
    }
}
