// The figures of the course that can be changed. Each has fields, controls, examples, a question, and
// what it shows before and after the answer. All numbers are the core's.

import { Bleu, Chrf, names, Ter } from "../javascript/truebleu.js";
import { kindsOf } from "../playground/bleu_steps.js";
import { differenceStep, segmentsStep } from "../playground/corpus_steps.js";
import { fixed, legend, levelNames, line, make, named, paragraph, said, sides, table } from "../playground/elements.js";
import { chrfSteps, terSteps } from "../playground/other_steps.js";
import { bars, curve, histogram } from "./drawing.js";
import { say } from "./words.js";

const CATS = "the cat is on the mat\nthere is a cat on the mat";
const GUIDE = `It is a guide to action that ensures that the military will forever heed Party commands
It is the guiding principle which guarantees the military forces always being under the command of the Party
It is the practical guide for the army always to heed the directions of the party`;
const GOOD = "It is a guide to action which ensures that the military always obeys the commands of the party";
const BAD = "It is to insure the troops forever hearing the activity guidebook that party direct";
const SHUFFLED = "the that military a is It guide ensures which to commands the of action obeys always party the";
const THE = "the the the the the the the";
const stopped = (text) => text.replaceAll(/$/gm, ".");

// As on the pages: split at whitespace, not smoothed.
const PLAIN = { tokenizer: "none", smoothing: "none" };

/** Controls: what can be chosen (with what is chosen first), a range, and a switch. */
const choice = (options, value) => ({ kind: "choice", options, value });
const range = (min, max, value, step = 1) => ({ kind: "range", min, max, value, step });
const tick = () => ({ kind: "tick", value: false });

/** Questions: a number that may be so far off, or one of several answers. */
const number = (text, answer, digits = 0, within = 0) => ({ text, answer, digits, within });
const oneOf = (text, answers, answer) => ({ text, answers, answer });

const textOf = (units) => units.map((unit) => unit.text);
const unmarked = (units) => line(textOf(units), () => []);
const referenceSides = (explained) =>
  explained.references.map((units, index) => [said("referenceShort", index + 1), unmarked(units)]);
const markNames = (highest) => ({ ...levelNames([0, ...highest]), clipped: said("clippedLegend"), missing: said("missingLegend") });

/** The tokens of a hypothesis with their marks, and what these mean. */
function marked(explained) {
  const kinds = kindsOf(explained);
  return { text: line(textOf(explained.tokens), (index) => [kinds[index]]), kinds };
}

const share = ({ score }, order = 0) => `${score.counts[order] ?? 0}/${score.totals[order] ?? 0}`;

/** One hypothesis or two, under a metric. */
function compared(metric, { hypothesis, second, references }) {
  const both = second?.trim() ? [hypothesis, second] : [hypothesis];
  return both.map((text) => metric.explain(text, references));
}

const letters = (all) => (all.length > 1 ? all.map((_, index) => "AB"[index]) : [said("hypothesisShort")]);

/** The difference of two in parts, if there are two. */
const difference = (name, all, settings) =>
  all.length > 1
    ? [paragraph("part", said("differenceStep")), ...differenceStep(name, all.map(({ score }) => score), settings).parts]
    : [];

const result = (name, all, digits = 2) =>
  paragraph("result", ...letters(all).flatMap((letter, index) => [
    index ? " · " : "",
    `${all.length > 1 ? `${letter}: ` : ""}${name} = `,
    make("b", {}, fixed(all[index].score.score, digits)),
  ]));

