// BLEU, chrF and TER for browsers and Node: the core of truebleu, as WebAssembly. The names are
// those of the Python package, in camelCase.

// A module whose memory has grown beyond this, in bytes, is replaced after the call.
const MOST_KEPT = 1 << 26;

// A bootstrap returns at most so many scores, in an array for each sample: 0.3 GB.
const MOST_SCORES = 1_000_000;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

let compiled = null;
let running = null;

/** What is wrong with texts or settings, or that the core has stopped. */
export class TruebleuError extends Error {
  name = "TruebleuError";
}

/** Say what a value is. */
function kindOf(value) {
  if (typeof value === "number" || typeof value === "boolean") {
    return `a ${typeof value} (${value})`;
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const name = typeof value === "object" && !["Array", "Object"].includes(tag) ? tag : tag.toLowerCase();
  return value === null || value === undefined ? String(value) : `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

function check(right, ...message) {
  if (!right) {
    throw new TruebleuError(message.join(""));
  }
}

/** Check what is given as settings or options. */
function checked(given, what, example) {
  const right = typeof given === "object" && given !== null && !(Symbol.iterator in given);
  check(right, what, " are ", kindOf(given), "; an object is needed, such as ", example);
  return given;
}

/**
 * Load the core, once, before anything else is called: by default from `truebleu.wasm` beside this
 * file; or from an address, a response, bytes, or a module that has been compiled.
 */
export async function load(source = new URL("truebleu.wasm", import.meta.url)) {
  check(typeof WebAssembly !== "undefined", "there is no WebAssembly here, which truebleu.js needs");
  let given = source;
  if (given instanceof URL && given.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    given = await readFile(given);
  } else if (given instanceof URL || typeof given === "string") {
    given = await fetch(given);
  }
  if (typeof Response !== "undefined" && given instanceof Response) {
    check(given.ok, `cannot load the core: ${given.url} answered with status ${given.status}`);
    given = await given.arrayBuffer();
  }
  check(typeof given === "object" && given, "source is ", kindOf(given), "; an address, a Response or bytes are needed");
  try {
    compiled = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  } catch (error) {
    const why = `cannot compile the core: ${error.message}; truebleu.wasm is needed`;
    throw new TruebleuError(`${why}, and script-src 'wasm-unsafe-eval' under a policy`, { cause: error });
  }
  running = null;
}

/** What is written for the core; `crates/wasm/src/lib.rs` says what each function reads. */
class Message {
  #form;
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  /** Texts are written in this normal form, if there is one. */
  constructor(form = null) {
    this.#form = form;
  }

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
    return this;
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
        this.#text(this.#form ? item.normalize(this.#form) : item);
      }
    }
    return this;
  }

  #text(text) {
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
  segment(hypothesis, references, index) {
    const given = Array.isArray(references) ? references : [references];
    const several = given.filter((reference) => reference !== null && reference !== undefined);
    const wrong = several.findIndex((reference) => typeof reference !== "string");
    if (typeof hypothesis === "string" && several.length && wrong < 0) {
      this.add(several.length, hypothesis);
      several.forEach((reference) => this.add(reference));
      return this;
    }
    const [own, other] = index === undefined ? ["hypothesis", "references"] : [`hypotheses[${index}]`, `references[${index}]`];
    check(typeof hypothesis === "string", own, " is ", kindOf(hypothesis), "; a string is needed");
    check(several.length, other, " has no reference; at least one is needed");
    const verb = given === references ? " has " : " is ";
    throw new TruebleuError(`${other}${verb}${kindOf(several[wrong])}; a string or an array of strings is needed`);
  }
}

const isWellFormed = (text) => text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text);

/** Call a function of the core; return its answer as bytes. */
function ask(name, message) {
  check(compiled, "the core is not loaded: call `await load()` first");
  const input = message.bytes;
  let [answer, refused] = [null, false];
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
    running = core.memory.buffer.byteLength > MOST_KEPT ? null : core;
  } catch (error) {
    // Nobody knows in which state it is: the next call has a new one.
    running = null;
    const why = "the core has stopped: the texts need too much memory, or this is a bug";
    throw new TruebleuError(why, { cause: error });
  }
  if (refused) {
    throw new TruebleuError(DECODER.decode(answer));
  }
  return answer;
}

const json = (name, message) => JSON.parse(DECODER.decode(ask(name, message)));

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Ask what a metric with some settings counts; its mistakes are told in the names of JavaScript. */
function described(message) {
  try {
    return json("describe", message);
  } catch (error) {
    const told = error.message.replaceAll(/"#([0-9a-f]+)"/g, (_, bits) => numberOf(bits));
    const said = told.replaceAll(/"[^"]*"|_([a-z])/g, (all, letter) => letter?.toUpperCase() ?? all);
    const [, unknown] = /^unknown (\w+) "/.exec(said) ?? [];
    const choice = unknown && compiled ? names()[unknown] : null;
    const hint = choice ? `; choose one of ${choice.map((name) => [name].flat()[0]).join(", ")}` : "";
    throw new TruebleuError(said + hint, { cause: error });
  }
}

/** Read a number that {@link written} wrote. */
const numberOf = (bits) => new Float64Array(new BigUint64Array([BigInt(`0x${bits}`)]).buffer)[0];

const frozen = (value) => (Array.isArray(value) ? Object.freeze(value.map(frozen)) : value);

/** Write a number for {@link numberOf}. */
const bitsOf = (value) => `#${new BigUint64Array(new Float64Array([value]).buffer)[0].toString(16)}`;

/** Write a setting as the core reads it: of numbers, the bits. */
function written(setting, value) {
  if (setting === "weights") {
    return writtenWeights(value);
  }
  if (typeof value === "number") {
    return bitsOf(value);
  }
  const right = typeof value === "boolean" || (typeof value === "string" && !/^(true$|false$|#)/.test(value));
  check(right, setting, " is ", kindOf(value), "; numbers, names, true and false are possible");
  return String(value);
}

function writtenWeights(weights) {
  const need = "; an array of numbers, or several, is needed";
  check(Array.isArray(weights), "weights is ", kindOf(weights), need);
  const lists = weights.some(Array.isArray) ? weights : [weights];
  for (const list of lists) {
    check(Array.isArray(list), "weights has ", kindOf(list), " beside an array", need);
    list.forEach((weight) => check(typeof weight === "number", "weights has ", kindOf(weight), need));
  }
  return lists.map((list) => list.map(bitsOf).join(",")).join(";");
}

/** What BLEU, chrF and TER share. Settings are checked here, and do not change. */
class Metric {
  #start;

  constructor(settings = {}) {
    const all = Object.entries(checked(settings, "settings", "{ lowercase: true }"));
    const given = all.filter(([, value]) => value !== null && value !== undefined);
    const message = new Message().add(new.target.metric, given.length);
    for (const [setting, value] of given) {
      check(!setting.includes("_"), `there is no setting ${setting}: names are written as in maxOrder`);
      message.add(snake(setting), written(setting, value));
    }
    this.#start = message.bytes;
    this.fields = Object.freeze(described(message));
    this.settings = Object.freeze(Object.fromEntries(all.map(([name, value]) => [name, frozen(value)])));
  }

  /** Begin a message about this metric. */
  message(...numbers) {
    return new Message(this.settings.unicodeForm).raw(this.#start).add(...numbers);
  }

  #count(hypotheses, references, each) {
    for (const [name, list] of Object.entries({ hypotheses, references })) {
      check(Array.isArray(list), name, " is ", kindOf(list), "; an array with one item per segment is needed");
    }
    const [own, other] = [hypotheses.length, references.length];
    check(own, "hypotheses is empty: there is no segment to score");
    const hint = "references[i] is the reference of hypotheses[i], or an array of several";
    check(own === other, `hypotheses has ${own} items but references has ${other}; ${hint}`);
    const message = this.message(Number(each), own);
    for (let index = 0; index < own; index += 1) {
      message.segment(hypotheses[index], references[index], index);
    }
    return new Float64Array(ask("count", message));
  }

  #table(message, rows) {
    check(Array.isArray(rows), "rows is ", kindOf(rows), "; an array of rows is needed, as stats() returns");
    const width = this.fields.length;
    const need = `${width} numbers are needed, as stats() returns: ${this.fields.join(", ")}`;
    Array.from(rows).forEach((row, index) => {
      check(Array.isArray(row) || ArrayBuffer.isView(row), `row ${index} is `, kindOf(row), "; ", need);
      check(row.length === width, `row ${index} has ${row.length} numbers; `, need);
      const wrong = row.findIndex((value) => !Number.isSafeInteger(value) || value < 0);
      check(wrong < 0, `row ${index} has ${kindOf(row[wrong])} for ${this.fields[wrong]}; a whole number from 0 is needed`);
    });
    rows.forEach((row) => message.floats(row));
    return message;
  }

  /** Count segments: one row of `fields` for each. Rows add up, column by column. */
  stats(hypotheses, references) {
    return inRows(this.#count(hypotheses, references, true), this.fields.length);
  }

  /** Score a row, or a sum of rows; `segment` says whether it is that of a single segment. */
  score(row, options = {}) {
    const { segment } = checked(options, "options", "{ segment: true }");
    return json("result", this.#table(this.message(Number(segment)), [row]));
  }

  /** Score rows, each by itself. */
  scores(rows, options = {}) {
    const { segment } = checked(options, "options", "{ segment: true }");
    return new Float64Array(ask("score", this.#table(this.message(Number(segment), rows?.length ?? 0), rows)));
  }

  /** Score a corpus. `references[i]` is the reference of `hypotheses[i]`, or an array of several. */
  corpus(hypotheses, references) {
    return this.score(this.#count(hypotheses, references, false));
  }

  /** Score a segment. */
  segment(hypothesis, references) {
    const message = this.message(1, 1).segment(hypothesis, references);
    return this.score(new Float64Array(ask("count", message)), { segment: true });
  }

  /** Score each segment of a corpus by itself. */
  segments(hypotheses, references) {
    return this.scores(this.stats(hypotheses, references), { segment: true });
  }

  /** Return what the score of a segment follows from. */
  explain(hypothesis, references) {
    const message = this.message().segment(hypothesis, references);
    return { score: this.segment(hypothesis, references), ...json("explain", message) };
  }

  /** Score samples of the rows of systems, drawn with replacement: of each sample, one score per system. */
  bootstrap(systems, options = {}) {
    const { nResamples = 1000, seed = 12_345 } = checked(options, "options", "{ nResamples: 1000 }");
    const right = Array.isArray(systems) && systems.length && Array.from(systems).every((rows) => Array.isArray(rows) && rows.length);
    check(right, "systems must be an array with the rows of each system, as stats() returns them");
    const [first] = systems;
    check(systems.every((rows) => rows.length === first.length), "the systems have different numbers of rows");
    const most = Math.floor(MOST_SCORES / systems.length);
    const possible = Number.isInteger(nResamples) && nResamples >= 1 && nResamples <= most;
    check(possible, `nResamples is ${kindOf(nResamples)}; a whole number from 1 to ${most} is needed`);
    check(Number.isSafeInteger(seed), `seed is ${kindOf(seed)}; a whole number is needed`);
    const message = this.message().floats([seed]).add(nResamples, systems.length, first.length);
    return inRows(new Float64Array(ask("bootstrap", this.#table(message, systems.flat()))), systems.length);
  }
}

const inRows = (table, width) =>
  Array.from({ length: table.length / width }, (_, row) => table.slice(row * width, (row + 1) * width));

export class Bleu extends Metric {
  static metric = "bleu";

  /** Split a text into tokens, each with its start and its end in the text. */
  tokenize(text) {
    check(typeof text === "string", "text is ", kindOf(text), "; a string is needed");
    return json("tokenize", this.message().add(text));
  }
}

export class Chrf extends Metric {
  static metric = "chrf";
}

export class Ter extends Metric {
  static metric = "ter";
}

/** The names that settings take. */
export const names = () => json("names", new Message());

/** Split a text into tokens as BLEU does; with `offsets`, also return the place of each. */
export function tokenize(text, tokenizer = "13a", options = {}) {
  const { lowercase, offsets } = checked(options, "options", "{ offsets: true }");
  const tokens = new Bleu({ tokenizer, lowercase }).tokenize(text);
  return offsets ? tokens : tokens.map((token) => token.text);
}

/** Return what the score of a segment follows from, under a metric. */
export function explain(hypothesis, references, metric = new Bleu()) {
  check(typeof metric?.explain === "function", "metric is ", kindOf(metric), "; one such as new Bleu() is needed");
  return metric.explain(hypothesis, references);
}

const corpus = (Kind) => (hypotheses, references, settings) => new Kind(settings).corpus(hypotheses, references);
const sentence = (Kind) => (hypothesis, references, settings) => new Kind(settings).segment(hypothesis, references);

export const [corpusBleu, corpusChrf, corpusTer] = [Bleu, Chrf, Ter].map(corpus);
export const [sentenceBleu, sentenceChrf, sentenceTer] = [Bleu, Chrf, Ter].map(sentence);
