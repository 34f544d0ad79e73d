// What the page is made of: elements, lines of tokens, tables, and what it says.

import { WORDS } from "./words.js";

const LEVELS = 4;

/** What is chosen: the language, the segment that is shown, the order of its n-grams that are listed, and one of these. */
export const state = { language: "en", segment: 0, order: 1, chosen: null };

export const byId = (id) => document.getElementById(id);

export const fixed = (value, digits = 2) => value.toFixed(digits);

export const said = (name, ...parts) => {
  const words = WORDS[state.language][name];
  return typeof words === "function" ? words(...parts) : words;
};

/** Make an element; what is text stays text. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const paragraph = (kind, ...children) => make("p", { class: kind }, ...children);

/** One line of tokens. `kindsOf` says how each is marked; `space` is between two. */
export function line(tokens, kindsOf, space = " ") {
  const mark = (token, index) => [make("span", { class: `tok ${kindsOf(index).join(" ")}` }, token), space];
  const parts = tokens.length ? tokens.flatMap(mark) : [make("em", {}, said("empty"))];
  const text = make("p", { class: "text" }, ...parts);
  // Before, Chromium would look for the direction anew at each part.
  text.dir = "auto";
  return text;
}

/** Lines with the names of their texts beside them. */
export function sides(...lines) {
  const named = lines.flatMap(([name, text]) => [make("span", { class: "name" }, name), text]);
  return make("div", { class: "sides" }, ...named);
}

/** What the marks mean that occur. */
export function legend(kinds, names) {
  const shown = new Set(kinds);
  const known = Object.entries(names).filter(([kind]) => shown.has(kind));
  const all = known.flatMap(([kind, name]) => [make("span", { class: `tok ${kind}` }, name), " "]);
  return make("p", { class: "legend" }, ...all);
}

export const level = (order) => (order ? `level${Math.min(order, LEVELS)}` : "missing");

/** What the levels mean; the last may stand for longer n-grams, too. */
export const levelNames = (highest) =>
  Object.fromEntries(
    [1, 2, 3, LEVELS].map((order) => [`level${order}`, said("legend", order, order === LEVELS && Math.max(...highest) > LEVELS)]),
  );

export function table(header, rows) {
  const cells = (name, row) => row.map((cell) => make(name, {}, cell));
  const body = rows.map((row) => make("tr", {}, ...cells("td", row)));
  const head = make("thead", {}, make("tr", {}, ...cells("th", header)));
  const inside = make("table", {}, head, make("tbody", {}, ...body));
  return make("div", { class: "wide", tabindex: "0", role: "group" }, inside);
}

/** Write a button that says whether it is pressed. */
export function button(text, pressed, press) {
  const made = make("button", { type: "button", "aria-pressed": String(pressed) }, text);
  made.addEventListener("click", press);
  return made;
}

/** Whether a unit is part of an n-gram that begins at one of these places. */
export const within = (gram, places, index) =>
  gram !== undefined && places.some((start) => index >= start && index < start + gram.order);

/** The n-grams of one order, which can be chosen, with their counts in each text. */
export function ngramTable(orders, names, space, show) {
  state.order = Math.min(state.order, orders.length);
  const choice = make("div", { class: "orders" });
  orders.forEach((_, index) => {
    const press = () => {
      state.order = index + 1;
      show(`.orders button:nth-child(${index + 1})`);
    };
    choice.append(button(said("ngramsOf", index + 1), index + 1 === state.order, press));
  });
  const rows = orders[state.order - 1].map((gram, index) => {
    const press = () => {
      state.chosen = gram.key === state.chosen ? null : gram.key;
      show(`tbody tr:nth-child(${index + 1}) button`);
    };
    const counts = [gram.places, ...gram.referencePlaces].map((places) => String(places.length));
    return [button(gram.texts.join(space), gram.key === state.chosen, press), ...counts, String(gram.clipped)];
  });
  const header = [said("ngram"), said("inHypothesis"), ...names, said("counted")];
  return [choice, rows.length ? table(header, rows) : make("p", {}, said("noNgrams"))];
}

/** Give n-grams what the page shows of them: their order, their texts, and a key. */
export function named(orders, own, others) {
  return orders.map((grams, index) =>
    grams.map((gram) => {
      const order = index + 1;
      const [start] = gram.places;
      const found = gram.referencePlaces.findIndex((places) => places.length);
      const [units, from] = start === undefined ? [others[found], gram.referencePlaces[found][0]] : [own, start];
      const texts = units.slice(from, from + order).map((unit) => unit.text);
      return { ...gram, order, texts, key: JSON.stringify(texts) };
    }),
  );
}

export const chosenOf = (orders) => orders.flat().find((gram) => gram.key === state.chosen);
