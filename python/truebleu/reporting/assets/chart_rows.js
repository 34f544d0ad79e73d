// The rows of each chart for the systems that have been chosen, and where a row leads to.

import { direction, openSegment, report, say, valueOf, visible } from "./data.js";
import { total } from "./scores.js";
import { filterBy } from "./list.js";

const ROLES = ["A", "B", "others"];

const roleOf = (system) => ROLES[[report.one, report.other].indexOf(system)] ?? say(ROLES[2]);

/** The segments that a chart of segments, or of their sums, shows: those in the list. */
const shownSegments = () => report.kept ?? [...Array(report.facts.segments).keys()];

const ROWS = {
  pair: () =>
    shownSegments().map((segment) => ({
      segment: segment + 1,
      one: valueOf("sentence", report.one, segment),
      other: valueOf("sentence", report.other, segment),
    })),
  precision() {
    const { facts } = report;
    const segments = shownSegments();
    const orders = Object.keys(report.numbers).filter((name) => name.startsWith("row.match_"));
    return facts.systems.flatMap((name, system) =>
      orders.map((_, index) => {
        const [match, all] = ["match", "total"].map((kind) => total(`${kind}_${index + 1}`, system, segments));
        return { system: visible(name), order: index + 1, precision: all ? (100 * match) / all : null, role: roleOf(system) };
      }),
    );
  },
  frequency: () =>
    report.facts.charts.frequency.rows.map((row) => ({
      ...row,
      role: roleOf(report.facts.systems.indexOf(row.system)),
      system: visible(row.system),
    })),
  ngrams: gains,
};

/** Return the rows of a chart for the systems that have been chosen. */
export const rowsOf = (name) => (ROWS[name] ?? groupRows)(name);

/** The difference in each group with its interval; of one system, its score. */
function groupRows(name) {
  const { facts, one, other, numbers } = report;
  const [high, low] = [Math.max(one, other ?? one), Math.min(one, other ?? one)];
  const pairs = (facts.systems.length * (facts.systems.length + 1)) / 2;
  return facts.charts[name].rows.map(({ scores, ...row }, at) => {
    const value = scores[one] === null || scores[other ?? one] === null ? null : scores[one] - (other === null ? 0 : scores[other]);
    const margin = numbers[`margin.${name}`][at * pairs + (high * (high + 1)) / 2 + low];
    const known = value !== null && Number.isFinite(margin);
    const [least, most] = known ? [value - margin, value + margin] : [null, null];
    const side = !known || (least <= 0 && most >= 0) ? 2 : Number(direction() * value < 0);
    return { group: row.group, segments: row.segments, value, low: least, high: most, place: row.place, side: ROLES[other === null ? 0 : side] };
  });
}

/** Whether one of two n-grams is in the other, and about as often matched by one system. */
function areNested(one, other) {
  const { separator, ngrams } = report.facts;
  const [short, long] = [one, other]
    .toSorted((a, b) => a.text.length - b.text.length)
    .map(({ text }) => `${separator}${text.join(separator)}${separator}`);
  const [few, many] = [one.more, other.more].map(Math.abs).toSorted((a, b) => a - b);
  return many <= ngrams.nested * few && long.includes(short);
}

/** The n-grams that one system matches more often, then those of the other; see `Gains.rows`. */
function gains() {
  const { texts, textOrders, counts, worth, most, weighed } = report.facts.ngrams;
  const { one } = report;
  // Without another system, one that matches everything.
  const other = report.other ?? report.facts.systems.length;
  const points = texts.map((text, index) => {
    const more = counts[index][one] - counts[index][other];
    return { text, index, order: textOrders[index], more, gain: more * worth[textOrders[index] - 1] };
  });
  return [1, -1].flatMap((sign) => {
    const best = points
      .filter((point) => sign * point.gain > 0)
      .toSorted((a, b) => sign * (b.gain - a.gain) || b.order - a.order || a.index - b.index);
    const least = sign * (best[weighed - 1]?.gain ?? 0);
    const apart = [];
    for (const point of best) {
      if (sign * point.gain > least && !apart.some((each) => areNested(each, point))) {
        apart.push(point);
      }
    }
    return apart
      .slice(0, most)
      .filter((point) => point.gain !== apart[most]?.gain)
      // The longest bars are at the outer ends.
      .toSorted((a, b) => sign * (b.more - a.more) || a.index - b.index)
      .map(({ text, index, order, more }) => ({
        ngram: visible(text.join(" ")),
        order,
        one: counts[index][one],
        other: counts[index][other],
        more,
        missed: -more,
        side: ROLES[sign > 0 ? 0 : 1],
      }));
  });
}

/** Return what a click on a row of a chart does: it leads to the segments behind it. */
export function actionOf(name, row) {
  if (name === "pair") {
    return () => openSegment(row.segment - 1);
  }
  if ("group" in row) {
    return () => filterBy({ [name.replace(/s$/, "")]: String(row.place) });
  }
  // Between spaces, only whole tokens are found.
  return name === "ngrams" ? () => filterBy({ search: ` ${row.ngram} ` }) : null;
}
