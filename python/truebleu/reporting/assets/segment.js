// One segment: its texts, which n-grams match where, and the arithmetic of its scores.

import {
  byId,
  counted,
  fixed,
  influenceOf,
  make,
  openSegment,
  report,
  scrolling,
  signed,
  textsOf,
  valueOf,
  visible,
  write,
} from "./data.js";
import { aligned, explained, formula, marks, partsOf, penaltyLine } from "./ngrams.js";

const shown = { segment: null, order: 0, outputs: [], references: [], focus: null };

/** Show a segment, from 0. */
export async function showSegment(segment) {
  const { facts } = report;
  const texts = await textsOf(segment);
  shown.segment = segment;
  shown.references = texts.references;
  shown.outputs = texts.outputs.map((text, system) => ({
    ...text,
    system,
    orders: explained(
      text.tokens,
      texts.references.map((reference) => reference.tokens),
    ),
  }));
  const place = byId("segment");
  const names = texts.references.map((_, number) =>
    texts.references.length > 1 ? `Reference ${number + 1}` : "Reference",
  );
  place.replaceChildren(
    heading(segment),
    tools(),
    facts.source ? textBlock("Source", plain(texts.source)) : null,
    ...shown.references.map((reference, number) => {
      reference.box = plainTokens(reference);
      return textBlock(names[number], reference.box, counted(reference.tokens.length, "token"));
    }),
    ...ranked(segment).map((system) => output(system, segment)),
    make("p", { class: "hidden", role: "status", id: "lit" }),
  );
  [...place.childNodes].filter((node) => node.nodeType === 3).forEach((node) => node.remove());
}

/** Return the systems: the two that are chosen, then the best of the segment. */
function ranked(segment) {
  const chosen = [report.one, report.other].filter((system) => system !== null);
  const rest = report.facts.systems.map((_, system) => system);
  rest.sort((a, b) => valueOf("sentence", b, segment) - valueOf("sentence", a, segment) || a - b);
  return [...chosen, ...rest.filter((system) => !chosen.includes(system))];
}

function heading(segment) {
  const { facts } = report;
  const step = (label, by) => {
    const button = make("button", { type: "button" }, label);
    button.disabled = segment + by < 0 || segment + by >= facts.segments;
    button.addEventListener("click", () => openSegment(segment + by));
    return button;
  };
  const about = [`${counted(report.numbers.length[segment], "token")} in the reference`];
  if (facts.documents) {
    about.unshift(`document ${visible(facts.documents[report.numbers.document[segment]])}`);
  }
  if (report.other !== null) {
    about.push(`without it A − B changes by ${signed(influenceOf(segment), 4)}`);
  } else {
    about.push(`without it the score changes by ${signed(influenceOf(segment), 4)}`);
  }
  return make(
    "header",
    {},
    make("h3", { id: "segment-title" }, `Segment ${segment + 1}`),
    step("Previous", -1),
    step("Next", 1),
    make("p", {}, about.join(" · ")),
  );
}

/** The orders to choose from, which are the legend as well. */
function tools() {
  const box = make("div", { class: "orders", role: "group", "aria-label": "Marked n-grams" });
  const orders = [...Array(report.facts.orders + 1).keys()];
  for (const order of orders) {
    const label = order ? `order ${order}` : "all orders";
    const button = make(
      "button",
      {
        type: "button",
        "aria-pressed": String(order === shown.order),
        class: order ? `tok level${Math.min(order, 4)}` : "tok",
      },
      label,
    );
    button.addEventListener("click", () => {
      shown.order = order;
      box.querySelectorAll("button").forEach((other, index) => {
        other.setAttribute("aria-pressed", String(index === order));
      });
      shown.outputs.forEach(markTokens);
    });
    box.append(button);
  }
  box.append(
    make("span", { class: "tok clipped" }, "clipped"),
    make("span", { class: "tok missing" }, "no match"),
  );
  return box;
}

const plain = (text) => write(make("p", { class: "text", dir: "auto" }), text);

