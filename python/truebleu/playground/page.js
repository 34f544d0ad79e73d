// The page: reads what is typed, shows each step, and keeps everything in the address.

import { explain, marks, TOKENIZERS, VALUES } from "./bleu.js";
import { EXAMPLES, WORDS } from "./words.js";

const MOST_ORDERS = 8;
const LEVELS = 4;

const byId = (id) => document.getElementById(id);
const FIELDS = ["hypothesis", "references", "tokenizer", "smoothing", "order"];
const SWITCHES = ["lowercase", "effective"];

let language = "en";
let shownOrder = 1;
let chosen = null;

const said = (name, ...parts) => {
  const words = WORDS[language][name];
  return typeof words === "function" ? words(...parts) : words;
};

/** Make an element; what is text stays text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const fixed = (value, digits = 2) => value.toFixed(digits);

function settings() {
  return {
    tokenizer: byId("tokenizer").value,
    smoothing: byId("smoothing").value,
    order: Number(byId("order").value),
    lowercase: byId("lowercase").checked,
    effective: byId("effective").checked,
  };
}

function references() {
  const lines = byId("references").value.split("\n");
  const filled = lines.filter((line) => line.trim());
  return filled.length ? filled : [""];
}

/** One line of tokens; a choice lights those of one n-gram. */
function line(tokens, kindsOf) {
  const paragraph = make("p", { class: "text", dir: "auto" });
  tokens.forEach((token, index) => {
    paragraph.append(make("span", { class: `tok ${kindsOf(index).join(" ")}` }, token), " ");
  });
  if (!tokens.length) {
    paragraph.append(make("em", {}, said("empty")));
  }
  return paragraph;
}

const within = (gram, places, index) =>
  gram !== null && places.some((start) => index >= start && index < start + gram.order);

function tokensStep(result) {
  const all = marks(result, 0);
  const gram = chosen === null ? null : (result.orders.flat().find((each) => each.key === chosen) ?? null);
  const kinds = (index) => {
    const { level, clipped } = all[index];
    const found = [level ? `level${Math.min(level, LEVELS)}` : clipped ? "clipped" : "missing"];
    return within(gram, gram?.places ?? [], index) ? [...found, "lit"] : found;
  };
  const sides = make("div", { class: "sides" });
  sides.append(make("span", { class: "name" }, said("hypothesisShort")), line(result.tokens, kinds));
  result.references.forEach((tokens, number) => {
    const lit = (index) => (within(gram, gram?.found[number] ?? [], index) ? ["lit"] : []);
    sides.append(make("span", { class: "name" }, said("referenceShort", number + 1)), line(tokens, lit));
  });
  const legend = make("p", { class: "legend" });
  const shown = new Set(result.tokens.flatMap((_, index) => kinds(index)));
  for (let level = 1; level <= LEVELS; level += 1) {
    if (shown.has(`level${level}`)) {
      legend.append(make("span", { class: `tok level${level}` }, said("legend", level)), " ");
    }
  }
  for (const kind of ["clipped", "missing"]) {
    if (shown.has(kind)) {
      legend.append(make("span", { class: `tok ${kind}` }, said(`${kind}Legend`)), " ");
    }
  }
  return [make("p", { class: "said" }, said("tokensSaid")[settings().tokenizer]), sides, legend];
}

function table(header, rows) {
  const cells = (name, row) => row.map((cell) => make(name, {}, cell));
  const body = rows.map((row) => make("tr", {}, ...cells("td", row)));
  const head = make("thead", {}, make("tr", {}, ...cells("th", header)));
  const inside = make("table", {}, head, make("tbody", {}, ...body));
  return make("div", { class: "wide", tabindex: "0", role: "group" }, inside);
}

