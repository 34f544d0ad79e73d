// The rows of each chart for the systems that have been chosen, and where a row leads to.

import {
  contributionOf,
  direction,
  openSegment,
  report,
  say,
  valueOf,
  visible,
} from "./data.js";
import { filterBy } from "./table.js";

const ROLES = ["A", "B", "others"];

const roleOf = (system) => {
  if (system === report.facts.systems[report.one]) {
    return ROLES[0];
  }
  return system === report.facts.systems[report.other] ? ROLES[1] : say(ROLES[2]);
};

/** Return the rows of a chart for the systems that have been chosen. */
export function rowsOf(name) {
  const { facts, one, other } = report;
  const every = [...Array(facts.segments).keys()];
  if (name === "segments") {
    return every.map((segment) => ({
      segment: segment + 1,
      one: valueOf("sentence", one, segment),
      other: valueOf("sentence", other, segment),
    }));
  }
  if (name === "influence") {
    const points = every.map((segment) => contributionOf(segment));
    const order = every
      .filter((segment) => Number.isFinite(points[segment]))
      .toSorted((a, b) => direction() * (points[b] - points[a]) || a - b);
    const ends = [...order.slice(0, facts.most), ...order.slice(-facts.most).toReversed()];
    // Bars to the right favor A, also where lower scores are better: then they show B - A.
    const sign = other === null ? 1 : direction();
    return [...new Set(ends)]
      .filter((segment) => points[segment])
      .map((segment) => ({
        segment: segment + 1,
        contribution: sign * points[segment],
        side: ROLES[sign * points[segment] > 0 ? 0 : 1],
      }));
  }
  if (name === "ngrams") {
    return gains();
  }
  return facts.charts[name].rows.map((row) => ({
    ...row,
    role: roleOf(row.system),
    number: report.facts.systems.indexOf(row.system),
    system: visible(row.system),
  }));
}

function gains() {
  const { texts, textOrders, counts, worth, most } = report.facts.ngrams;
  const { one } = report;
  // Without another system, one that matches everything.
  const other = report.other ?? report.facts.systems.length;
  const points = texts.map((text, index) => ({
    text,
    order: textOrders[index],
    one: counts[index][one],
    other: counts[index][other],
    gain: (counts[index][one] - counts[index][other]) * worth[textOrders[index] - 1],
  }));
  return [1, -1].flatMap((sign) =>
    points
      .filter((point) => sign * point.gain > 0)
      .toSorted((a, b) => sign * (b.gain - a.gain) || b.order - a.order)
      .slice(0, most)
      // The longest bars are at the outer ends.
      .toSorted((a, b) => sign * (b.one - b.other - a.one + a.other) || b.order - a.order)
      .map((point) => ({
        ngram: visible(point.text.join(" ")),
        key: point.text.join(report.facts.separator),
        order: point.order,
        one: point.one,
        other: point.other,
        more: point.one - point.other,
        missed: point.other - point.one,
        side: ROLES[sign > 0 ? 0 : 1],
      })),
  );
}

/** Return what a click on a row of a chart does: it leads to the segments behind it. */
export function actionOf(name, row) {
  if (row.segment) {
    return () => openSegment(Number(row.segment) - 1);
  }
  if (name === "lengths" && row.group) {
    const [shortest, longest] = row.group.split(/[-+]/);
    return () => filterBy({ shortest, longest });
  }
  if ((name === "documents" || name === "domains") && row.place !== undefined) {
    return () => filterBy({ [name.slice(0, -1)]: String(row.place) });
  }
  if (name === "ngrams" && row.key) {
    return () => filterBy({}, { gram: row.key });
  }
  if (name === "sentences" && row.number !== undefined) {
    return () => filterBy({}, { bin: `${row.number}:${row.from}:${row.to}` });
  }
  return null;
}