const tokens = {
  metric: "bleu",
  fields: ["hypothesis", "references"],
  controls: { tokenizer: choice(() => names().tokenizer, "13a"), lowercase: tick() },
  examples: [
    { hypothesis: stopped(BAD), references: stopped(GUIDE) },
    { hypothesis: stopped(GOOD), references: stopped(GUIDE) },
    { hypothesis: "It cost $5.50 (about 4 euros), didn't it?", references: "It cost 5.50 dollars (4 euros), did it not?" },
    { hypothesis: "고양이가 매트 위에 앉았다.", references: "고양이는 매트 위에 앉아 있었다.", tokenizer: "char" },
  ],
  compute: ({ hypothesis, references, tokenizer, lowercase }) =>
    [...new Set(["none", tokenizer])].map((each) => {
      const settings = { tokenizer: each, lowercase, maxOrder: 1, smoothing: "none" };
      return { tokenizer: each, ...new Bleu(settings).explain(hypothesis, references) };
    }),
  question(rows) {
    const { tokenizer, score } = rows.at(-1);
    return number(say("askTokens", tokenizer, score.totals[0]), score.counts[0]);
  },
  before: (rows) => [sides(...rows.map((row) => [row.tokenizer, unmarked(row.tokens)]))],
  show(rows) {
    const all = rows.map((row) => ({ ...row, ...marked(row) }));
    return [
      ...all.map((row) => paragraph("result", `${row.tokenizer}: `, make("b", {}, share(row)))),
      sides(...all.map((row) => [row.tokenizer, row.text])),
      legend(all.flatMap(({ kinds }) => kinds), markNames([1])),
    ];
  },
};

const clipping = {
  metric: "bleu",
  fields: ["hypothesis", "references"],
  controls: { lowercase: tick() },
  examples: [
    { hypothesis: THE, references: CATS },
    { hypothesis: "the cat the cat the cat", references: CATS },
    { hypothesis: "Commands Commands commands commands", references: GUIDE, lowercase: true },
    { hypothesis: "mat the on cat a is there", references: CATS },
  ],
  settings: { ...PLAIN, maxOrder: 1 },
  compute: ({ hypothesis, references, lowercase }) => new Bleu({ ...clipping.settings, lowercase }).explain(hypothesis, references),
  question: ({ score }) => number(say("askClipping", score.totals[0]), score.counts[0]),
  before: (found) => [sides([said("hypothesisShort"), unmarked(found.tokens)], ...referenceSides(found))],
  show(found) {
    const { text, kinds } = marked(found);
    const [grams] = named(found.orders, found.tokens, found.references);
    const rows = grams.map((gram) => {
      const counts = [gram.places, ...gram.referencePlaces].map((places) => String(places.length));
      return [gram.texts[0], ...counts, String(gram.clipped)];
    });
    const heads = found.references.map((_, index) => said("referenceShort", index + 1));
    return [
      paragraph("result", say("modified"), make("b", {}, share(found)), ` = ${fixed(found.score.precisions[0] ?? 0)}%`),
      sides([said("hypothesisShort"), text], ...referenceSides(found)),
      legend(kinds, markNames([1])),
      table([say("word"), said("inHypothesis"), ...heads, said("counted")], rows),
    ];
  },
};

const ngrams = {
  metric: "bleu",
  fields: ["hypothesis", "second", "references"],
  controls: {},
  settings: PLAIN,
  examples: [
    { hypothesis: GOOD, second: SHUFFLED, references: GUIDE },
    { hypothesis: GOOD, second: BAD, references: GUIDE },
    { hypothesis: "the cat the cat on the mat", references: CATS },
  ],
  compute: (values) => compared(new Bleu(PLAIN), values),
  question: ([{ score }]) => number(say("askNgrams", score.totals[1]), score.counts[1]),
  before: (all) => [sides(...all.map((each, index) => [letters(all)[index], unmarked(each.tokens)]), ...referenceSides(all[0]))],
  show(all) {
    const texts = all.map(marked);
    const rows = all[0].score.counts.flatMap((_, order) =>
      all.map((each, index) => [
        index ? "" : said("ngramsOf", order + 1),
        each.score.precisions[order] ?? 0,
        `${all.length > 1 ? `${"AB"[index]} ` : ""}${share(each, order)}`,
        "ab"[index],
      ]),
    );
    return [
      bars(rows),
      sides(...texts.map(({ text }, index) => [letters(all)[index], text])),
      legend(texts.flatMap(({ kinds }) => kinds), markNames([1])),
    ];
  },
};

