// The questions above the charts, answered for the two systems that are chosen.

import { byId, contributionOf, direction, fixed, grouped, report, say, signed, visible } from "./data.js";
import { pairOf } from "./pair.js";
import { sayPart } from "./scores.js";

const ANSWERS = { why, where, even };

/** Whether a number is one, and more than 0 as it is written. */
const isShown = (value) => Number.isFinite(value) && Number(fixed(value)) !== 0;

/** Answer the questions for two systems, or say why there is no answer. */
export function answer() {
  for (const [name, answered] of Object.entries(ANSWERS)) {
    const place = byId(`answer-${name}`);
    if (place) {
      const alone = name === "why" ? "" : say`There is one system, so the charts show its score, not a difference.`;
      place.textContent = report.other === null ? alone : answered();
    }
  }
}

/** Name the largest part of the difference; others may oppose it. */
function why() {
  const { facts, one, other } = report;
  const { shares } = pairOf(one, other);
  const delta = shares?.reduce((sum, share) => sum + share, 0);
  if (!isShown(delta)) {
    return "";
  }
  const most = shares.reduce((best, share, at) => (share / delta > shares[best] / delta ? at : best), 0);
  return say`The largest part is ${sayPart(facts.pairs.parts[most])}, ${signed(shares[most])}; all parts add up to ${signed(delta)} ${visible(facts.metric)}.`;
}

/** Count the length groups in which A is better, and name the one with the largest difference. */
function where() {
  const { facts, one, other } = report;
  const scoresOf = (system) =>
    facts.charts.lengths.rows.filter((row) => row.system === facts.systems[system]);
  const theirs = scoresOf(other);
  const gaps = scoresOf(one)
    .map(({ group, score }, at) => [group, score === null || theirs[at].score === null ? Number.NaN : score - theirs[at].score])
    .filter(([, gap]) => Number.isFinite(gap));
  if (gaps.length < 2) {
    return "";
  }
  const [group, gap] = gaps.reduce((best, each) => (Math.abs(each[1]) > Math.abs(best[1]) ? each : best));
  if (!isShown(gap)) {
    return say`The two are equal in all groups by length.`;
  }
  const ahead = gaps.filter(([, each]) => direction() * each > 0).length;
  return say`A is better in ${ahead} of ${gaps.length} groups by length; the difference is largest at ${group} tokens, ${signed(gap)}.`;
}

/** Say how few segments add up to half of what favors A. */
function even() {
  const { segments } = report.facts;
  const gains = [...Array(segments).keys()]
    .map((segment) => direction() * contributionOf(segment))
    .filter((gain) => gain > 0)
    .toSorted((a, b) => b - a);
  const half = gains.reduce((sum, gain) => sum + gain, 0) / 2;
  let [sum, many] = [0, 0];
  while (sum < half) {
    sum += gains[many];
    many += 1;
  }
  return many ? say`Half of what favors A comes from ${grouped(many)} of ${grouped(segments)} segments.` : "";
}
