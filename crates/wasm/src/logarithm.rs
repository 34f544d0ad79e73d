//! The natural logarithm and the exponential, for the core.
//!
//! Those of Rust for WebAssembly are not always the exact ones, rounded, and a unit in the last place
//! of a logarithm moves a score by several. So the logarithm is computed as a sum of two floats and
//! rounded once, and the exponential is corrected by what its logarithm lacks.

/// The exponential of a number.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub fn truebleu_exp(number: f64) -> f64 {
    corrected(number, number.exp())
}

/// The exponential of a number, by a step of Newton's method from one that is nearly right.
fn corrected(number: f64, exponential: f64) -> f64 {
    if !exponential.is_normal() {
        return exponential;
    }
    let (high, low) = parts(exponential);
    exponential + exponential * ((number - high) - low)
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

/// The natural logarithm of a number.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "truebleu_ln"))]
pub fn rounded(number: f64) -> f64 {
    if !number.is_normal() || number < 0.0 {
        return number.ln();
    }
    let (high, low) = parts(number);
    high + low
}

/// The logarithm of a normal positive number, within 2⁻⁷⁰.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]
fn parts(number: f64) -> Double {
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
    (third, low + lower + lowest + rest)
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

    /// Numbers and what is nearest to their exponentials: seven at random, and those for which a
    /// float and the middle to the next one are hardest to tell apart, among some thousands.
    const EXPONENTIALS: [(f64, f64); 15] = [
        (1.879_973_661_063_761, 6.553_332_252_117_634),
        (2.982_275_331_943_268, 19.732_663_964_788_96),
        (1.504_395_548_784_419, 4.501_431_911_807_382),
        (2.578_730_268_939_123, 13.180_391_977_246_21),
        (1.870_446_070_130_990_6, 6.491_191_280_123_382),
        (-1.903_341_557_481_071_3, 0.149_069_661_196_880_64),
        (-3.624_651_612_590_308_8, 0.026_658_383_163_785_87),
        (-2.454_752_221_197_804, 0.085_884_473_156_860_54),
        (4.121_576_339_135_966, 61.656_357_029_983_54),
        (3.327_329_062_846_054_3, 27.863_819_714_438_762),
        (3.360_268_684_100_595_3, 28.796_927_116_356_35),
        (2.184_820_654_478_452, 8.889_054_198_344_157),
        (1.447_741_233_255_995, 4.253_496_000_955_577),
        (1.758_230_717_257_874_6, 5.802_162_641_382_893_5),
        (-249.228_675_770_259_49, 5.772_465_964_545_49e-109),
    ];

    /// The same of logarithms.
    const LOGARITHMS: [(f64, f64); 12] = [
        (87.804_878_048_780_5, 4.475_117_057_739_894),
        (10.416_666_666_666_666, 2.343_407_087_514_300_7),
        (5.935_851_768_016_11e+223, 515.257_486_271_530_1),
        (27.213_472_020_515_216, 3.303_712_145_555_816),
        (90.982_229_839_061_22, 4.510_664_210_954_08),
        (93.75, 4.540_631_664_850_52),
        (37.206_174_384_834_45, 3.616_474_725_593_209_7),
        (83.530_484_016_057_84, 4.425_211_643_268_66),
        (27.637_078_829_104_865, 3.319_158_306_957_719_5),
        (71.987_119_104_228_24, 4.276_487_201_681_141),
        (63.060_523_863_458_14, 4.144_094_961_463_604),
        (96.639_692_996_720_07, 4.570_989_557_409_108),
    ];

    /// The nearest float is found, from any that is a few units away.
    #[test]
    fn they_are_rounded_once() {
        for (number, nearest) in EXPONENTIALS {
            for bits in nearest.to_bits() - 4..nearest.to_bits() + 5 {
                assert_eq!(corrected(number, f64::from_bits(bits)), nearest, "{number}");
            }
        }
        for (number, nearest) in LOGARITHMS {
            assert_eq!(rounded(number), nearest, "{number}");
        }
        for number in [
            0.0,
            -0.0,
            709.782_712_893_383_9,
            710.0,
            -708.5,
            -740.0,
            -1e9,
            f64::NAN,
        ] {
            let exponential = number.exp();
            assert!(
                corrected(number, exponential)
                    .total_cmp(&exponential)
                    .is_eq(),
                "{number}"
            );
        }
        for number in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(corrected(number, number.exp()), number.exp());
        }
    }

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