const ORDERS = ["w1", "w2", "w3", "w4"];
const meanOf = ({ precisions }) => precisions.reduce((sum, value) => sum + value, 0) / precisions.length;

const mean = {
  metric: "bleu",
  fields: ["hypothesis", "second", "references"],
  controls: Object.fromEntries(ORDERS.map((id) => [id, range(0, 100, 25)])),
  settings: PLAIN,
  examples: [
    { hypothesis: GOOD, second: GOOD.replace(" the military", " military"), references: GUIDE },
    { hypothesis: GOOD, second: "It is a guide to action which ensures that the military obeys", references: GUIDE },
    { hypothesis: "the cat is on mat", second: "the cat sat on the mat", references: CATS, w3: 0, w4: 0, w1: 50, w2: 50 },
  ],
  weights(values) {
    const given = ORDERS.map((id) => values[id]);
    const sum = given.reduce((before, weight) => before + weight, 0) || 1;
    return given.map((weight) => weight / sum);
  },
  compute(values) {
    const weights = mean.weights(values);
    return { weights, all: compared(new Bleu({ ...PLAIN, weights }), values) };
  },
  question: ({ all: [{ score }] }) => number(say("askMean", meanOf(score)), score.score, 2, 3),
  before: ({ all }) => [mean.precisions(all)],
  precisions: (all) =>
    bars(all.flatMap(({ score }, index) =>
      score.precisions.map((value, order) => [
        `p${"₁₂₃₄"[order]}${all.length > 1 ? ` ${"AB"[index]}` : ""}`,
        value,
        fixed(value / 100, 4),
        "ab"[index],
      ]),
    )),
  show({ all, weights }) {
    const rows = all.map(({ score }, index) => [
      letters(all)[index],
      fixed(meanOf(score) / 100, 4),
      fixed(score.brevityPenalty && score.score / 100 / score.brevityPenalty, 4),
      fixed(score.brevityPenalty, 4),
      fixed(score.score),
    ]);
    return [
      result("BLEU", all),
      mean.precisions(all),
      paragraph("said", `w = ${weights.map((weight) => fixed(weight)).join(", ")}`),
      table([said("hypothesisShort"), say("arithmetic"), say("geometric"), "BP", "BLEU"], rows),
      ...difference("bleu", all, { weights }),
    ];
  },
};

const MOST_KEPT = 36;
const REACH = 1.5;

/** The brevity penalty by the ratio of lengths, as the core computes it. */
function penalties() {
  const metric = new Bleu({ ...PLAIN, maxOrder: 1 });
  const ratios = Array.from({ length: 151 }, (_, index) => (index * REACH) / 150);
  return ratios.map((ratio) => {
    const length = Math.round(ratio * 10_000);
    return [ratio, metric.score([length, 10_000, 0, length]).brevityPenalty];
  });
}

