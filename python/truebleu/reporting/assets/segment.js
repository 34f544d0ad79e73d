// One segment: its texts and scores, and what can be said of how they were scored.

import {
  block,
  byId,
  contributionOf,
  counted,
  direction,
  fixed,
  isolated,
  knownSteps,
  languageOf,
  make,
  openSegment,
  report,
  say,
  signed,
  textsOf,
  valueOf,
  visible,
  write,
} from "./data.js";
import {
  averagesOf,
  calculation,
  listenToTokens,
  markLost,
  orderTools,
  shown,
  tokenBox,
} from "./matches.js";
import { editsBox, editsLegend } from "./edits.js";
import { charactersOf, comparedWith, explained } from "./ngrams.js";

const MOST_OTHERS = 3; // Outputs beside those of A and B that are not folded.

/** Show a segment, from 0; `step` tells which one comes before or after another. */
export async function showSegment(segment, step) {
  await block(segment).promise;
  const hint = say`Point at a token, or go to it with the arrow keys, to see its longest match.`;
  byId("segment").replaceChildren(
    heading(segment, step),
    ...legend(segment),
    report.facts.marks ? make("p", { class: "note", role: "status", id: "lit" }, hint) : "",
    ...blocksOf(segment, chosenSystems()),
    ...others(segment),
  );
}

/** Return what the marks of texts mean, if texts have marks. */
function legend(segment) {
  return report.facts.marks ? [orderTools()] : knownSteps(segment) ? [editsLegend()] : [];
}

/** Write segments for paper, with the two systems that are chosen. */
export function printSegments(segments) {
  const boxes = segments.map((segment) => {
    const title = make("h3", {}, say`Segment ${segment + 1}`);
    return make("article", {}, title, about(segment), ...blocksOf(segment, chosenSystems()));
  });
  const place = byId("printed");
  place.replaceChildren(...(boxes.length ? legend(segments[0]) : []), ...boxes);
  place.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
}

/** Return the source, the references and the outputs of some systems, marked. */
function blocksOf(segment, systems) {
  const { facts } = report;
  const texts = textsOf(segment);
  const steps = knownSteps(segment);
  const prepared = facts.marks?.unit === "character" ? (text) => charactersOf(text.shown) : (text) => text;
  shown.references = texts.references.map(prepared);
  shown.outputs = texts.outputs.map((text, system) => ({ ...prepared(text), system, steps: steps?.[system] }));
  const unit = facts.marks?.unit ?? "token";
  const names = texts.references.map((_, number) =>
    texts.references.length > 1 ? say`Reference ${number + 1}` : say`Reference`,
  );
  const boxes = shown.references.map(boxOf);
  if (facts.marks?.unit === "token") {
    shown.references.forEach((reference) => markLost(reference, shown.outputs[report.one]));
  }
  return [
    ...(facts.source ? [textBlock(say`Source`, plain(texts.source, "source"))] : []),
    ...shown.references.map((reference, number) =>
      textBlock(names[number], boxes[number], counted(reference.tokens.length, unit)),
    ),
    ...systems.map((system) => output(system, segment)),
  ];
}

/** Return the references that the n-grams of an output are compared with: of chrF, one. */
function comparable(text, references, segment) {
  if (report.facts.marks.unit === "token") {
    return references;
  }
  const place = comparedWith(text.tokens, references, text.system, segment);
  return [references[Math.max(0, place)]];
}

/** Return the outputs of the other systems, the best of the segment first; many are folded. */
function others(segment) {
  const score = (system) => direction() * valueOf("sentence", system, segment);
  const rest = [...report.facts.systems.keys()]
    .filter((system) => !chosenSystems().includes(system))
    .toSorted((a, b) => score(b) - score(a) || a - b);
  const outputs = () => rest.map((system) => output(system, segment));
  if (rest.length <= MOST_OTHERS) {
    return outputs();
  }
  const box = make("details", {}, make("summary", {}, counted(rest.length, "other system")));
  box.addEventListener("toggle", () => box.append(...outputs()), { once: true });
  return [box];
}

const chosenSystems = () => [report.one, report.other].filter((system) => system !== null);

