// What the page knows: facts and numbers at once, texts in blocks, when they are needed.

export const byId = (id) => document.getElementById(id);

const NUMBERS = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
};

export const report = { facts: null, numbers: {}, one: 0, other: null, view: 0, kept: null, voters: null };

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

const parsed = async (id) => JSON.parse(new TextDecoder().decode(await unpacked(id)));

/** What the address says after the question mark. */
export const address = () => new URLSearchParams(location.search);

/** Show the metric that the address names; the page comes with the first one. */
function showMetric() {
  const options = [...(byId("metric")?.options ?? [])];
  const number = options.findIndex((option) => option.value === address().get("metric"));
  if (number <= 0) {
    return "";
  }
  byId("view").replaceChildren(byId(`view-${number}`).content);
  byId("metric").selectedIndex = number;
  return `-${number}`;
}

/** Return the two systems that the address names, or else those to look at first. */
export function systemsOfAddress(facts) {
  const [one, other] = ["one", "other"].map((name) => facts.systems.indexOf(address().get(name)));
  if (facts.other === null || one < 0 || other < 0 || one === other) {
    return [facts.one, facts.other];
  }
  return [one, other];
}

/** Add how many n-grams of the higher orders there are: one fewer than of the order below. */
function addTotals(orders) {
  const { numbers } = report;
  for (const name of orders) {
    const [unit, order] = name.split("_");
    if (order !== "1") {
      const below = (kind) => numbers[`row.${unit}_1_${kind}`];
      const reference = below("ref").map((total) => Math.max(0, total - order + 1));
      numbers[`row.${name}_ref`] = reference;
      // Those of an output do not count where the reference has none.
      numbers[`row.${name}_hyp`] = below("hyp").map((total, at) =>
        reference[at] ? Math.max(0, total - order + 1) : 0,
      );
    }
  }
}

export async function loadFacts() {
  Object.assign(spoken, byId("data-words") && (await parsed("data-words")));
  const view = showMetric();
  const [facts, buffer] = await Promise.all([
    parsed(`data-facts${view}`),
    unpacked(`data-numbers${view}`),
  ]);
  let offset = 0;
  for (const [name, type, size] of facts.columns) {
    const column = new NUMBERS[type](buffer, offset, size);
    report.numbers[name] = column;
    offset += Math.ceil(column.byteLength / 8) * 8;
  }
  addTotals(facts.orders);
  report.facts = facts;
  report.view = Number(view.slice(1));
  [report.one, report.other] = systemsOfAddress(facts);
}

// What the page says in its language, by the English; empty if that is English. A metric may call a
// field as what every object has.
const spoken = Object.create(null);

/** Say the text of a template in the language of the page, or a name. */
export const say = (parts, ...values) => {
  const text = [parts].flat().reduce((all, part, at) => `${all}{${at - 1}}${part}`);
  return (spoken[text] ?? text).replace(/\{(\d)\}/g, (place, at) => values[at] ?? place);
};

/** Return a number of a segment, from 0, for a system. */
export const valueOf = (name, system, segment) =>
  report.numbers[name][system * report.facts.segments + segment];

const blocks = [];

/** Unpack texts and edits of the block that a segment is in, once. */
export function block(segment) {
  const number = Math.floor(segment / report.facts.block);
  if (!blocks[number]) {
    const begun = { rows: null, steps: null, promise: null };
    const steps = `data-steps-${report.view}-${number}`;
    begun.promise = Promise.all([
      parsed(`data-texts-${report.facts.texts}-${number}`).then((rows) => (begun.rows = rows)),
      byId(steps) && parsed(steps).then((rows) => (begun.steps = rows)),
    ]);
    blocks[number] = begun;
  }
  return blocks[number];
}

const knownOf = (kind, segment) =>
  blocks[Math.floor(segment / report.facts.block)]?.[kind]?.[segment % report.facts.block] ?? null;

/** Return the edits of a segment for each system; null if there are none, or not yet unpacked. */
export const knownSteps = (segment) => knownOf("steps", segment);

/** Return the texts of a segment if they have been unpacked, else null. */
export const knownTexts = (segment) => knownOf("rows", segment);

/** Return texts and tokens of a segment, from 0, whose block has been unpacked. */
export function textsOf(segment) {
  const [shown, tokens] = knownTexts(segment);
  const { references, source, systems } = report.facts;
  const start = source ? 1 : 0;
  const text = (place) => ({
    shown: shown[start + place],
    tokens: split(tokens[place]),
  });
  const some = [...Array(references).keys()].filter((place) => shown[start + place] !== null);
  return {
    source: source ? shown[0] : null,
    references: some.map(text),
    outputs: systems.map((_, system) => text(references + system)),
  };
}

