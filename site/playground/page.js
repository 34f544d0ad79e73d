// The page: reads what is typed, shows each step, and keeps everything in the address.

import { Bleu, Chrf, load, names, Ter } from "../javascript/truebleu.js";
import { bleuSteps } from "./bleu_steps.js";
import { differenceStep, segmentsStep } from "./corpus_steps.js";
import { byId, fixed, make, paragraph, said, state } from "./elements.js";
import { chrfSteps, terSteps } from "./other_steps.js";
import { EXAMPLES, WORDS } from "./words.js";

const MOST_ORDERS = 8;
// Longer texts would stop the page, and are no address.
const MOST_CHARACTERS = 10_000;
const MOST_REFERENCES = 16;
const MOST_SEGMENTS = 100;
const TEXTS = ["hypothesis", "second", "references"];
const FIELDS = ["metric", ...TEXTS, "tokenizer", "smoothing", "order", "weights", "length", "characters", "words", "beta"];
const SWITCHES = ["corpus", "lowercase", "effective", "whitespace", "normalized", "punctuation", "asian", "cased"];

/** For each metric its class, its steps, its function in Python, and its settings: names here and there, defaults. */
const METRICS = {
  bleu: {
    Kind: Bleu,
    steps: bleuSteps,
    settings: {
      tokenizer: ["tokenizer", "tokenizer", "13a"],
      smoothing: ["smoothing", "smoothing", "exp"],
      order: ["maxOrder", "max_order", 4],
      weights: ["weights", "weights", null],
      length: ["referenceLength", "reference_length", "closest"],
      lowercase: ["lowercase", "lowercase", false],
      effective: ["effectiveOrder", "effective_order", null],
    },
  },
  chrf: {
    Kind: Chrf,
    steps: chrfSteps,
    settings: {
      characters: ["charOrder", "char_order", 6],
      words: ["wordOrder", "word_order", 0],
      beta: ["beta", "beta", 2],
      lowercase: ["lowercase", "lowercase", false],
      whitespace: ["whitespace", "whitespace", false],
    },
  },
  ter: {
    Kind: Ter,
    steps: terSteps,
    settings: {
      normalized: ["normalized", "normalized", false],
      punctuation: ["noPunct", "no_punct", false],
      asian: ["asianSupport", "asian_support", false],
      cased: ["caseSensitive", "case_sensitive", false],
    },
  },
};

/** What an example has unless it says otherwise. */
const DEFAULTS = Object.fromEntries([
  ["metric", "bleu"],
  ["corpus", false],
  ...Object.values(METRICS).flatMap(({ settings }) => Object.entries(settings).map(([id, [, , value]]) => [id, value ?? ""])),
  ["effective", true],
]);

// The steps that show one segment, of several, too.
const OF_SEGMENT = new Set(["tokens", "characters", "words", "ngrams", "shifts", "edits"]);

const numeric = new Set(["order", "characters", "words", "beta"]);

const weights = () => byId("weights").value.match(/[^\s,;]+/gu)?.map(Number) ?? null;

/** The value of a setting; null is the default of the core. */
function valueOf(id) {
  const field = byId(id);
  if (id === "weights" || (id === "order" && weights())) {
    return id === "weights" ? weights() : null;
  }
  if (field.type === "checkbox") {
    return id === "effective" && field.checked ? null : field.checked;
  }
  return numeric.has(id) ? Number(field.value) : field.value;
}

/** What is typed: the segments of one system or two, and the references of each segment. */
function texts() {
  const [hypothesis, second, references] = TEXTS.map((id) => byId(id).value);
  const typed = second.trim() ? [hypothesis, second] : [hypothesis];
  if (byId("corpus").checked) {
    const all = [...typed, references].map((text) => text.split("\n"));
    // Empty lines at the end are outputs only where another field has as many lines.
    const count = Math.max(...all.map((lines) => lines.findLastIndex(Boolean) + 1), 1);
    all.filter((lines) => lines.length > count).forEach((lines) => (lines.length = count));
    const several = all.pop().map((line) => line.split("|||").map((text) => text.trim()));
    return { systems: all, references: several };
  }
  const filled = references.split("\n").filter((line) => line.trim());
  return { systems: typed.map((text) => [text]), references: [filled.length ? filled : [""]] };
}

/** The settings of the metric that is chosen, by the names that `index` chooses. */
function settings(index) {
  const all = Object.entries(METRICS[byId("metric").value].settings);
  return Object.fromEntries(all.map(([id, names]) => [names[index], valueOf(id)]));
}

/** Write a string as Python does. */
const quoted = (text) => JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** Write a value as Python does. */
function literal(value) {
  if (Array.isArray(value)) {
    return `[${value.map(literal).join(", ")}]`;
  }
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  return typeof value === "string" ? quoted(value) : String(value);
}

