// BLEU of one segment, step by step: tokens, n-grams, precisions, their mean, brevity penalty.

import { chosenOf, fixed, legend, level, levelNames, line, named, ngramTable, paragraph, said, sides, table, within } from "./elements.js";

/** How each token of the hypothesis is marked. */
export function kindsOf({ highest, orders }) {
  const tooOften = new Set(
    orders[0].flatMap((each) => (each.referencePlaces.some((places) => places.length) ? each.places : [])),
  );
  return highest.map((order, index) => (!order && tooOften.has(index) ? "clipped" : level(order)));
}

function tokensStep({ explained, settings: { tokenizer } }, orders) {
  const gram = chosenOf(orders);
  const kinds = kindsOf(explained);
  const lit = (places, index) => (within(gram, places, index) ? ["lit"] : []);
  const own = line(
    explained.tokens.map((token) => token.text),
    (index) => [kinds[index], ...lit(gram?.places, index)],
  );
  const others = explained.references.map((tokens, number) => [
    said("referenceShort", number + 1),
    line(
      tokens.map((token) => token.text),
      (index) => lit(gram?.referencePlaces[number], index),
    ),
  ]);
  const names = { ...levelNames(explained.highest), clipped: said("clippedLegend"), missing: said("missingLegend") };
  const about = said("tokensSaid")[tokenizer] ?? said("tokensSaidOther", tokenizer);
  return [paragraph("said", about), sides([said("hypothesisShort"), own], ...others), legend(kinds, names)];
}

function precisionsStep({ score, settings: { smoothing } }) {
  const rows = score.counts.map((match, index) => {
    const total = score.totals[index];
    const value = score.precisions[index];
    const out = index >= score.orders;
    const plain = total ? (100 * match) / total : 0;
    const changed = value !== undefined && Math.abs(value - plain) > 1e-9;
    const text = out ? said("leftOut") : `${fixed(value)}%`;
    const note = changed && !out ? ` (${said("smoothedNote", smoothing, fixed(plain))})` : "";
    return [String(index + 1), String(match), String(total), text + note];
  });
  const header = [said("orderShort"), said("matches"), said("total"), said("precision")];
  return [paragraph("said", said("precisionsSaid")), table(header, rows)];
}

/** The mean that the score has: without the brevity penalty. */
const meanOf = (score) => (score.score ? score.score / (100 * score.brevityPenalty) : 0);

/** How much each order counts: those that are left out leave their weights to the others. */
export function sharesOf(score, weights) {
  const all = weights ?? score.precisions.map(() => 1 / score.precisions.length);
  const sum = (some) => some.reduce((before, weight) => before + weight, 0);
  const used = all.slice(0, score.orders);
  const [ofAll, ofUsed] = [sum(all), sum(used)];
  return used.map((weight) => (weight * ofAll) / ofUsed);
}

function meanStep({ score, settings: { weights } }) {
  const used = score.precisions.slice(0, score.orders);
  const shares = weights && sharesOf(score, weights).map((share) => `${Number(fixed(share, 4))} · `);
  const logs = used.map((precision, index) => `${shares?.[index] ?? ""}ln ${fixed(precision / 100, 4)}`);
  const weight = score.orders === 1 || weights ? "" : `1/${score.orders} · `;
  const mean = meanOf(score);
  const formula = mean ? `exp(${weight}(${logs.join(" + ")})) = ${fixed(mean, 4)}` : said("meanZero");
  return [paragraph("said", said("meanSaid")), paragraph("formula", formula)];
}

function penaltyStep({ score, explained, settings, corpus }) {
  const [c, r] = [score.hypLen, score.refLen];
  let formula = said("noPenalty", c, r);
  if (!c && r) {
    formula = said("noTokens");
  } else if (c < r) {
    formula = `c = ${c}, r = ${r}: BP = exp(1 − ${r}/${c}) = ${fixed(score.brevityPenalty, 4)}`;
  }
  const lengths = explained.references.map((tokens) => tokens.length).join(", ");
  const listed = corpus ? [] : [paragraph("said", said("lengths", lengths, settings.referenceLength, r))];
  return [paragraph("said", said("penaltySaid")), ...listed, paragraph("formula", formula)];
}

/** Return the steps by name, the formula of the score, and a summary. */
export function bleuSteps(result, show) {
  const { explained, score } = result;
  const orders = named(explained.orders, explained.tokens, explained.references);
  const names = explained.references.map((_, number) => said("referenceShort", number + 1));
  const logs = score.precisions.slice(0, score.orders).map((precision) => fixed(precision, 1));
  return {
    steps: {
      tokens: tokensStep(result, orders),
      ngrams: [paragraph("said", said("ngramsSaid")), ...ngramTable(orders, names, " ", show)],
      precisions: precisionsStep(result),
      mean: meanStep(result),
      penalty: penaltyStep(result),
    },
    formula: `BLEU = 100 · ${fixed(score.brevityPenalty, 4)} · ${fixed(meanOf(score), 4)} = `,
    summary: `${logs.join(" / ")} · BP ${fixed(score.brevityPenalty, 3)}`,
  };
}