const split = (tokens) => (tokens ? tokens.split(report.facts.separator) : []);

/** Whether what explains is open at first: on a phone, segments come first. */
export const isWide = () => innerWidth > 768;

/** Let the page answer before work goes on. */
export const breath = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Write a number; the score of a segment may be undefined, or infinite, which is no better.

Scores computed elsewhere have more decimals than others. */
export const fixed = (value, decimals = report.facts.decimals) =>
  Number.isFinite(value) ? value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1") : say`undefined`;
export const signed = (value, decimals = report.facts.decimals) => {
  const text = fixed(value, decimals);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text.replace("-", "−");
};
export const grouped = (value) => value.toLocaleString("en");
export const counted = (value, noun) =>
  (spoken[`{number} ${noun}s`] ?? `{number} ${noun}${value === 1 ? "" : "s"}`).replace("{number}", grouped(value));

// Characters that turn the writing direction, hide, or end a line: shown as their numbers.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const escaped = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
export const visible = (text) => text.replace(HIDDEN, escaped);

/** Return a name in a sentence: one that is written from the right leaves what is around it alone. */
export const isolated = (name) =>
  /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${visible(name)}\u2069` : visible(name);

/** Return the language of sources, or of other texts; null if it is not known. */
export const languageOf = (kind) => report.facts.languages[kind] || null;

/** Set attributes, except for those that are null or undefined; numbers to hundredths. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) {
      element.setAttribute(name, typeof value === "number" ? Math.round(value * 100) / 100 : value);
    }
  }
}

/** Make an element. Text goes in as text, never as HTML. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Put something wide into a box that scrolls, by keyboard too. */
export function scrolling(label, child) {
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": label }, child);
}

/** Put text into an element so that every character can be seen. */
export function write(element, text) {
  let last = 0;
  for (const hidden of text.matchAll(HIDDEN)) {
    element.append(text.slice(last, hidden.index));
    element.append(make("span", { class: "control" }, escaped(hidden[0])));
    last = hidden.index + hidden[0].length;
  }
  element.append(text.slice(last));
  return element;
}

/** Return what a segment contributes to the score, or to the difference of two. */
export const contributionOf = (segment) =>
  valueOf("contribution", report.one, segment) -
  (report.other === null ? 0 : valueOf("contribution", report.other, segment));

/** Return by how much the score of A is higher than that of B in a segment. */
export const difference = (segment) =>
  valueOf("sentence", report.one, segment) - valueOf("sentence", report.other, segment);

/** Return 1 if a higher score is better, else -1. */
export const direction = () => (report.facts.higherIsBetter ? 1 : -1);

/** Go to a segment; the address says which, so that it can be sent to somebody. */
export function openSegment(segment) {
  location.hash = `#segment-${segment + 1}`;
}

/** Mark in some elements where what is searched for is, without changing them. */
export function highlight(name, elements) {
  if (!globalThis.Highlight) {
    return;
  }
  const needle = byId("search").value.trim().toLowerCase();
  const ranges = needle ? [...elements].flatMap((element) => rangesOf(element, needle)) : [];
  CSS.highlights.set(name, new Highlight(...ranges));
}

function rangesOf(element, needle) {
  const nodes = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let whole = "";
  while (walker.nextNode()) {
    nodes.push([whole.length, walker.currentNode]);
    whole += walker.currentNode.data;
  }
  const lower = whole.toLowerCase();
  // A few letters are longer in lower case: then places would be wrong.
  if (lower.length !== whole.length) {
    return [];
  }
  const boundary = (at, isEnd) => {
    const [start, node] = nodes.findLast(([first]) => (isEnd ? first < at : first <= at));
    return [node, at - start];
  };
  const ranges = [];
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
    const range = new Range();
    range.setStart(...boundary(at, false));
    range.setEnd(...boundary(at + needle.length, true));
    ranges.push(range);
  }
  return ranges;
}

// What spreadsheets would run as a formula; in copies and files it begins with an apostrophe.
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Return a cell as text that no spreadsheet runs. */
export const inert = (cell) =>
  FORMULA.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;

/** Copy the text in a box, and say so there. */
export async function copyText(box) {
  const place = box.querySelector("[role=status]");
  try {
    await navigator.clipboard.writeText(box.querySelector("code, pre").textContent);
    place.textContent = say`copied`;
  } catch {
    place.textContent = say`The browser does not let this page copy: select the text.`;
  }
}

/** Let the browser save a file. */
export function download(name, content) {
  const href = URL.createObjectURL(content);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
