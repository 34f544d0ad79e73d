// Which n-grams of an output match, marked in its text; and the arithmetic of its score.

import { byId, fixed, languageOf, make, report, say, scrolling, valueOf, visible, write } from "./data.js";
import { aligned, formula, marks, partsOf, penaltyLine } from "./ngrams.js";

/** The texts of the segment that is shown, and the order that is marked. */
export const shown = { order: 0, outputs: [], references: [] };

/** Return how an order is marked: those of characters are many, and share four marks. */
function levelOf(order) {
  const { orders, unit } = report.facts.marks;
  const level = unit === "character" ? Math.ceil((4 * order) / orders) : order;
  return `level${Math.min(level, 4)}`;
}

/** The orders to choose from, which are the legend as well. */
export function orderTools() {
  const box = make("div", { class: "orders", role: "group", "aria-label": say`Marked n-grams` });
  const orders = [...Array(report.facts.marks.orders + 1).keys()];
  for (const order of orders) {
    const button = make(
      "button",
      {
        type: "button",
        "aria-pressed": String(order === shown.order),
        class: order ? `tok ${levelOf(order)}` : "tok",
      },
      order ? say`order ${order}` : say`all orders`,
    );
    button.addEventListener("click", () => {
      shown.order = order;
      box.querySelectorAll("button").forEach((other, index) => {
        other.setAttribute("aria-pressed", String(index === order));
      });
      shown.outputs.filter((text) => text.spans).forEach(markTokens);
    });
    box.append(button);
  }
  box.append(
    make("span", { class: "tok clipped" }, say`clipped`),
    make("span", { class: "tok missing" }, say`no match`),
    ...(report.facts.marks.unit === "token"
      ? [make("span", { class: "tok lost" }, report.other === null ? say`not in the output` : say`not in A`)]
      : []),
  );
  return box;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Write a text with an element for each of its tokens. */
export function tokenBox(text) {
  const kind = report.facts.marks.unit === "character" ? "text characters" : "text";
  const box = make("p", { class: kind, lang: languageOf("target") });
  // Where no spaces are between words, it is shown where tokens end.
  box.classList.toggle("unspaced", report.facts.marks.unit === "token" && UNSPACED.test(text.shown));
  const places = text.places ?? aligned(text.shown, text.tokens);
  text.changed = places === null;
  let last = 0;
  text.spans = text.tokens.map((token, index) => {
    const piece = places ? text.shown.slice(...places[index]) : token;
    const span = write(make("span", { class: "tok" }), piece);
    if (places) {
      write(box, text.shown.slice(last, places[index][0]));
      last = places[index][1];
    } else if (index) {
      box.append(" ");
    }
    box.append(span);
    return span;
  });
  if (!text.tokens.length) {
    box.append(make("em", {}, say`empty`));
  }
  // Before, Chromium would look for the direction anew at each token.
  box.dir = "auto";
  return box;
}

/** Let pointer and keyboard walk through the tokens of an output. */
export function listenToTokens(text, name) {
  const { box } = text;
  if (!text.tokens.length) {
    return;
  }
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-orientation", "horizontal");
  box.setAttribute("aria-label", say`Output of ${name}: arrow keys go from ${say(report.facts.marks.unit)} to ${say(report.facts.marks.unit)}`);
  box.tabIndex = 0;
  text.spans.forEach((span, index) => {
    span.id = `token-${text.system}-${index}`;
    span.setAttribute("role", "option");
    span.setAttribute("aria-selected", "false");
    span.addEventListener("mouseenter", () => lightToken(text, index));
  });
  const light = () => lightToken(text, text.at ?? 0);
  // When the pointer has gone, what has the focus is lit again.
  box.addEventListener("mouseleave", () => (box.matches(":focus") ? light() : unlight()));
  box.addEventListener("focus", light);
  box.addEventListener("blur", unlight);
  box.addEventListener("keydown", (event) => walk(text, event));
  markTokens(text);
}

/** Return what is said below an output of chrF: how it follows from its orders. */
export function averagesOf(system, segment) {
  const { orders, formula: whole } = report.facts;
  const value = (name) => valueOf(`row.${name}`, system, segment);
  const [precision, recall] = [value("precision"), value("recall")];
  const score = valueOf("sentence", system, segment);
  const line = say`precision: ${fixed(precision)} · recall: ${fixed(recall)}`;
  const box = make("p", { class: "arithmetic" }, line);
  const rate = (match, all) => (all ? `${fixed((100 * match) / all)}%` : say`none`);
  const rows = orders.map((order) => {
    const [hyp, ref, match] = ["hyp", "ref", "match"].map((name) => value(`${order}_${name}`));
    const [kind, number] = order.split("_");
    return [kind === "char" ? say`character ${number}` : say`word ${number}`, match, hyp, ref, rate(match, hyp), rate(match, ref)];
  });
  const header = ["order", "matches", "in the output", "in the reference", "precision", "recall"];
  const beta = `${Number(Math.sqrt(whole?.squaredBeta ?? 0).toFixed(4))}²`;
  const [p, r] = [fixed(precision), fixed(recall)];
  const calculated = `(1 + ${beta}) × ${p} × ${r} / (${beta} × ${p} + ${r}) = ${fixed(score)}`;
  return [
    box,
    make(
      "details",
      { class: "how" },
      make("summary", {}, say`How this score is calculated`),
      scrolling(say`Arithmetic`, tableOf(header, rows)),
      make("p", { class: "note" }, say`Precision and recall are averages over the orders that both texts have.`),
      whole && precision + recall ? make("p", {}, make("code", { class: "formula" }, calculated)) : "",
    ),
  ];
}

/** Return what is said below an output: its arithmetic in a line, and in full on demand. */
export function calculation(text, segment) {
  const parts = partsOf(text.system, segment);
  const orders = parts.rows.map((row) => say`order ${row.order}: ${row.matches}/${row.total}`);
  const line = [...orders, penaltyLine(parts)].join(" · ");
  const note = say`Shown as tokens: the tokenizer changes this text.`;
  return [
    ...(text.changed ? [make("p", { class: "note" }, note)] : []),
    make("p", { class: "arithmetic" }, line),
    arithmetic(parts),
  ];
}

function arithmetic(parts) {
  const header = ["order", "matches", "precision", "smoothed", "weight"];
  const rows = parts.rows.map((row) => [
    row.order,
    `${row.matches}/${row.total}`,
    row.total ? `${fixed(row.plain)}%` : say`none`,
    row.smoothed ? `${fixed(row.smoothed)}%` : "",
    row.weight ? Number(fixed(row.weight, 4)) : say`left out`,
  ]);
  return make(
    "details",
    { class: "how" },
    make("summary", {}, say`How this score is calculated`),
    scrolling(say`Arithmetic`, tableOf(header, rows)),
    make("p", {}, penaltyLine(parts)),
    make("p", {}, make("code", { class: "formula" }, formula(parts))),
  );
}

function tableOf(header, rows) {
  const cells = (tag, row, attributes = {}) =>
    make("tr", {}, ...row.map((cell) => make(tag, attributes, String(cell))));
  return make(
    "table",
    {},
    make("thead", {}, cells("th", header.map((name) => say(name)), { scope: "col" })),
    make("tbody", {}, ...rows.map((row) => cells("td", row))),
  );
}

/** Mark the tokens of an output by the chosen order. */
function markTokens(text) {
  const all = marks(text.orders, text.tokens.length, shown.order);
  text.spans.forEach((span, index) => {
    const { level, clipped } = all[index];
    const kind = level ? levelOf(level) : clipped ? "clipped" : "missing";
    // Few characters are not clipped somewhere: that is said of those without a match.
    const both = level && clipped && report.facts.marks.unit === "token";
    span.className = `tok ${kind}${both ? " clipped" : ""}`;
    span.dataset.level = level;
    const said = level ? say`part of a match of order ${level}` : clipped ? say`clipped` : say`no match`;
    span.setAttribute("aria-label", `${visible(text.tokens[index])}: ${said}`);
  });
}

/** Mark what a reference has more often than an output. */
export function markLost(reference, output) {
  const left = new Map();
  output.tokens.forEach((token) => left.set(token, (left.get(token) ?? 0) + 1));
  reference.tokens.forEach((token, index) => {
    const rest = left.get(token) ?? 0;
    left.set(token, rest - 1);
    reference.spans[index].classList.toggle("lost", rest <= 0);
  });
}

/** Light up the longest match that a token is part of, or the token alone. */
function lightToken(text, index) {
  const orders = shown.order ? [text.orders[shown.order - 1]] : text.orders;
  const around = orders
    .flat()
    .filter((gram) => gram.places.some((start) => start <= index && index < start + gram.order));
  const matching = around.filter((gram) => gram.clipped);
  const best = (matching.length ? matching : around.slice(0, 1)).at(-1);
  if (best) {
    text.spans[text.at ?? 0]?.setAttribute("aria-selected", "false");
    text.at = index;
    text.spans[index].setAttribute("aria-selected", "true");
    text.box.setAttribute("aria-activedescendant", text.spans[index].id);
    lightGram(best);
  }
}

function lightGram(gram) {
  unlight();
  const key = gram.tokens;
  for (const text of [...shown.references, ...shown.outputs].filter((each) => each.spans)) {
    for (let start = 0; start + key.length <= text.tokens.length; start += 1) {
      if (key.every((token, offset) => text.tokens[start + offset] === token)) {
        text.spans.slice(start, start + key.length).forEach((span) => span.classList.add("lit"));
      }
    }
  }
  const character = report.facts.marks.unit === "character";
  const where = gram.counts.map(
    (count, number) => (character ? say`${count} in the reference` : say`${count} in reference ${number + 1}`),
  );
  const shownKey = visible(key.join(character ? "" : " "));
  byId("lit").textContent =
    say`“${shownKey}”, order ${gram.order}: ${gram.count} in the output, ${where.join(", ")}; ${gram.clipped} credited`;
}

function unlight() {
  byId("segment").querySelectorAll(".lit").forEach((span) => span.classList.remove("lit"));
}

/** Go from token to token by keyboard. */
function walk(text, event) {
  const right = getComputedStyle(text.box).direction === "rtl" ? -1 : 1;
  const last = text.tokens.length - 1;
  const at = text.at ?? 0;
  const to = {
    ArrowRight: at + right,
    ArrowLeft: at - right,
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
  }[event.key];
  if (to === undefined || last < 0) {
    return;
  }
  event.preventDefault();
  lightToken(text, Math.max(0, Math.min(last, to)));
}
