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
const NAME = 14; // Pixels that a name takes of the height.

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
  const rows = facts.charts[name].rows.map((row) => ({
    ...row,
    role: roleOf(row.system),
    number: report.facts.systems.indexOf(row.system),
    system: visible(row.system),
  }));
  const { layer, height } = facts.charts[name].spec;
  if (layer.some((each) => each.encoding.opacity?.scale === null)) {
    nameFew(rows, layer, height);
  }
  return rows;
}

/** Place the names of A and B, of the best and of the worst, and hide those of many others. */
function nameFew(rows, layers, height) {
  const { scores } = report.facts;
  const ranked = [...scores.keys()].toSorted((a, b) => direction() * (scores[b] - scores[a]));
  const few = [report.one, report.other, ranked[0], ranked.at(-1)];
  const { field, scale } = layers.find((layer) => layer.mark.type === "line").encoding.y;
  const [low, high] = scale.domain;
  // Where all lines end at one point, names are a list.
  const isListed = !layers.some((layer) => layer.mark.type === "rule");
  const last = new Map(rows.filter((row) => row[field] !== null).map((row) => [row.number, row]));
  const gap = (NAME * (high - low)) / height;
  const listed = high - gap * (new Set(few).size + 0.5);
  for (const row of last.values()) {
    row.name = isListed ? listed : row[field];
    row.shown = 0;
  }
  const shown = ranked.toReversed().filter((system) => few.includes(system) && last.has(system));
  const kept = shown.map((system) => last.get(system)).toSorted((a, b) => a.name - b.name);
  let [below, above] = [low - gap / 2, high + gap / 2];
  for (const row of kept) {
    row.shown = 1;
    below = row.name = Math.max(isListed ? high : row.name, below + gap);
  }
  for (const row of kept.toReversed()) {
    above = row.name = Math.min(row.name, above - gap);
  }
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
