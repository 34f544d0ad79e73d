// chrF and TER of one segment, step by step.

import { chosenOf, fixed, legend, level, levelNames, line, make, named, ngramTable, paragraph, said, sides, table, within } from "./elements.js";

/** How chrF shows a unit: spaces can be seen. */
const visible = (text) => text.replaceAll(" ", "␣");

function charactersStep(units, orders, reference, spaces) {
  const gram = chosenOf(orders);
  const own = units.highest.map((order) => level(order));
  const other = units.referenceHighest.map((order) => level(order));
  const marked = (texts, kinds, places) =>
    line(
      texts.map((unit) => visible(unit.text)),
      (index) => (within(gram, places, index) ? [kinds[index], "lit"] : [kinds[index]]),
      "",
    );
  return [
    paragraph("said", said("charactersSaid", spaces)),
    sides(
      [said("hypothesisShort"), marked(units.hypothesis, own, gram?.places)],
      [said("referenceShort", reference + 1), marked(units.reference, other, gram?.referencePlaces[0])],
    ),
    legend([...own, ...other], { ...levelNames([...units.highest, ...units.referenceHighest]), missing: said("missingLegend") }),
  ];
}

function ordersStep({ score, settings }) {
  const share = (match, total) => (total ? `${fixed((100 * match) / total)}%` : "–");
  const rows = score.matches.map((match, index) => {
    const words = index - settings.charOrder;
    const name = words < 0 ? said("ofCharacters", index + 1) : said("ofWords", words + 1);
    const totals = [score.hypTotals[index], score.refTotals[index]];
    return [name, String(match), ...totals.map(String), ...totals.map((total) => share(match, total))];
  });
  const header = ["orderShort", "matches", "inHypothesis", "inReference", "precision", "recall"].map((name) => said(name));
  return [paragraph("said", said("ordersSaid", settings.beta)), table(header, rows)];
}

/** Return the steps of chrF by name, the formula of the score, and a summary. */
export function chrfSteps(result, show) {
  const { explained, settings } = result;
  const units = settings.charOrder ? explained.characters : explained.words;
  const orders = named(units.orders, units.hypothesis, [units.reference]);
  const names = [said("referenceShort", explained.reference + 1)];
  const title = `chrF${"+".repeat(settings.wordOrder)}`;
  return {
    steps: {
      characters: charactersStep(units, orders, explained.reference, settings.whitespace),
      ngrams: [paragraph("said", said("chrfNgramsSaid")), ...ngramTable(orders, names, settings.charOrder ? "" : " ", show)],
      orders: ordersStep(result),
    },
    title,
    formula: `${title} = `,
    summary: said("comparedWith", explained.reference + 1),
  };
}

/** Make the shifts of TER, one after the other; return the words as each leaves them. */
function shifted({ hypothesisWords, shifts }) {
  const words = [...hypothesisWords];
  const rows = shifts.map(({ start, length, target, gain }) => {
    const block = words.splice(start, length);
    words.splice(target, 0, ...block);
    return [block.join(" "), String(start + 1), String(target + 1), String(gain)];
  });
  return { words, rows };
}

/** Return the steps of TER by name, the formula of the score, and a summary. */
export function terSteps({ explained, score }) {
  const { words, rows } = shifted(explained);
  let [own, other] = [0, 0];
  const edits = explained.edits.map((kind) => {
    const before = kind === "insertion" ? "" : words[own++];
    const after = kind === "deletion" ? "" : explained.referenceWords[other++];
    return [kind, before, after];
  });
  const texts = edits.map(([kind, before, after]) =>
    kind === "substitution" ? `${before}→${after}` : before || after,
  );
  const kinds = edits.map(([kind]) => (kind === "match" ? "level1" : kind));
  const names = Object.fromEntries(["substitution", "deletion", "insertion"].map((kind) => [kind, said(kind)]));
  const header = [said("words"), said("from"), said("to"), said("gain")];
  const counts = ["insertions", "deletions", "substitutions", "shifts"].map((kind) => score[kind]);
  return {
    steps: {
      words: [
        paragraph("said", said("wordsSaid")),
        sides(
          [said("hypothesisShort"), line(explained.hypothesisWords, () => [])],
          [said("referenceShort", explained.reference + 1), line(explained.referenceWords, () => [])],
        ),
      ],
      shifts: [paragraph("said", said("shiftsSaid")), rows.length ? table(header, rows) : make("p", {}, said("noShifts"))],
      edits: [
        paragraph("said", said("editsSaid")),
        line(texts, (index) => [kinds[index]]),
        legend(kinds, { level1: said("match"), ...names }),
      ],
    },
    formula: `TER = 100 · (${counts.join(" + ")}) / ${Number(fixed(score.refLen, 2))} = `,
    summary: said("editsOf", score.edits, Number(fixed(score.refLen, 2))),
  };
}