function ngramsStep(result) {
  shownOrder = Math.min(shownOrder, result.orders.length);
  const choice = make("div", { class: "orders" });
  for (let order = 1; order <= result.orders.length; order += 1) {
    const pressed = String(order === shownOrder);
    const button = make("button", { type: "button", "aria-pressed": pressed }, said("ngramsOf", order));
    button.addEventListener("click", () => {
      shownOrder = order;
      show(`.orders button:nth-child(${order})`);
    });
    choice.append(button);
  }
  const grams = result.orders[shownOrder - 1];
  const names = result.references.map((_, number) => said("referenceShort", number + 1));
  const rows = grams.map((gram, index) => {
    const pressed = String(gram.key === chosen);
    const button = make("button", { type: "button", "aria-pressed": pressed }, gram.tokens.join(" "));
    button.addEventListener("click", () => {
      chosen = gram.key === chosen ? null : gram.key;
      show(`tbody tr:nth-child(${index + 1}) button`);
    });
    return [button, String(gram.count), ...gram.counts.map(String), String(gram.match)];
  });
  const shown = grams.length
    ? table([said("ngram"), said("inHypothesis"), ...names, said("counted")], rows)
    : make("p", {}, said("noNgrams"));
  return [make("p", { class: "said" }, said("ngramsSaid")), choice, shown];
}

function precisionsStep(result) {
  const rows = result.orders.map((_, index) => {
    const [match, total] = [result.matches[index], result.totals[index]];
    const value = result.precisions[index];
    const out = index >= result.used;
    const plain = total ? (100 * match) / total : 0;
    const changed = value !== undefined && Math.abs(value - plain) > 1e-9;
    const text = out ? said("leftOut") : value === undefined ? "–" : `${fixed(value)}%`;
    const note = changed && !out ? ` (${said("smoothedNote")})` : "";
    return [String(index + 1), String(match), String(total), text + note];
  });
  const header = [said("orderShort"), said("matches"), said("total"), said("precision")];
  return [make("p", { class: "said" }, said("precisionsSaid")), table(header, rows)];
}

function meanStep(result) {
  const logs = result.precisions.map((precision) => `ln ${fixed(precision / 100, 4)}`);
  const weight = result.used === 1 ? "" : `1/${result.used} · `;
  const formula = result.mean
    ? `exp(${weight}(${logs.join(" + ")})) = ${fixed(result.mean, 4)}`
    : said("meanZero");
  return [make("p", { class: "said" }, said("meanSaid")), make("p", { class: "formula" }, formula)];
}

function penaltyStep(result) {
  const [c, r] = [result.tokens.length, result.expected];
  let formula = said("noPenalty", c, r);
  if (!c && r) {
    formula = said("noTokens");
  } else if (c < r) {
    formula = `c = ${c}, r = ${r}: BP = exp(1 − ${r}/${c}) = ${fixed(result.penalty, 4)}`;
  }
  return [make("p", { class: "said" }, said("penaltySaid")), make("p", { class: "formula" }, formula)];
}

/** Write a string as Python does. */
const quoted = (text) => JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** Write the call that gives the same score. */
function call(chosenSettings) {
  const { tokenizer, smoothing, order, lowercase, effective } = chosenSettings;
  const given = [
    tokenizer === "13a" ? "" : `tokenizer="${tokenizer}"`,
    smoothing === "exp" ? "" : `smoothing="${smoothing}"`,
    VALUES[smoothing] === null ? "" : `smooth_value=${VALUES[smoothing]}`,
    order === 4 ? "" : `max_order=${order}`,
    lowercase ? "lowercase=True" : "",
    effective ? "" : "effective_order=False",
  ].filter(Boolean);
  const several = references().map(quoted).join(", ");
  const parts = [quoted(byId("hypothesis").value), `[${several}]`, ...given];
  return `from truebleu import sentence_bleu\n\nprint(sentence_bleu(\n    ${parts.join(",\n    ")},\n))`;
}

