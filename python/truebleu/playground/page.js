// The page: reads what is typed, shows each step, and keeps everything in the address.

import { Bleu, Chrf, load, names, Ter } from "../javascript/truebleu.js";
import { bleuSteps } from "./bleu_steps.js";
import { byId, fixed, make, paragraph, said, state } from "./elements.js";
import { chrfSteps, terSteps } from "./other_steps.js";
import { EXAMPLES, WORDS } from "./words.js";

const MOST_ORDERS = 8;
// Longer texts would stop the page, and are no address.
const MOST_CHARACTERS = 10_000;
const MOST_REFERENCES = 16;
const FIELDS = ["metric", "hypothesis", "references", "tokenizer", "smoothing", "order", "characters", "words", "beta"];
const SWITCHES = ["lowercase", "effective", "whitespace", "normalized", "punctuation", "asian", "cased"];

/** For each metric its class, its steps, its function in Python, and its settings: names here and there, defaults. */
const METRICS = {
  bleu: {
    Kind: Bleu,
    steps: bleuSteps,
    settings: {
      tokenizer: ["tokenizer", "tokenizer", "13a"],
      smoothing: ["smoothing", "smoothing", "exp"],
      order: ["maxOrder", "max_order", 4],
      lowercase: ["lowercase", "lowercase", false],
      effective: ["effectiveOrder", "effective_order", true],
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

const numeric = new Set(["order", "characters", "words", "beta"]);

function valueOf(id) {
  const field = byId(id);
  if (field.type === "checkbox") {
    return field.checked;
  }
  return numeric.has(id) ? Number(field.value) : field.value;
}

function references() {
  const lines = byId("references").value.split("\n");
  const filled = lines.filter((line) => line.trim());
  return filled.length ? filled : [""];
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
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  return typeof value === "string" ? quoted(value) : String(value);
}

/** Write the call that gives the same score. */
function call() {
  const name = byId("metric").value;
  const usual = Object.fromEntries(Object.values(METRICS[name].settings).map(([, python, value]) => [python, value]));
  const given = Object.entries(settings(1)).filter(([python, value]) => value !== usual[python]);
  const several = references().map(quoted).join(", ");
  const parts = [quoted(byId("hypothesis").value), `[${several}]`, ...given.map(([key, value]) => `${key}=${literal(value)}`)];
  return `from truebleu import sentence_${name}\n\nprint(sentence_${name}(\n    ${parts.join(",\n    ")},\n))`;
}

/** Say in place of the score and its steps why there are none. */
function tell(...message) {
  byId("score").replaceChildren(make("span", { lang: state.language }, ...message));
  delete byId("score").dataset.score;
  byId("steps").replaceChildren();
}

/** Whether there is more text than can be shown. */
function tooLong() {
  const several = references();
  const characters = several.reduce((sum, text) => sum + text.length, byId("hypothesis").value.length);
  return characters > MOST_CHARACTERS || several.length > MOST_REFERENCES;
}

/** Score what is typed; return the steps. */
function scored() {
  const { Kind, steps } = METRICS[byId("metric").value];
  const chosen = settings(0);
  const explained = new Kind(chosen).explain(byId("hypothesis").value, references());
  const result = { explained, score: explained.score, settings: chosen, tokenizer: chosen.tokenizer };
  return { score: explained.score.score, ...steps(result, show) };
}

/** Show everything for what is typed; keep the keyboard where it was. */
function show(focused = "") {
  const name = byId("metric").value;
  document.querySelectorAll("[data-of]").forEach((element) => {
    element.hidden = !element.dataset.of.split(" ").includes(name);
  });
  byId("share").disabled = tooLong();
  if (tooLong()) {
    tell(said("tooLong", MOST_CHARACTERS.toLocaleString("en"), MOST_REFERENCES));
    return;
  }
  remember();
  let found;
  try {
    found = scored();
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
    make("pre", { tabindex: "0", role: "group" }, call()),
  ];
  const steps = Object.entries({ ...found.steps, result }).map(([step, parts], index) =>
    make("div", { id: step }, make("h2", {}, `${index + 1}. ${said(`${step}Step`)}`), ...parts),
  );
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

/** Take from the address what is in it; what it gets wrong stays as it is. */
function read() {
  const parts = readLanguage();
  for (const id of FIELDS) {
    const field = byId(id);
    const value = parts.get(id);
    if (value !== null && (field.options === undefined || [...field.options].some((each) => each.value === value))) {
      field.value = value;
    }
  }
  SWITCHES.filter((id) => parts.has(id)).forEach((id) => (byId(id).checked = parts.get(id) === "1"));
}

function use(example) {
  byId("hypothesis").value = example.hypothesis;
  byId("references").value = example.references.join("\n");
  const { metric = "bleu", tokenizer = "13a", lowercase = false } = example.settings ?? {};
  byId("metric").value = metric;
  byId("tokenizer").value = tokenizer;
  byId("lowercase").checked = lowercase;
  state.chosen = null;
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
  byId("smoothing").value = "exp";
  byId("order").append(...upTo(1, MOST_ORDERS));
  byId("order").value = "4";
  byId("characters").append(...upTo(1, MOST_ORDERS));
  byId("characters").value = "6";
  byId("words").append(...upTo(0, 4));
  byId("beta").append(...upTo(1, 4));
  byId("beta").value = "2";
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