function textBlock(name, box, note) {
  const title = make("h4", {}, make("bdi", {}, name));
  if (note) {
    title.append(" ", make("small", {}, note));
  }
  return make("div", { class: "block" }, title, box);
}

/** Write a text with an element for each of its tokens. */
function plainTokens(text) {
  const box = make("p", { class: "text", dir: "auto" });
  const spans = aligned(text.shown, text.tokens);
  text.changed = spans === null;
  let last = 0;
  text.spans = text.tokens.map((token, index) => {
    const own = write(make("span", { class: "tok" }), spans ? text.shown.slice(...spans[index]) : token);
    if (spans) {
      write(box, text.shown.slice(last, spans[index][0]));
      last = spans[index][1];
    } else if (index) {
      box.append(" ");
    }
    box.append(own);
    return own;
  });
  if (!text.tokens.length) {
    box.append(make("em", {}, "empty"));
  }
  return box;
}

function output(system, segment) {
  const own = shown.outputs[system];
  const name = visible(report.facts.systems[system]);
  const parts = partsOf(system, segment);
  const role = system === report.one ? "one" : system === report.other ? "other" : "rest";
  const key = { one: "● A ", other: "■ B ", rest: "" }[role];
  own.box = plainTokens(own);
  own.box.setAttribute("role", "listbox");
  own.box.setAttribute("aria-orientation", "horizontal");
  own.box.setAttribute("aria-label", `Output of ${name}: arrow keys go from token to token`);
  own.box.tabIndex = 0;
  own.spans.forEach((span, index) => {
    span.id = `token-${system}-${index}`;
    span.setAttribute("role", "option");
    span.setAttribute("aria-selected", "false");
    span.addEventListener("mouseenter", () => lightToken(own, index));
  });
  own.box.addEventListener("mouseleave", leave);
  own.box.addEventListener("focus", () => {
    shown.focus = () => own.tokens.length && lightToken(own, own.at ?? 0);
    shown.focus();
  });
  own.box.addEventListener("blur", blur);
  own.box.addEventListener("keydown", (event) => walk(own, event));
  markTokens(own);
  const title = make(
    "h4",
    {},
    make("span", { class: `key ${role}`, "aria-hidden": "true" }, key),
    make("bdi", {}, name),
    " ",
    make("b", { class: "points" }, fixed(parts.score)),
    " ",
    make("small", {}, `BLEU of this segment, ${counted(own.tokens.length, "token")}`),
  );
  const box = make("div", { class: `block output ${role}` }, title, own.box);
  if (own.changed) {
    box.append(make("p", { class: "note" }, "Shown as tokens: the tokenizer changes this text."));
  }
  box.append(make("p", { class: "arithmetic" }, shortArithmetic(parts)));
  box.append(details(own, parts));
  return box;
}

const shortArithmetic = (parts) =>
  [
    ...parts.rows.map((row) => `order ${row.order}: ${row.matches}/${row.total}`),
    penaltyLine(parts),
  ].join(" · ");

/** The arithmetic in full, and the n-grams of each order. */
function details(own, parts) {
  const found = make("details", { class: "how" }, make("summary", {}, "How the score comes about"));
  found.addEventListener("toggle", () => {
    if (found.open && found.children.length === 1) {
      found.append(arithmetic(parts), gramTable(own));
    }
  });
  return found;
}

function arithmetic(parts) {
  const header = ["order", "matches", "precision", "smoothed", "weight"];
  const rows = parts.rows.map((row) => [
    row.order,
    `${row.matches}/${row.total}`,
    row.total ? `${fixed(row.plain)} %` : "none",
    row.smoothed ? `${fixed(row.smoothed)} %` : "",
    row.weight ? Number(fixed(row.weight, 4)) : "left out",
  ]);
  return make(
    "div",
    { class: "sum" },
    scrolling("Arithmetic", tableOf(header, rows)),
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
    make("thead", {}, cells("th", header, { scope: "col" })),
    make("tbody", {}, ...rows.map((row) => cells("td", row))),
  );
}

