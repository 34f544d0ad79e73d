// Scales of charts: from values to pixels, and the round numbers on an axis.

/** Return the distance between about `count` round numbers in a range, as a fraction of integers. */
function stepOf(low, high, count) {
  const rough = (high - low) / count;
  const power = Math.floor(Math.log10(rough));
  const part = rough / 10 ** power;
  const digit = part >= Math.sqrt(50) ? 10 : part >= Math.sqrt(10) ? 5 : part >= Math.sqrt(2) ? 2 : 1;
  // Whole numbers divided by whole numbers have no error of floats.
  return power < 0 ? { times: 1, by: 10 ** -power / digit, power } : { times: digit * 10 ** power, by: 1, power };
}

/** Return round numbers in a range, at least `least` apart, and how to write them. */
export function ticksOf([low, high], count, least = 0) {
  if (!(high > low)) {
    return { values: [low], write: (value) => numeral(value, 0, 6) };
  }
  let { times, by, power } = stepOf(low, high, Math.max(1, count));
  if (times / by < least) {
    [times, by, power] = [least, 1, 0];
  }
  const [first, last] = [Math.ceil((low * by) / times - 1e-9), Math.floor((high * by) / times + 1e-9)];
  const values = Array.from({ length: last - first + 1 }, (_, at) => ((first + at) * times) / by);
  const decimals = Math.max(0, by > 1 ? Math.ceil(Math.log10(by) - 1e-9) : -power);
  return { values, write: (value) => numeral(value, decimals) };
}

/** Write a number of an axis. */
export const numeral = (value, least, most = least) =>
  value
    .toLocaleString("en", { minimumFractionDigits: least, maximumFractionDigits: most })
    .replace(/^-(?=[0.,]*$)/, "")
    .replace("-", "−");

/** Widen a range to round numbers. */
export function niceRange([low, high]) {
  let [start, end, before] = [low, high, null];
  for (let round = 0; round < 10 && end > start; round++) {
    const { times, by } = stepOf(start, end, 10);
    if (times / by === before) {
      break;
    }
    before = times / by;
    start = (Math.floor((start * by) / times) * times) / by;
    end = (Math.ceil((end * by) / times) * times) / by;
  }
  return [start, end];
}

const bendOf = ({ type, constant }) =>
  type === "symlog" ? (value) => Math.sign(value) * Math.log1p(Math.abs(value) / constant) : (value) => value;

/** Return a function from numbers to pixels. */
export function numeric(scale, domain, [start, end]) {
  const bend = bendOf(scale);
  const [low, high] = domain.map(bend);
  return (value) => start + (end - start) * (high === low ? 0.5 : (bend(value) - low) / (high - low));
}

/** Return a function from values to the middle of their places, which are equally wide. */
export function discrete(values, [start, end]) {
  const step = (end - start) / values.length;
  const places = new Map(values.map((value, at) => [value, start + (at + 0.5) * step]));
  return Object.assign((value) => places.get(value) ?? Number.NaN, { step: Math.abs(step) });
}

/** Return the values of an axis without numbers: in the order of the rows, or in that given. */
export function placesOf(rows, { field, sort }) {
  const values = [...new Set(rows.map((row) => row[field]))];
  return sort ? values.toSorted((a, b) => sort.indexOf(a) - sort.indexOf(b)) : values;
}