const brevity = {
  metric: "bleu",
  fields: ["hypothesis", "references"],
  controls: { kept: range(1, MOST_KEPT, 8), length: choice(() => names().referenceLength, "closest") },
  settings: PLAIN,
  examples: [
    { hypothesis: GOOD, references: GUIDE, kept: 8 },
    { hypothesis: "It is", references: GUIDE, kept: 2 },
    { hypothesis: "the cat", references: CATS, kept: 5 },
  ],
  compute({ hypothesis, references, kept, length }) {
    const metric = new Bleu({ ...PLAIN, referenceLength: length });
    return { ...metric.explain(brevity.shortened(hypothesis, kept), references), rule: length };
  },
  address(parts) {
    parts.set("hypothesis", brevity.shortened(parts.get("hypothesis"), Number(parts.get("kept"))));
  },
  /** The first words of a text; repeated, where it has fewer. */
  shortened(hypothesis, kept) {
    const words = hypothesis.split(/\s+/u).filter(Boolean);
    return Array.from({ length: words.length && kept }, (_, index) => words[index % words.length]).join(" ");
  },
  lengths: ({ references }) => references.map((units) => units.length).join(", "),
  question: (found) => number(say("askBrevity", found.score.hypLen, brevity.lengths(found)), found.score.brevityPenalty, 4, 0.05),
  before: (found) => [sides([said("hypothesisShort"), unmarked(found.tokens)], ...referenceSides(found))],
  show(found) {
    const { hypLen: c, refLen: r, brevityPenalty, precisions, score } = found.score;
    const { text, kinds } = marked(found);
    brevity.curve ??= penalties();
    return [
      paragraph("result", "BP = ", make("b", {}, fixed(brevityPenalty, 4)), ` · BLEU = ${fixed(score)}`),
      curve(brevity.curve, [r ? c / r : 0, brevityPenalty], [say("ratio"), "BP"]),
      paragraph("said", said("lengths", brevity.lengths(found), found.rule, r)),
      paragraph("said", `c = ${c}, r = ${r}, p = ${precisions.map((value) => fixed(value / 100)).join(", ")}`),
      sides([said("hypothesisShort"), text], ...referenceSides(found)),
      legend(kinds, markNames([1])),
    ];
  },
};

const corpus = {
  metric: "bleu",
  fields: ["hypotheses", "references"],
  separated: true,
  controls: { order: range(1, 4, 4), lowercase: tick() },
  settings: PLAIN,
  examples: [
    { order: 1, hypotheses: `${THE}\nthe cat the cat the cat`, references: [CATS, CATS].map((text) => text.replace("\n", " ||| ")).join("\n") },
    { hypotheses: `${GOOD}\n${BAD}`, references: [GUIDE, GUIDE].map((text) => text.replaceAll("\n", " ||| ")).join("\n") },
    {
      hypotheses: "the cat sat on a mat\nyes",
      references: "the cat sat on the mat ||| a cat sat on the mat\nyes",
    },
  ],
  compute({ hypotheses, references, order, lowercase }) {
    const metric = new Bleu({ ...PLAIN, maxOrder: order, lowercase });
    const score = metric.corpus(hypotheses, references);
    return { metric, hypotheses, references, score, parts: metric.segments(hypotheses, references) };
  },
  question: ({ score }) => number(say("askCorpus", score.totals[0]), score.counts[0]),
  before: () => [],
  show({ metric, hypotheses, references, score, parts }, show) {
    const average = parts.reduce((sum, part) => sum + part, 0) / parts.length;
    return [
      paragraph("result", say("ofCorpus"), make("b", {}, fixed(score.score)), ` · ${say("meanOfSegments")} ${fixed(average)}`),
      paragraph("said", `p₁ = ${share({ score })} = ${fixed(score.precisions[0])}%, c = ${score.hypLen}, r = ${score.refLen}, BP = ${fixed(score.brevityPenalty, 4)}`),
      ...segmentsStep(metric, hypotheses, references, show),
    ];
  },
};

const METHODS = ["none", "floor", "exp", "add-k", "skip-zero"];