/** Write the calls that give the same scores. */
function call({ systems, references }) {
  const name = byId("metric").value;
  const usual = Object.fromEntries(Object.values(METRICS[name].settings).map(([, python, value]) => [python, value]));
  const given = Object.entries(settings(1)).filter(([python, value]) => value !== null && value !== usual[python]);
  const options = given.map(([key, value]) => `${key}=${literal(value)}`);
  const corpus = byId("corpus").checked;
  const kind = `${corpus ? "corpus" : "sentence"}_${name}`;
  const [one, other] = systems.map((hypotheses) => {
    const parts = corpus ? [hypotheses, references] : [hypotheses[0], references[0]];
    return `${kind}(\n    ${[...parts.map(literal), ...options].join(",\n    ")},\n)`;
  });
  if (other) {
    return `from truebleu import ${kind}, decompose\n\none = ${one}\nother = ${other}\nprint(decompose(one, other))`;
  }
  return `from truebleu import ${kind}\n\nprint(${one})`;
}

/** Say in place of the score and its steps why there are none. */
function tell(...message) {
  byId("score").replaceChildren(make("span", { lang: state.language }, ...message));
  delete byId("score").dataset.score;
  byId("steps").replaceChildren();
}

/** Whether there is more text than can be shown. */
function tooLong() {
  const characters = TEXTS.reduce((sum, id) => sum + byId(id).value.length, 0);
  if (characters > MOST_CHARACTERS) {
    return true;
  }
  const { references } = texts();
  return references.length > MOST_SEGMENTS || references.some((several) => several.length > MOST_REFERENCES);
}

/** Score what is typed; return the steps. */
function scored({ systems, references }) {
  const name = byId("metric").value;
  const { Kind, steps } = METRICS[name];
  const chosen = settings(0);
  const metric = new Kind(chosen);
  const corpus = byId("corpus").checked;
  const scores = systems.map((hypotheses) =>
    corpus ? metric.corpus(hypotheses, references) : metric.segment(hypotheses[0], references[0]),
  );
  const [hypotheses] = systems;
  state.segment = Math.min(state.segment, references.length - 1);
  const explained = metric.explain(hypotheses[state.segment], references[state.segment]);
  const found = steps({ explained, score: scores[0], settings: chosen, corpus }, show);
  const segments = corpus ? { segments: segmentsStep(metric, hypotheses, references, show) } : {};
  const apart = scores.length > 1 ? differenceStep(name, scores, chosen) : null;
  // What chrF says here is of one segment.
  const own = corpus && name === "chrf" ? "" : found.summary;
  const summary = [own, ...(apart ? [`B ${fixed(scores[1].score)}`, `A − B ${apart.delta}`] : [])].filter(Boolean).join(" · ");
  return { ...found, score: scores[0].score, summary, steps: { ...segments, ...found.steps }, apart: apart?.parts };
}

const HANGUL = /\p{Script=Hangul}/u;

/** What to ask about what is typed: whether lines are segments, and how Korean is split. */
function questions() {
  const [hypothesis, , references] = TEXTS.map((id) => byId(id).value);
  const lines = hypothesis.split("\n").filter((line) => line.trim()).length;
  const press = (id, value) => () => {
    byId(id)[typeof value === "boolean" ? "checked" : "value"] = value;
    show();
  };
  const asked = [];
  if (!byId("corpus").checked && lines > 1) {
    asked.push([said("askSegments", lines), said("scoreSegments"), press("corpus", true)]);
  }
  if (byId("metric").value === "bleu" && HANGUL.test(hypothesis + references) && byId("tokenizer").value !== "char") {
    asked.push([said("askKorean"), said("useCharacters"), press("tokenizer", "char")]);
  }
  return asked;
}

/** Ask it above the form, each question with a button that answers it. */
function showQuestions() {
  const parts = questions().map(([question, answer, press]) => {
    const button = make("button", { type: "button" }, answer);
    button.addEventListener("click", press);
    return make("span", {}, question, " ", button, " ");
  });
  byId("asked").replaceChildren(...parts);
}

/** Show everything for what is typed; keep the keyboard where it was. */
function show(focused = "") {
  const name = byId("metric").value;
  document.querySelectorAll("[data-of]").forEach((element) => {
    element.hidden = !element.dataset.of.split(" ").includes(name);
  });
  byId("share").disabled = tooLong();
  if (tooLong()) {
    tell(said("tooLong", MOST_CHARACTERS.toLocaleString("en"), MOST_REFERENCES, MOST_SEGMENTS));
    return;
  }
  remember();
  showQuestions();
  let found;
  const typed = texts();
  const counts = [...typed.systems, typed.references].map((lines) => lines.length);
  if (new Set(counts).size > 1) {
    tell(said("unequal", counts.join(", ")));
    return;
  }
  try {
    found = scored(typed);
  } catch (error) {
    tell(said("noScore"), " ", error.message);
    return;
  }
  const score = byId("score");
  score.replaceChildren(`${found.title ?? said("metrics")[name]} = ${fixed(found.score)}`, make("small", {}, found.summary));
  score.dataset.score = String(found.score);
  const result = [
    paragraph("formula", found.formula, make("b", {}, fixed(found.score))),
    paragraph("said", said("python")),
    make("pre", { tabindex: "0", role: "group" }, call(typed)),
  ];
  const shown = { ...found.steps, result, ...(found.apart && { difference: found.apart }) };
  const segment = byId("corpus").checked ? ` (${said("segment")} ${state.segment + 1})` : "";
  const steps = Object.entries(shown).map(([step, parts], index) => {
    const title = `${index + 1}. ${said(`${step}Step`)}${OF_SEGMENT.has(step) ? segment : ""}`;
    return make("div", { id: step }, make("h2", {}, title), ...parts);
  });
  byId("steps").replaceChildren(...steps);
  if (focused) {
    byId("steps").querySelector(focused)?.focus({ preventScroll: true });
  }
}

