// What each chart shows of the two systems that are chosen, in a sentence: its title.

import { contributionOf, counted, difference, direction, fixed, grouped, report, say, signed } from "./data.js";

const largest = (items, size) =>
  items.reduce((best, each) => (size(each) > size(best ?? each) || !best ? each : best), null);

const FINDINGS = { documents: ofGroups, domains: ofGroups, frequency: ofLines, length: ofGroups, ngrams, pair, precision: ofLines };

/** Return the finding of a chart; nothing where there is none, or only one system. */
export const findingOf = (name, rows) => (report.other === null ? "" : FINDINGS[name](rows, name));

/** Name the group with the largest difference, of those whose intervals exclude 0. */
function ofGroups(rows, name) {
  const { facts } = report;
  const sure = rows.filter(({ side }) => side !== "others");
  const most = largest(sure, ({ value }) => Math.abs(value));
  if (!most) {
    return facts.pairs.confidence ? say`In no group does the interval of A − B exclude 0` : "";
  }
  const gap = say`${signed(most.value)} (${facts.pairs.confidence} CI ${signed(most.low)} to ${signed(most.high)})`;
  return name === "length"
    ? say`A − B is largest at ${most.group} tokens: ${gap}`
    : say`A − B is largest in ${most.group}: ${gap}`;
}

/** Name the order, or the frequency, at which two lines are furthest apart. */
function ofLines(rows, name) {
  const [place, value] = name === "precision" ? ["order", "precision"] : ["frequency", "share"];
  const gaps = new Map();
  for (const row of rows) {
    if (row[value] !== null && ["A", "B"].includes(row.role)) {
      gaps.set(row[place], (gaps.get(row[place]) ?? 0) + (row.role === "A" ? row[value] : -row[value]));
    }
  }
  const most = largest([...gaps], ([, gap]) => Math.abs(gap));
  if (!most || !Number(fixed(most[1]))) {
    return "";
  }
  const [at, points] = [String(most[0]), signed(most[1])];
  return name === "precision"
    ? say`The precisions differ most at order ${at}: ${points} points`
    : say`Matches differ most for words that occur ${at} times: ${points} points`;
}

/** Name the n-gram that each of the two gains most from. */
function ngrams(rows) {
  const of = (side) => rows.find((row) => row.side === side);
  const [one, other] = [of("A"), of("B")];
  const said = (row) => `“${row.ngram}” ${signed(row.more, 0)}`;
  if (!one && !other) {
    return say`No n-gram stands out`;
  }
  return say`A − B in matches: ${[one, other].filter(Boolean).map(said).join(", ")}`;
}

/** Say in how many segments each is better, and how few make half of what A gains. */
function pair(rows) {
  const up = direction();
  const better = (sign) => rows.filter(({ segment }) => sign * up * difference(segment - 1) > 0).length;
  const gains = rows.map(({ segment }) => up * contributionOf(segment - 1)).filter((gain) => gain > 0).toSorted((a, b) => b - a);
  const half = gains.reduce((sum, gain) => sum + gain, 0) / 2;
  let [sum, many] = [0, 0];
  while (sum < half) {
    sum += gains[many];
    many += 1;
  }
  const votes = say`A is better in ${grouped(better(1))}, B in ${grouped(better(-1))} of ${counted(rows.length, "segment")}`;
  return many ? say`${votes}; ${grouped(many)} account for half of A’s gains` : votes;
}