function resultStep(result) {
  const text = `BLEU = 100 · ${fixed(result.penalty, 4)} · ${fixed(result.mean, 4)} = `;
  return [
    make("p", { class: "formula" }, text, make("b", {}, fixed(result.score))),
    make("p", { class: "said" }, said("python")),
    make("pre", { tabindex: "0", role: "group" }, call(settings())),
  ];
}

const STEPS = {
  tokens: tokensStep,
  ngrams: ngramsStep,
  precisions: precisionsStep,
  mean: meanStep,
  penalty: penaltyStep,
  result: resultStep,
};

/** Show everything for what is typed; keep the keyboard where it was. */
function show(focused = "") {
  const result = explain(byId("hypothesis").value, references(), settings());
  const score = byId("score");
  const logs = result.precisions.slice(0, result.used).map((precision) => fixed(precision, 1));
  score.replaceChildren(
    `BLEU = ${fixed(result.score)}`,
    make("small", {}, `${logs.join(" / ")} · BP ${fixed(result.penalty, 3)}`),
  );
  score.dataset.score = String(result.score);
  const steps = Object.entries(STEPS).map(([name, step]) =>
    make("div", { id: name }, make("h2", {}, said(name)), ...step(result)),
  );
  byId("steps").replaceChildren(...steps);
  if (focused) {
    byId("steps").querySelector(focused)?.focus({ preventScroll: true });
  }
  history.replaceState(null, "", `#${address()}`);
}

function address() {
  const parts = new URLSearchParams();
  FIELDS.forEach((id) => parts.set(id, byId(id).value));
  SWITCHES.forEach((id) => parts.set(id, byId(id).checked ? "1" : "0"));
  parts.set("language", language);
  return parts.toString();
}

/** Take from the address what is in it; what it gets wrong stays as it is. */
function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (Object.hasOwn(WORDS, parts.get("language") ?? "")) {
    language = parts.get("language");
  }
  for (const id of FIELDS) {
    const field = byId(id);
    const value = parts.get(id);
    if (value !== null && (field.options === undefined || [...field.options].some((each) => each.value === value))) {
      field.value = value;
    }
  }
  SWITCHES.filter((id) => parts.has(id)).forEach((id) => (byId(id).checked = parts.get(id) === "1"));
  return parts.has("hypothesis");
}

function use(example) {
  byId("hypothesis").value = example.hypothesis;
  byId("references").value = example.references.join("\n");
  const { tokenizer = "13a", lowercase = false } = example.settings ?? {};
  byId("tokenizer").value = tokenizer;
  byId("lowercase").checked = lowercase;
  chosen = null;
}

const options = (names) => names.map((name) => make("option", { value: name }, name));

/** Write all that does not depend on what is typed, in the language. */
function speak() {
  document.documentElement.lang = language;
  document.title = said("title");
  document.querySelectorAll("[data-said]").forEach((element) => (element.textContent = said(element.dataset.said)));
  byId("language").lang = language === "en" ? "ko" : "en";
  const names = EXAMPLES.map((example, index) => make("option", { value: String(index) }, example.name[language]));
  byId("examples").replaceChildren(...names);
}

byId("tokenizer").append(...options(Object.keys(TOKENIZERS)));
byId("smoothing").append(...options(Object.keys(VALUES)));
byId("order").append(...options(Array.from({ length: MOST_ORDERS }, (_, index) => String(index + 1))));
byId("order").value = "4";
use(EXAMPLES[0]);
read();
speak();
show();

byId("inputs").addEventListener("input", (event) => {
  if (event.target.id === "examples") {
    use(EXAMPLES[Number(event.target.value)]);
  }
  show();
});
byId("inputs").addEventListener("submit", (event) => event.preventDefault());
byId("language").addEventListener("click", () => {
  language = language === "en" ? "ko" : "en";
  speak();
  show();
});
byId("share").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  byId("share").textContent = said("copied");
  setTimeout(() => (byId("share").textContent = said("share")), 2000);
});
addEventListener("hashchange", () => {
  read();
  speak();
  show();
});
