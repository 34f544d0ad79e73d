// Scores of segments together, and what a segment has to do with a part of a difference.

import { counted, fixed, report, say, signed, valueOf, visible } from "./data.js";

const field = (name, system, segment) => valueOf(`row.${name}`, system, segment);

/** Add up a field over segments; rows add. */
export function total(name, system, segments) {
  const column = report.numbers[`row.${name}`];
  const first = system * report.facts.segments;
  return segments.reduce((sum, segment) => sum + column[first + segment], 0);
}

/** Score segments together; undefined if that takes more than a page knows. */
export function scoreOf(system, segments) {
  const { formula } = report.facts;
  const sum = (name) => total(name, system, segments);
  const points = () => segments.map((segment) => valueOf("sentence", system, segment));
  return formula ? FORMULAS[formula.kind](sum, formula, points) : undefined;
}

const FORMULAS = {
  bleu(sum, { weights }) {
    const tokens = sum("hyp_len");
    const expected = sum("ref_len");
    const precisions = weights.map((_, order) => sum(`match_${order + 1}`) / sum(`total_${order + 1}`));
    if (weights.some((weight, order) => weight && !(precisions[order] > 0))) {
      return undefined; // Smoothing decides.
    }
    const penalty = tokens >= expected ? 0 : 1 - expected / tokens;
    const logs = weights.map((weight, order) => (weight ? weight * Math.log(precisions[order]) : 0));
    return 100 * Math.exp(penalty + logs.reduce((all, each) => all + each, 0));
  },
  chrf(sum, { squaredBeta }) {
    const { precision, recall } = averages(report.facts.orders, sum);
    const below = squaredBeta * precision + recall;
    return below ? (100 * (1 + squaredBeta) * precision * recall) / below : 0;
  },
  mean(_, __, points) {
    const known = points().filter(Number.isFinite);
    return known.reduce((all, each) => all + each, 0) / known.length;
  },
  ter(sum, { kinds, length }) {
    const edits = kinds.reduce((all, kind) => all + sum(kind), 0);
    const words = sum(length);
    return words ? (100 * edits) / words : edits ? 100 : 0;
  },
};

/** Average precision and recall over the orders that both sides have. */
function averages(orders, sum) {
  let [precision, recall, known] = [0, 0, 0];
  for (const order of orders) {
    const [hypothesis, reference, match] = ["hyp", "ref", "match"].map((name) => sum(`${order}_${name}`));
    if (hypothesis && reference) {
      precision += match / hypothesis;
      recall += match / reference;
      known += 1;
    }
  }
  return known ? { precision: precision / known, recall: recall / known } : { precision: 0, recall: 0 };
}

/** Say how the systems that are chosen score on some segments. */
export function rescored(segments) {
  const { one, other, facts } = report;
  if (!segments.length || !facts.formula) {
    return "";
  }
  const first = scoreOf(one, segments);
  const second = other === null ? null : scoreOf(other, segments);
  if (first === undefined || second === undefined) {
    return say`An order has no match in these segments together, so their score depends on smoothing.`;
  }
  const metric = visible(facts.metric);
  const these = counted(segments.length, "segment");
  if (second === null) {
    return segments.length === 1 ? say`${metric} of this ${these}: ${fixed(first)}` : say`${metric} of these ${these}: ${fixed(first)}`;
  }
  const gap = signed(first - second);
  return say`${metric} of these ${these} as a corpus: A ${fixed(first)}, B ${fixed(second)}, A − B ${gap}`;
}

/** Return what is known of two systems, in this direction. */
export function pairOf(one, other) {
  const { rows } = report.facts.pairs;
  const row = rows.find(({ systems: [a, b] }) => a === one && b === other);
  if (row) {
    return row;
  }
  const back = rows.find(({ systems: [a, b] }) => a === other && b === one);
  return {
    ...back,
    systems: [one, other],
    interval: back.interval ? [-back.interval[1], -back.interval[0]] : null,
    shares: back.shares?.map((value) => (value === null ? null : -value)),
  };
}

/** Say the name of a part of the difference. */
export const sayPart = (part) => {
  const order = part.match(/^order (\d+)$/);
  return order ? say`order ${order[1]}` : say(part);
};

/** Return how a part of the difference shows in a segment: what is counted, and its values. */
export function partOf(part) {
  const { one, other } = report;
  const gap = (name) => (segment) => field(name, one, segment) - field(name, other, segment);
  const whole = (name, value) => ({ name, value, text: (s) => signed(value(s), 0) });
  const order = part.match(/^order (\d+)$/);
  if (order) {
    return whole(say`${order[1]}-gram matches, A − B`, gap(`match_${order[1]}`));
  }
  if (part === "brevity penalty") {
    return whole(say`tokens, A − B`, gap("hyp_len"));
  }
  if (part === "precision" || part === "recall") {
    const value = gap(part);
    return { name: `${say(part)}, A − B`, value, text: (s) => signed(value(s)) };
  }
  return whole(`${say(part)}, A − B`, gap(part));
}
