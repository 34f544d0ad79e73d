// Types of truebleu.js. Names and values of settings are those of the Python package, in camelCase.

export type Tokenizer =
  | "13a" | "intl" | "zh" | "zh-fixed" | "char" | "none" | "words" | "moses" | "spaces"
  | "mteval-v13a" | "mteval-v14" | "mteval-v13a-lc" | "mteval-v13a-intl" | "mteval-v14-intl"
  | "tensor2tensor" | "keras";
export type Smoothing =
  | "none" | "floor" | "add-k" | "exp" | "lin-och" | "add-one" | "nist" | "skip-zero"
  | "compare-mt" | "method0" | "method1" | "method2" | "method3" | "method4" | "method5" | "method6" | "method7";
export type ReferenceLength = "closest" | "closest-first" | "shortest" | "longest" | "average";
export type UnicodeForm = "NFC" | "NFD" | "NFKC" | "NFKD";

export interface BleuSettings {
  /** Default: "13a". */
  tokenizer?: Tokenizer;
  unicodeForm?: UnicodeForm | null;
  lowercase?: boolean;
  /** Default: 4, or the number of weights. */
  maxOrder?: number | null;
  /** Default: uniform. Several lists give several scores. */
  weights?: readonly number[] | readonly (readonly number[])[] | null;
  /** Default: "exp". */
  smoothing?: Smoothing;
  smoothValue?: number | null;
  /** Default: for single segments, but not for corpora. */
  effectiveOrder?: boolean | null;
  /** Default: "closest". */
  referenceLength?: ReferenceLength;
  /** Default: true. */
  brevityPenalty?: boolean;
  phantomNgrams?: boolean;
}

export interface ChrfSettings {
  /** Default: 6. */
  charOrder?: number;
  /** Default: 0; 2 is chrF++. */
  wordOrder?: number;
  /** Default: 2. */
  beta?: number;
  unicodeForm?: UnicodeForm | null;
  lowercase?: boolean;
  whitespace?: boolean;
  epsSmoothing?: boolean;
}

export interface TerSettings {
  unicodeForm?: UnicodeForm | null;
  normalized?: boolean;
  noPunct?: boolean;
  asianSupport?: boolean;
  caseSensitive?: boolean;
}

/** Of one segment: its reference, or several; those that are null are left out. */
export type References = string | readonly (string | null | undefined)[];

export interface Score {
  /** From 0 to 100; TER may exceed it. */
  readonly score: number;
  /** The whole numbers that the score follows from, named by the `fields` of the metric. */
  readonly row: readonly number[];
}

export interface BleuScore extends Score {
  /** One for each list of weights. */
  readonly scores: readonly number[];
  /** In percent, smoothed, by order. */
  readonly precisions: readonly number[];
  readonly brevityPenalty: number;
  /** How many precisions count; with effective order, possibly fewer than all. */
  readonly orders: number;
  readonly hypLen: number;
  readonly refLen: number;
  /** Clipped matches, by order. */
  readonly counts: readonly number[];
  readonly totals: readonly number[];
}

export interface ChrfScore extends Score {
  readonly hypTotals: readonly number[];
  readonly refTotals: readonly number[];
  readonly matches: readonly number[];
}

export interface TerScore extends Score {
  readonly edits: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly substitutions: number;
  readonly shifts: number;
  readonly refLen: number;
}

/** A token, a character or a word, with its place in the text, or in its normal form. */
export interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Ngram {
  /** Where it begins among the units of the hypothesis. */
  readonly places: readonly number[];
  /** The same for each reference. */
  readonly referencePlaces: readonly (readonly number[])[];
  /** How often it counts: at most as often as in one reference. */
  readonly clipped: number;
}

export interface BleuExplanation {
  readonly score: BleuScore;
  readonly tokens: readonly Unit[];
  readonly references: readonly (readonly Unit[])[];
  /** For each order its n-grams, in the order in which they first occur. */
  readonly orders: readonly (readonly Ngram[])[];
  /** For each token the highest order of a match that it is part of. */
  readonly highest: readonly number[];
}