const smoothing = {
  metric: "bleu",
  fields: ["hypothesis", "references"],
  controls: { floor: range(0.01, 1, 0.1, 0.01), addK: range(0.01, 2, 1, 0.01) },
  settings: { tokenizer: "none", smoothing: "exp" },
  examples: [
    { hypothesis: BAD, references: GUIDE },
    { hypothesis: SHUFFLED, references: GUIDE },
    { hypothesis: GOOD, references: GUIDE },
  ],
  compute({ hypothesis, references, floor, addK }) {
    const given = { floor, "add-k": addK };
    return METHODS.map((method) => {
      const settings = { tokenizer: "none", smoothing: method, smoothValue: given[method] ?? null };
      return new Bleu(settings).segment(hypothesis, references);
    });
  },
  question: ([none, , exp]) => number(say("askSmoothing", none.counts.map((count, order) => `${count}/${none.totals[order]}`).join(", ")), exp.score, 2, 3),
  before: ([none]) => [bars(none.precisions.map((value, order) => [said("ngramsOf", order + 1), value, `${none.counts[order]}/${none.totals[order]}`, "a"]))],
  show: (all) => [
    bars(all.map(({ score }, index) => [METHODS[index], score, fixed(score), METHODS[index] === "skip-zero" ? "c" : "a"])),
    paragraph("said", say("skipped")),
    table(
      [said("smoothing"), ...all[0].counts.map((_, order) => `p${"₁₂₃₄"[order]}`), "BLEU"],
      all.map((score, index) => [METHODS[index], ...score.counts.map((_, order) => fixed(score.precisions[order] ?? 0, 2)), fixed(score.score)]),
    ),
  ],
};

const limits = {
  metric: "bleu",
  fields: ["reference", "hypotheses"],
  controls: { metric: choice(() => ["BLEU", "chrF"], "BLEU") },
  examples: [
    {
      reference: "The committee did not approve the new budget on Monday.",
      hypotheses: [
        "The committee did not approve the new budget on Sunday.",
        "The committee did approve the new budget on Monday.",
        "The committee did not approve a new budget on Monday.",
        "The panel did not approve the new spending plan on Monday.",
        "On Monday, the committee rejected the new budget.",
      ].join("\n"),
    },
    {
      reference: "Take 5 mg twice a day with food.",
      hypotheses: "Take 50 mg twice a day with food.\nTake 5 mg two times a day with food.",
    },
  ],
  address(parts) {
    const [hypothesis, second = ""] = parts.get("hypothesis").split("\n");
    const metric = parts.get("metric").toLowerCase();
    Object.entries({ hypothesis, second, metric }).forEach(([id, value]) => parts.set(id, value));
  },
  compute({ hypotheses, reference, metric }) {
    const kind = metric === "BLEU" ? new Bleu() : new Chrf();
    return { hypotheses, metric, scores: hypotheses.map((text) => kind.segment(text, reference).score) };
  },
  question: ({ metric, scores }) => oneOf(say("askLimits", metric), scores.map((_, index) => String(index + 1)), scores.indexOf(Math.max(...scores))),
  before: ({ hypotheses }) => [make("ol", {}, ...hypotheses.map((text) => make("li", {}, text)))],
  show: ({ hypotheses, metric, scores }) => [
    paragraph("result", metric),
    bars(scores.map((score, index) => [`${index + 1}. ${hypotheses[index]}`, score, fixed(score), "a"]), "below"),
  ],
};

const chrf = {
  metric: "chrf",
  fields: ["hypothesis", "second", "references"],
  controls: { characters: range(1, 8, 6), words: range(0, 4, 0), beta: range(1, 4, 2), whitespace: tick() },
  examples: [
    { hypothesis: "Hunde bellten laut", references: "Der Hund bellte laut" },
    { hypothesis: "a cat sat", second: "the cat sat on it", references: "the cat sat" },
    { hypothesis: "고양이가 매트 위에 앉았다", second: "고양이는 매트에 앉아 있었다", references: "고양이는 매트 위에 앉아 있었다" },
  ],
  compute(values) {
    const settings = { charOrder: values.characters, wordOrder: values.words, beta: values.beta, whitespace: values.whitespace };
    return { settings, all: compared(new Chrf(settings), values) };
  },
  order: ({ charOrder }) => Math.min(charOrder, 2) - 1,
  question({ settings, all: [{ score }] }) {
    const order = chrf.order(settings);
    return number(say("askChrf", order + 1, score.hypTotals[order], score.refTotals[order]), score.matches[order]);
  },
  before: ({ all }) => [
    sides(
      ...all.map((each, index) => [letters(all)[index], unmarked(each.characters.hypothesis)]),
      [said("referenceShort", all[0].reference + 1), unmarked(all[0].characters.reference)],
    ),
  ],
  show({ settings, all }, show) {
    const steps = all.map((explained) => chrfSteps({ explained, score: explained.score, settings }, show));
    return [
      result(steps[0].title, all),
      ...steps.flatMap(({ steps: { characters, orders } }, index) => [
        ...(all.length > 1 ? [paragraph("part", "AB"[index])] : []),
        ...characters,
        ...orders,
      ]),
      ...difference("chrf", all, settings),
    ];
  },
};