function heading(segment, step) {
  const button = (label, by) => {
    const to = step(segment, by);
    const made = make("button", { type: "button" }, label);
    made.disabled = to === null;
    made.addEventListener("click", () => openSegment(to));
    return made;
  };
  return make(
    "header",
    {},
    make("h3", { id: "segment-title" }, say`Segment ${segment + 1}`),
    button(say`Previous`, -1),
    button(say`Next`, 1),
    about(segment),
  );
}

/** Say what is known of a segment without its texts. */
function about(segment) {
  const { facts } = report;
  const said = facts.hasLengths
    ? [say`${counted(report.numbers.length[segment], "token")} in the reference`]
    : [];
  if (facts.documents) {
    said.unshift(say`document ${isolated(facts.documents[report.numbers["group.document"][segment]])}`);
  }
  const contribution = signed(contributionOf(segment), facts.decimals + 2);
  said.push(
    report.other === null
      ? say`contributes ${contribution} ${visible(facts.metric)} to the score`
      : say`contributes ${contribution} ${visible(facts.metric)} to A − B`,
  );
  return make("p", { class: "note" }, said.join(" · "));
}

const plain = (text, kind = "target") =>
  text
    ? write(make("p", { class: "text", dir: "auto", lang: languageOf(kind) }), text)
    : make("p", { class: "text" }, make("em", {}, say`empty`));

// Whether the first letter is of a script that is written from the right.
const FROM_RIGHT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Write a text: token by token if matches will be marked in it. */
function boxOf(text) {
  text.box = report.facts.marks ? tokenBox(text) : plain(text.shown);
  return text.box;
}

/** Return the direction of a block: its rule and heading are where its text begins. */
const sideOf = (box) => (FROM_RIGHT.test(box.textContent) ? "rtl" : null);

function textBlock(name, box, note) {
  const title = make("h4", {}, make("bdi", {}, name));
  if (note) {
    title.append(" ", make("small", {}, note));
  }
  return make("div", { class: "block", dir: sideOf(box) }, title, box);
}

function output(system, segment) {
  const { facts } = report;
  const text = shown.outputs[system];
  const name = visible(facts.systems[system]);
  const role = system === report.one ? "one" : system === report.other ? "other" : "rest";
  const alone = report.other === null;
  const key = { one: alone ? "● " : "● A ", other: "■ B ", rest: "" }[role];
  const score = fixed(valueOf("sentence", system, segment));
  const note = facts.hasTexts
    ? say`${visible(facts.metric)} of this segment, ${counted(text.tokens.length, facts.marks?.unit ?? "token")}`
    : say`${visible(facts.metric)} of this segment`;
  const title = make(
    "h4",
    {},
    make("span", { class: `key ${role}`, "aria-hidden": "true" }, key),
    make("bdi", {}, name),
    " ",
    make("b", { class: "points" }, score),
    " ",
    make("small", {}, note),
  );
  const inner = facts.hasTexts ? [boxOf(text)] : [];
  const dir = inner.map(sideOf)[0] ?? null;
  const box = make("div", { class: `block output ${role}`, dir }, title, ...inner);
  if (facts.marks) {
    const references = shown.references.map((reference) => reference.tokens);
    text.orders = explained(text.tokens, comparable(text, references, segment));
    listenToTokens(text, name);
    box.append(...(facts.ngrams ? calculation(text, segment) : averagesOf(system, segment)));
  } else {
    if (text.steps) {
      box.append(editsBox(text.steps, text, shown.references));
    }
    const written = (value) => (Number.isInteger(value) ? String(value) : fixed(value));
    const fields = facts.fields.map(
      (field) => `${visible(say(field))}: ${written(valueOf(`row.${field}`, system, segment))}`,
    );
    if (fields.length) {
      box.append(make("p", { class: "arithmetic" }, fields.join(" · ")));
    }
  }
  if (facts.others.length) {
    const others = facts.others.map(
      ({ name: metric, decimals }, place) =>
        `${visible(metric)}: ${fixed(valueOf(`other.${place}`, system, segment), decimals)}`,
    );
    box.append(make("p", { class: "arithmetic elsewhere" }, others.join(" · ")));
  }
  return box;
}