/** Keep what is typed in the address, unless the browser finds that this happens too often. */
function remember() {
  try {
    history.replaceState(null, "", `#${address()}`);
  } catch {
    // The next change is kept.
  }
}

function address() {
  const parts = new URLSearchParams();
  FIELDS.forEach((id) => parts.set(id, byId(id).value));
  SWITCHES.forEach((id) => parts.set(id, byId(id).checked ? "1" : "0"));
  parts.set("language", state.language);
  return parts.toString();
}

/** Take the language from the address, and return all that is in it. */
function readLanguage() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (Object.hasOwn(WORDS, parts.get("language") ?? "")) {
    state.language = parts.get("language");
  }
  return parts;
}

/** Fill in a field. Chromium would look for the direction of its text anew at each line. */
function fill(field, value) {
  const { dir } = field;
  field.dir = "";
  field.value = value;
  field.dir = dir;
}

/** Take from the address what is in it; what it gets wrong stays as it is. */
function read() {
  const parts = readLanguage();
  for (const id of FIELDS) {
    const field = byId(id);
    const value = parts.get(id);
    if (value !== null && (field.options === undefined || [...field.options].some((each) => each.value === value))) {
      fill(field, value);
    }
  }
  SWITCHES.filter((id) => parts.has(id)).forEach((id) => (byId(id).checked = parts.get(id) === "1"));
}

function use(example) {
  byId("hypothesis").value = example.hypothesis;
  byId("references").value = example.references.join("\n");
  byId("second").value = example.second ?? "";
  const settings = { ...DEFAULTS, ...example.settings };
  Object.entries(settings).forEach(([id, value]) => (byId(id)[typeof value === "boolean" ? "checked" : "value"] = value));
  Object.assign(state, { segment: 0, chosen: null });
}

const options = (names) => names.map((name) => make("option", { value: name }, name));

/** Write all that does not depend on what is typed, in the language. */
function speak() {
  document.documentElement.lang = state.language;
  document.title = said("title");
  document.querySelectorAll("[data-said]").forEach((element) => (element.textContent = said(element.dataset.said)));
  byId("language").lang = state.language === "en" ? "ko" : "en";
  const names = EXAMPLES.map((example, index) => make("option", { value: String(index) }, example.name[state.language]));
  byId("examples").replaceChildren(...names);
}

const upTo = (first, last) => options(Array.from({ length: last - first + 1 }, (_, index) => String(first + index)));

/** Fill in what can be chosen, and show the first example, or what the address has. */
function begin() {
  const known = names();
  byId("metric").append(...Object.keys(METRICS).map((name) => make("option", { value: name }, WORDS.en.metrics[name])));
  byId("tokenizer").append(...options(known.tokenizer));
  byId("smoothing").append(...options(known.smoothing.map(([name]) => name)));
  byId("length").append(...options(known.referenceLength));
  byId("order").append(...upTo(1, MOST_ORDERS));
  byId("characters").append(...upTo(1, MOST_ORDERS));
  byId("words").append(...upTo(0, 4));
  byId("beta").append(...upTo(1, 4));
  use(EXAMPLES[0]);
  read();
  speak();
  byId("inputs").hidden = false;
  byId("language").hidden = false;
  show();
  listen();
}

/** Follow what people do. */
function listen() {
  byId("inputs").addEventListener("input", (event) => {
    if (event.target.id === "examples") {
      use(EXAMPLES[Number(event.target.value)]);
    }
    show();
  });
  byId("inputs").addEventListener("submit", (event) => event.preventDefault());
  byId("language").addEventListener("click", () => {
    state.language = state.language === "en" ? "ko" : "en";
    speak();
    show();
  });
  byId("share").addEventListener("click", async () => {
    const done = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    byId("share").textContent = said(await done.then(() => "copied", () => "notCopied"));
    setTimeout(() => (byId("share").textContent = said("share")), 2000);
  });
  addEventListener("hashchange", () => {
    read();
    speak();
    show();
  });
}

addEventListener("error", (event) => tell(said("broken"), " ", event.message));
// The first language of the reader that the page has, unless the address has another.
state.language = navigator.languages.map((name) => name.slice(0, 2)).find((name) => Object.hasOwn(WORDS, name)) ?? "en";
readLanguage();
speak();

/** Take the core out of the page, where it is compressed and written in base64. */
async function loadCore() {
  const bytes = Uint8Array.from(atob(byId("core").textContent), (c) => c.codePointAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  await load(await new Response(stream).arrayBuffer());
}

loadCore()
  .then(begin)
  .catch((error) => tell(said("broken"), " ", error?.message ?? ""));
