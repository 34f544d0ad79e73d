// BLEU, chrF and TER for browsers and Node: the core of truebleu, as WebAssembly. The names are
// those of the Python package, in camelCase.

// A module whose memory has grown beyond this, in bytes, is replaced after the call.
const MOST_KEPT = 1 << 26;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

let compiled = null;
let running = null;

/** What is wrong with texts or settings, or that the core has stopped. */
export class TruebleuError extends Error {
  name = "TruebleuError";
}

/**
 * Load the core, once, before anything else is called: by default from `truebleu.wasm` beside this
 * file; or from an address, a response, bytes, or a module that has been compiled.
 */
export async function load(source = new URL("truebleu.wasm", import.meta.url)) {
  let given = source;
  if (given instanceof URL && given.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    given = await readFile(given);
  } else if (given instanceof URL || typeof given === "string") {
    given = await fetch(given);
  }
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) {
      throw new TruebleuError(`${given.url}: ${given.status}`);
    }
    given = await given.arrayBuffer();
  }
  compiled = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  running = null;
}

/** What is written for the core; `crates/wasm/src/lib.rs` says what each function reads. */
class Message {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  get bytes() {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Make room for so many bytes, which are written next; return where. */
  #room(length) {
    const start = this.#end;
    this.#end += length;
    if (this.#end > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#end);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }

  raw(bytes) {
    const start = this.#room(bytes.length);
    this.#bytes.set(bytes, start);
  }

  floats(values) {
    const start = this.#room(8 * values.length);
    values.forEach((value, index) => this.#view.setFloat64(start + 8 * index, value, true));
    return this;
  }

  /** Write counts and texts. */
  add(...items) {
    for (const item of items) {
      if (typeof item === "number") {
        const start = this.#room(4);
        this.#view.setUint32(start, item, true);
      } else {
        this.#text(item);
      }
    }
    return this;
  }

  #text(text) {
    if (typeof text !== "string") {
      throw new TruebleuError(`there is a ${text === null ? "null" : typeof text} where a string is needed`);
    }
    const place = this.#room(4);
    const start = this.#end;
    // Lone surrogates have three bytes, so that texts that differ stay different.
    for (const piece of isWellFormed(text) ? [text] : text.split(/(\p{Surrogate})/u)) {
      const unit = piece.length === 1 ? piece.charCodeAt(0) : 0;
      if (unit >= 0xd8_00 && unit < 0xe0_00) {
        this.raw([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
      } else {
        const from = this.#room(3 * piece.length);
        this.#end = from + ENCODER.encodeInto(piece, this.#bytes.subarray(from)).written;
      }
    }
    this.#view.setUint32(place, this.#end - start, true);
  }

  /** Write a segment, after the number of its references; those that are missing are left out. */
  segment(hypothesis, references, where) {
    const given = typeof references === "string" ? [references] : Array.from(references ?? []);
    const several = given.filter((reference) => reference !== null && reference !== undefined);
    if (!several.length) {
      throw new TruebleuError(`${where} has no references; at least one is needed`);
    }
    if (![hypothesis, ...several].every((text) => typeof text === "string")) {
      throw new TruebleuError(`${where} has something that is not a string`);
    }
    return this.add(several.length, hypothesis, ...several);
  }
}

const isWellFormed = (text) => text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text);

/** Call a function of the core; return its answer as bytes. */
function ask(name, message) {
  if (compiled === null) {
    throw new TruebleuError("the core is not loaded: call `await load()` first");
  }
  const input = message.bytes;
  let [answer, refused, size] = [null, false, 0];
  try {
    running ??= new WebAssembly.Instance(compiled).exports;
    const core = running;
    const place = core.input(input.length) >>> 0;
    new Uint8Array(core.memory.buffer).set(input, place);
    const length = core[name](input.length);
    refused = length < 0;
    const start = core.output() >>> 0;
    answer = core.memory.buffer.slice(start, start + (refused ? -1 - length : length));
    core.forget();
    size = core.memory.buffer.byteLength;
  } catch (error) {
    // Nobody knows in which state it is: the next call has a new one.
    running = null;
    const why = "the core has stopped: the texts need too much memory, or this is a bug";
    throw new TruebleuError(why, { cause: error });
  }
  if (size > MOST_KEPT) {
    running = null;
  }
  if (refused) {
    throw new TruebleuError(DECODER.decode(answer));
  }
  return answer;
}

const json = (name, message) => JSON.parse(DECODER.decode(ask(name, message)));

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Write a setting as the core reads it. */
function written(value) {
  if (!Array.isArray(value)) {
    return String(value);
  }
  return Array.isArray(value[0]) ? value.map(String).join(";") : String(value);
}

/** What BLEU, chrF and TER share. Settings are checked here, and do not change. */
class Metric {
  #start;

  constructor(name, settings) {
    const given = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
    const message = new Message().add(name, given.length);
    given.forEach(([setting, value]) => message.add(snake(setting), written(value)));
    this.#start = message.bytes;
    this.fields = Object.freeze(json("describe", message));
    this.settings = Object.freeze({ ...settings });
  }

  /** Begin a message about this metric. */
  message(...numbers) {
    const message = new Message();
    message.raw(this.#start);
    return message.add(...numbers);
  }

  #count(hypotheses, references, each) {
    if (![hypotheses, references].every((list) => typeof list === "object" && list?.length)) {
      throw new TruebleuError("hypotheses and references are arrays, with one item for each segment");
    }
    const [own, other] = [hypotheses.length, references.length];
    if (own !== other) {
      throw new TruebleuError(`there are ${own} hypotheses, but references for ${other} segments`);
    }
    const message = this.message(Number(each), own);
    for (let index = 0; index < own; index += 1) {
      message.segment(hypotheses[index], references[index], `segment ${index} (counted from 0)`);
    }
    return new Float64Array(ask("count", message));
  }

  #table(message, rows) {
    const width = this.fields.length;
    if (rows.some((row) => row.length !== width)) {
      throw new TruebleuError(`a row does not have ${width} numbers: ${this.fields.join(", ")}`);
    }
    rows.forEach((row) => message.floats(row));
    return message;
  }

  /** Count segments: one row of `fields` for each. Rows add up, column by column. */
  stats(hypotheses, references) {
    return inRows(this.#count(hypotheses, references, true), this.fields.length);
  }

  /** Score a row, or a sum of rows; `segment` says whether it is that of a single segment. */
  score(row, { segment = false } = {}) {
    return json("result", this.#table(this.message(Number(segment)), [row]));
  }

  /** Score rows, each by itself. */
  scores(rows, { segment = false } = {}) {
    return new Float64Array(ask("score", this.#table(this.message(Number(segment), rows.length), rows)));
  }

  /** Score a corpus. `references[i]` is the reference of `hypotheses[i]`, or an array of several. */
  corpus(hypotheses, references) {
    return this.score(this.#count(hypotheses, references, false));
  }

  /** Score a segment. */
  sentence(hypothesis, references) {
    return this.score(this.#count([hypothesis], [references], true), { segment: true });
  }

  /** Score each segment of a corpus by itself. */
  sentences(hypotheses, references) {
    return this.scores(this.stats(hypotheses, references), { segment: true });
  }

  /** Return what the score of a segment follows from. */
  explain(hypothesis, references) {
    const message = this.message().segment(hypothesis, references, "the segment");
    return { score: this.sentence(hypothesis, references), ...json("explain", message) };
  }

  /** Score samples of the rows of systems, drawn with replacement: of each sample, one score per system. */
  bootstrap(systems, { nResamples = 1000, seed = 12_345 } = {}) {
    const [first, ...others] = systems;
    if (others.some((rows) => rows.length !== first.length)) {
      throw new TruebleuError("the systems have different numbers of rows");
    }
    const message = this.message().floats([seed]).add(nResamples, systems.length, first.length);
    return inRows(new Float64Array(ask("bootstrap", this.#table(message, systems.flat()))), systems.length);
  }
}

const inRows = (table, width) =>
  Array.from({ length: table.length / width }, (_, row) => table.slice(row * width, (row + 1) * width));

export class Bleu extends Metric {
  constructor(settings = {}) {
    super("bleu", settings);
  }

  /** Split a text into tokens, each with its start and its end in the text. */
  tokenize(text) {
    return json("tokenize", this.message().add(text));
  }
}

export class Chrf extends Metric {
  constructor(settings = {}) {
    super("chrf", settings);
  }
}

export class Ter extends Metric {
  constructor(settings = {}) {
    super("ter", settings);
  }
}

/** The names that settings take. */
export const names = () => json("names", new Message());

/** Split a text into tokens as BLEU does; with `offsets`, also return the place of each. */
export function tokenize(text, tokenizer = "13a", { lowercase = false, offsets = false } = {}) {
  const tokens = new Bleu({ tokenizer, lowercase }).tokenize(text);
  return offsets ? tokens : tokens.map((token) => token.text);
}

/** Return what the score of a segment follows from, under a metric. */
export const explain = (hypothesis, references, metric = new Bleu()) => metric.explain(hypothesis, references);

const corpus = (Kind) => (hypotheses, references, settings) => new Kind(settings).corpus(hypotheses, references);
const sentence = (Kind) => (hypothesis, references, settings) => new Kind(settings).sentence(hypothesis, references);

export const [corpusBleu, corpusChrf, corpusTer] = [Bleu, Chrf, Ter].map(corpus);
export const [sentenceBleu, sentenceChrf, sentenceTer] = [Bleu, Chrf, Ter].map(sentence);