const ter = {
  metric: "ter",
  fields: ["hypothesis", "second", "references"],
  controls: { normalized: tick(), punctuation: tick(), asian: tick(), cased: tick() },
  examples: [
    { hypothesis: "on the mat the cat sat", references: "the cat sat on the mat" },
    { hypothesis: "the cat sat the mat", second: "on the mat the cat sat", references: "the cat lay on the mat" },
    { hypothesis: "b d c a", references: "a b c d" },
  ],
  compute(values) {
    const settings = { normalized: values.normalized, noPunct: values.punctuation, asianSupport: values.asian, caseSensitive: values.cased };
    return compared(new Ter(settings), values);
  },
  question: ([{ score }]) => number(say("askTer"), score.edits),
  before: (all) => [
    sides(
      ...all.map((each, index) => [letters(all)[index], line(each.hypothesisWords, () => [])]),
      [said("referenceShort", all[0].reference + 1), line(all[0].referenceWords, () => [])],
    ),
  ],
  show(all) {
    const steps = all.map((explained) => terSteps({ explained, score: explained.score }));
    return [
      result("TER", all),
      paragraph("said", steps.map(({ summary }) => summary).join(" / ")),
      ...steps.flatMap(({ steps: { words, shifts, edits } }, index) => [
        ...(all.length > 1 ? [paragraph("part", "AB"[index])] : []),
        words[1],
        ...shifts,
        ...edits,
      ]),
      ...difference("ter", all, {}),
    ];
  },
};

const SAMPLES = 1000;

/** A percentile of sorted numbers, between the two nearest of them. */
function percentile(sorted, percent) {
  const place = ((sorted.length - 1) * percent) / 100;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

const sumOf = (rows) => rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0));

const significance = {
  fields: [],
  // Rows of the two versions: their texts are in examples/.
  data: "rows.json",
  controls: { segments: range(6, 72, 72), seed: range(1, 20, 1) },
  examples: [{}, { segments: 20 }, { segments: 40, seed: 7 }],
  compute({ segments, seed }, rows) {
    const metric = new Bleu();
    const systems = rows.map((all) => all.slice(0, segments));
    const scores = systems.map((all) => metric.score(sumOf(all)).score);
    const samples = metric.bootstrap(systems, { nResamples: SAMPLES, seed });
    const differences = samples.map(([old, fresh]) => fresh - old).toSorted((one, other) => one - other);
    return { scores, segments, differences, interval: [2.5, 97.5].map((percent) => percentile(differences, percent)) };
  },
  question: ({ scores, segments }) => oneOf(say("askSignificance", segments, fixed(scores[1] - scores[0])), [say("yes"), say("no")], 0),
  answer: ({ interval: [low, high] }) => (low <= 0 && high >= 0 ? 0 : 1),
  before: () => [],
  show: ({ scores, differences, interval }) => [
    paragraph("result", say("versions", ...scores.map((score) => fixed(score))), make("b", {}, fixed(scores[1] - scores[0]))),
    paragraph("said", say("interval", ...interval.map((value) => fixed(value, 1)))),
    histogram(differences, interval, say("differenceOf")),
  ],
};

export const FIGURES = { tokens, clipping, ngrams, mean, brevity, corpus, smoothing, limits, chrf, ter, significance };