export interface ChrfUnits {
  readonly hypothesis: readonly Unit[];
  readonly reference: readonly Unit[];
  readonly orders: readonly (readonly Ngram[])[];
  readonly highest: readonly number[];
  readonly referenceHighest: readonly number[];
}

export interface ChrfExplanation {
  readonly score: ChrfScore;
  /** Which reference the hypothesis is compared with. */
  readonly reference: number;
  readonly characters: ChrfUnits;
  readonly words: ChrfUnits;
}

export interface TerExplanation {
  readonly score: TerScore;
  readonly reference: number;
  readonly hypothesisWords: readonly string[];
  readonly referenceWords: readonly string[];
  /** In their order, each in what the one before it has left. */
  readonly shifts: readonly { start: number; length: number; target: number; gain: number }[];
  /** After the shifts, from left to right. */
  readonly edits: readonly ("match" | "substitution" | "deletion" | "insertion")[];
}

/** The whole numbers of a segment, or a sum of them, named by the `fields` of the metric. */
export type Row = readonly number[] | Float64Array;

interface Metric<Settings, ScoreOf, Explanation> {
  readonly settings: Readonly<Settings>;
  /** The names of the numbers of a row. */
  readonly fields: readonly string[];
  corpus(hypotheses: readonly string[], references: readonly References[]): ScoreOf;
  segment(hypothesis: string, references: References): ScoreOf;
  segments(hypotheses: readonly string[], references: readonly References[]): Float64Array;
  /** One row for each segment. Rows add up, column by column. */
  stats(hypotheses: readonly string[], references: readonly References[]): Float64Array[];
  score(row: Row, options?: { segment?: boolean }): ScoreOf;
  /** One score for each row or, with several lists of weights, one for each list. */
  scores(rows: readonly Row[], options?: { segment?: boolean }): Float64Array;
  /** The scores of samples, drawn with replacement: of each sample, one for each system. */
  bootstrap(
    systems: readonly (readonly Row[])[],
    options?: { nResamples?: number; seed?: number },
  ): Float64Array[];
  explain(hypothesis: string, references: References): Explanation;
}

export class Bleu {
  constructor(settings?: BleuSettings);
  tokenize(text: string): Unit[];
}
export interface Bleu extends Metric<BleuSettings, BleuScore, BleuExplanation> {}

export class Chrf {
  constructor(settings?: ChrfSettings);
}
export interface Chrf extends Metric<ChrfSettings, ChrfScore, ChrfExplanation> {}

export class Ter {
  constructor(settings?: TerSettings);
}
export interface Ter extends Metric<TerSettings, TerScore, TerExplanation> {}

export class TruebleuError extends Error {}

/** Load the core, once, before anything else is called. Default: `truebleu.wasm` beside the module. */
export function load(source?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** The names that settings take; of smoothings also the default of `smoothValue`, or null. */
export function names(): {
  tokenizer: Tokenizer[];
  smoothing: [Smoothing, number | null][];
  referenceLength: ReferenceLength[];
  unicodeForm: UnicodeForm[];
};

export function tokenize(
  text: string, tokenizer?: Tokenizer, options?: { lowercase?: boolean; offsets?: false },
): string[];
export function tokenize(
  text: string, tokenizer: Tokenizer, options: { lowercase?: boolean; offsets: true },
): Unit[];

export function explain(hypothesis: string, references: References): BleuExplanation;
export function explain<Explanation>(
  hypothesis: string, references: References,
  metric: { explain(hypothesis: string, references: References): Explanation },
): Explanation;

type Corpus<Settings, ScoreOf> = (
  hypotheses: readonly string[], references: readonly References[], settings?: Settings,
) => ScoreOf;
type Sentence<Settings, ScoreOf> = (
  hypothesis: string, references: References, settings?: Settings,
) => ScoreOf;

export const corpusBleu: Corpus<BleuSettings, BleuScore>;
export const corpusChrf: Corpus<ChrfSettings, ChrfScore>;
export const corpusTer: Corpus<TerSettings, TerScore>;
export const sentenceBleu: Sentence<BleuSettings, BleuScore>;
export const sentenceChrf: Sentence<ChrfSettings, ChrfScore>;
export const sentenceTer: Sentence<TerSettings, TerScore>;
