// What the page shows for several segments, and for two hypotheses.

import { sharesOf } from "./bleu_steps.js";
import { button, fixed, make, paragraph, said, state, table } from "./elements.js";

const signed = (value) => {
  const text = fixed(Math.abs(value));
  const sign = value < 0 ? "−" : "+";
  return Number(text) ? `${sign}${text}` : text;
};

const total = (values) => values.reduce((sum, value) => sum + value, 0);

/** The row of each segment, and their sum; the segment that is chosen is shown below. */
export function segmentsStep(metric, hypotheses, references, show) {
  const rows = metric.stats(hypotheses, references).map((row) => Array.from(row));
  const scores = metric.scores(rows, { segment: true });
  const body = rows.map((row, index) => {
    const press = () => {
      Object.assign(state, { segment: index, chosen: null });
      show(`#segments tbody tr:nth-child(${index + 1}) button`);
    };
    return [button(String(index + 1), index === state.segment, press), fixed(scores[index]), ...row.map(String)];
  });
  const sums = metric.fields.map((_, column) => total(rows.map((row) => row[column])));
  const header = [said("segment"), said("score"), ...metric.fields];
  return [paragraph("said", said("segmentsSaid")), table(header, [...body, [said("sum"), "", ...sums.map(String)]])];
}

/** For each part its name, its share of the difference, and both values; null if there are none. */
const PARTS = {
  bleu([one, other], { weights }) {
    const logs = [one, other].map((score) => {
      const shares = sharesOf(score, weights);
      const terms = score.precisions.map((precision, order) =>
        shares[order] && precision ? shares[order] * Math.log(precision / 100) : 0,
      );
      return [...terms, Math.log(score.brevityPenalty)];
    });
    // Some smoothings report other precisions than those that the mean is taken of.
    const known = [one, other].every(({ score }, index) => Math.abs(total(logs[index]) - Math.log(score / 100)) < 1e-9);
    const terms = logs[0].map((log, index) => log - logs[1][index]);
    const exponent = Math.abs(total(terms));
    const mean = Math.max(one.score, other.score) * (exponent ? Math.expm1(-exponent) / -exponent : 1);
    const values = (score) => [...score.precisions, score.brevityPenalty];
    const named = (_, index) => (index < one.precisions.length ? said("ngramsOf", index + 1) : said("penaltyStep"));
    return known ? terms.map((term, index) => [named(term, index), mean * term, values(one)[index], values(other)[index]]) : null;
  },
  chrf(scores, { beta }) {
    const f = (precision, recall) => {
      const below = beta ** 2 * precision + recall;
      return below ? ((1 + beta ** 2) * precision * recall) / below : 0;
    };
    const [[p, r], [q, s]] = scores.map(averages);
    const [mixed, swapped] = [f(p, s), f(q, r)];
    return [
      [said("precision"), (f(p, r) - swapped + mixed - f(q, s)) / 2, p, q],
      [said("recall"), (f(p, r) - mixed + swapped - f(q, s)) / 2, r, s],
    ];
  },
  ter([one, other]) {
    if (!one.refLen || !other.refLen) {
      return null;
    }
    const perEdit = 50 * (1 / one.refLen + 1 / other.refLen);
    const kinds = ["insertion", "deletion", "substitution", "shift"];
    const parts = kinds.map((kind) => {
      const [a, b] = [one[`${kind}s`], other[`${kind}s`]];
      return [said(kind), perEdit * (a - b), a, b];
    });
    const share = 50 * (one.edits + other.edits) * (1 / one.refLen - 1 / other.refLen);
    return share ? [...parts, [said("length"), share, one.refLen, other.refLen]] : parts;
  },
};

/** Precision and recall of chrF, in percent: means over the orders that both sides have. */
function averages({ matches, hypTotals, refTotals }) {
  const orders = matches.map((_, order) => order).filter((order) => hypTotals[order] && refTotals[order]);
  const mean = (totals) => total(orders.map((order) => (100 * matches[order]) / totals[order])) / (orders.length || 1);
  return [mean(hypTotals), mean(refTotals)];
}

/** The parts of the difference of two scores; they add up to it. */
export function differenceStep(name, scores, settings) {
  const delta = signed(scores[0].score - scores[1].score);
  const parts = scores.every(({ score }) => score || name !== "bleu") ? PARTS[name](scores, settings) : null;
  const rows = parts?.map(([part, share, ...values]) => [part, signed(share), ...values.map((value) => String(Number(fixed(value, 4))))]);
  const header = [said("part"), said("points"), "A", "B"];
  return {
    delta,
    parts: [
      paragraph("formula", "A − B = ", make("b", {}, delta)),
      paragraph("said", rows ? said("differenceSaid") : said("noParts")),
      ...(rows ? [table(header, rows)] : []),
    ],
  };
}
