//! Rows from other processes: any table is either refused with a reason, or adds up and has a score.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::count::Whitespace;
use truebleu_core::count::rows::{add_groups, add_rows, check_counts};
use truebleu_core::error::{Error, Field, catch_panic, unwind};
use truebleu_core::metric::bleu_row::{self, row_width};
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::{self, ChrfFormula};
use truebleu_core::metric::ter::Ter;
use truebleu_core::metric::{Metric, Scope, bleu_formula};
use truebleu_core::tokenize::Preprocessing;

fuzz_target!(|data: &[u8]| {
    let &[orders, size, ref data @ ..] = data else {
        return;
    };
    // Counts of any size, few of which contradict each other: a byte says how large each is.
    let mut numbers = data.iter();
    let mut table = Vec::new();
    while let Some(&byte) = numbers.next() {
        let extremes = [i64::MIN, i64::MAX, i64::MAX / 2, -1];
        table.push(match byte {
            252.. => extremes[usize::from(byte - 252)],
            250.. => i64::from(*numbers.next().unwrap_or(&1)) << 40,
            _ => i64::from(byte),
        });
    }
    let orders = usize::from(orders % 8) + 1;
    let chrf = Chrf {
        preprocessing: Preprocessing::default(),
        whitespace: Whitespace::Removed,
        formula: ChrfFormula {
            char_order: orders,
            word_order: usize::from(size % 3),
            squared_beta: 4.0,
            eps_smoothing: size >= 128,
        },
    };
    examine(&chrf, &table);
    examine(&Ter::default(), &table);
    let width = row_width(orders);
    for phantom in [false, true] {
        // A table of another size is refused.
        let accepted = bleu_row::check_rows(&table, width, phantom).is_ok();
        if accepted && let Ok(sum) = add_rows(&table, width) {
            let row = bleu_row::Row::new(&sum);
            #[expect(clippy::cast_precision_loss, reason = "only a sign is asked for")]
            let penalty = bleu_formula::brevity_penalty(row.hyp_len as f64, row.ref_len as f64);
            assert!((0.0..=1.0).contains(&penalty), "{sum:?}");
        }
    }
    let number = |place: usize| usize::from(*data.get(place).unwrap_or(&7));
    said([0, 1, 2].map(number));
});

/// What an error says has its numbers; those of segments are shifted, and the earliest comes first.
fn said([segment, more, number]: [usize; 3]) {
    let long = Error::TooLong { segment };
    let many = Error::TooManyReferences {
        segment,
        references: number,
        most: 16,
    };
    for error in [&long, &many] {
        let later = error.clone().after(more);
        assert!(
            later
                .to_string()
                .contains(&format!("segment {} ", segment + more))
        );
        let earlier = later.clone().or_earlier(error.clone());
        assert_eq!(earlier, if more == 0 { later } else { error.clone() });
        assert_eq!(Error::BadTable.or_earlier(error.clone()), *error);
    }
    let name = |column| format!("field {column}");
    let overflow = Error::Overflow(Field::Column(number));
    let (line, byte) = (segment as u64, more as u64);
    let others = [
        (overflow.clone(), format!("column {number} ")),
        (overflow.named(name), format!("field {number} ")),
        (
            Error::InvalidUtf8 { line, byte },
            format!("line {line}, byte {byte}:"),
        ),
        (
            Error::LongLine {
                line,
                longest: number,
            },
            format!("line {line} has more than {number} "),
        ),
        (Error::WrongType(name(number)), name(number)),
        (Error::BadColumn("it is odd"), "it is odd".to_owned()),
        (Error::BadTable, "shape".to_owned()),
        (Error::OutOfMemory(name(number)), name(number)),
        (Error::InvalidSetting(name(number)), name(number)),
        (
            Error::UnknownName {
                what: "name",
                name: name(number),
            },
            format!("{:?}", name(number)),
        ),
        (
            Error::ImpossibleRow {
                index: number,
                why: name(number),
            },
            format!("row {number} "),
        ),
        (
            std::io::Error::from_raw_os_error(2).into(),
            "No such file".to_owned(),
        ),
        (Error::Interrupted, "interrupted".to_owned()),
    ];
    for (error, part) in others {
        assert!(error.to_string().contains(&part), "{error}");
        // What has no segment stays as it is.
        assert_eq!(error.clone().after(more), error);
        assert_eq!(
            catch_panic(|| -> Result<(), _> { unwind(error.clone()) }),
            Err(error)
        );
    }
}

/// What is accepted adds up to what is accepted, in any grouping, and has a score.
fn examine<M: Metric>(metric: &M, table: &[i64]) {
    let width = metric.width();
    let fields: Vec<_> = (0..width).map(|column| metric.field(column)).collect();
    let table = &table[..table.len() / width * width];
    let accepted = |table: &[i64]| {
        check_counts(table, &fields).is_ok() && chrf_formula::check_rows(table, &fields).is_ok()
    };
    if !accepted(table) {
        for check in [check_counts, chrf_formula::check_rows] {
            match check(table, &fields) {
                Ok(()) => {}
                Err(Error::ImpossibleRow { index, .. }) => {
                    // It is the first.
                    let row = &table[index * width..][..width];
                    assert!(check(&table[..index * width], &fields).is_ok());
                    assert!(check(row, &fields).is_err());
                }
                Err(error) => panic!("{error}"),
            }
        }
        return;
    }
    let rows = table.len() / width;
    let groups: Vec<_> = (0..rows)
        .map(|row| (row % 3).try_into().unwrap_or(0))
        .collect();
    let sums = add_groups(table, width, &groups, 3);
    let sum = add_rows(table, width);
    if let Ok(sum) = &sum {
        assert!(accepted(sum), "{table:?}");
        let sums = sums.expect("parts are smaller than the whole");
        assert_eq!(Ok(sum), add_rows(&sums, width).as_ref());
        let score = metric.score(sum, Scope::Corpus);
        assert!(score >= 0.0 && !score.is_nan(), "{score} for {sum:?}");
    }
}