/** List the n-grams; one that has the pointer or the focus is lit up in all texts. */
function gramTable(own) {
  const body = make("tbody");
  for (const grams of own.orders) {
    for (const gram of grams.toSorted((a, b) => state(a).rank - state(b).rank)) {
      const button = make("button", { type: "button", class: "gram" });
      write(button, gram.tokens.join(" "));
      const light = () => lightGram(own, gram);
      const focus = () => {
        shown.focus = light;
        light();
      };
      const row = make(
        "tr",
        { class: state(gram).style },
        make("td", { dir: "auto" }, button),
        ...[gram.order, gram.count, gram.maximum, gram.clipped].map((value) =>
          make("td", {}, String(value)),
        ),
        make("td", {}, state(gram).name),
      );
      row.addEventListener("mouseenter", light);
      row.addEventListener("mouseleave", leave);
      button.addEventListener("focus", focus);
      button.addEventListener("blur", blur);
      body.append(row);
    }
  }
  const header = ["n-gram", "order", "in the output", "in a reference", "counts", "result"];
  const head = make("tr", {}, ...header.map((cell) => make("th", { scope: "col" }, cell)));
  const box = scrolling("N-grams", make("table", {}, make("thead", {}, head), body));
  box.classList.add("grams");
  return box;
}

function state(gram) {
  if (!gram.clipped) {
    return { name: "no match", style: "bad", rank: 2 };
  }
  return gram.clipped < gram.count
    ? { name: "clipped", style: "clipped", rank: 1 }
    : { name: "matches", style: "good", rank: 0 };
}

/** Mark the tokens of an output as the chosen order has them. */
function markTokens(own) {
  const found = marks(own.orders, own.tokens.length, shown.order);
  own.spans.forEach((span, index) => {
    const { level, clipped } = found[index];
    const kind = level ? `level${Math.min(level, 4)}` : clipped ? "clipped" : "missing";
    span.className = `tok ${kind}${level && clipped ? " clipped" : ""}`;
    span.dataset.level = level;
    const said = level ? `part of a match of order ${level}` : clipped ? "clipped" : "no match";
    span.setAttribute("aria-label", `${visible(own.tokens[index])}: ${said}`);
  });
}

/** Light up the longest match that a token is part of, or the token alone. */
function lightToken(own, index) {
  const orders = shown.order ? [own.orders[shown.order - 1]] : own.orders;
  const around = orders.flat().filter((gram) =>
    gram.places.some((start) => start <= index && index < start + gram.order),
  );
  const matching = around.filter((gram) => gram.clipped);
  const best = (matching.length ? matching : around.slice(0, 1)).at(-1);
  if (best) {
    own.spans[own.at ?? 0]?.setAttribute("aria-selected", "false");
    own.at = index;
    own.spans[index].setAttribute("aria-selected", "true");
    own.box.setAttribute("aria-activedescendant", own.spans[index].id);
    lightGram(own, best);
  }
}

function lightGram(own, gram) {
  unlight();
  const key = gram.tokens;
  for (const text of [...shown.references, ...shown.outputs]) {
    for (let start = 0; start + key.length <= text.tokens.length; start += 1) {
      if (key.every((token, offset) => text.tokens[start + offset] === token)) {
        text.spans.slice(start, start + key.length).forEach((span) => span.classList.add("lit"));
      }
    }
  }
  const where = gram.counts.map((count, number) => `${count} in reference ${number + 1}`);
  const text = `“${visible(key.join(" "))}”, order ${gram.order}: ${gram.count} in the output, `;
  byId("lit").textContent = `${text}${where.join(", ")}; counts ${gram.clipped}`;
}

function unlight() {
  byId("segment").querySelectorAll(".lit").forEach((span) => span.classList.remove("lit"));
}

/** When the pointer has gone, what has the focus is lit again. */
function leave() {
  unlight();
  shown.focus?.();
}

function blur() {
  shown.focus = null;
  unlight();
}

/** Go from token to token by keyboard. */
function walk(own, event) {
  const right = getComputedStyle(own.box).direction === "rtl" ? -1 : 1;
  const last = own.tokens.length - 1;
  const at = own.at ?? 0;
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
  lightToken(own, Math.max(0, Math.min(last, to)));
}

