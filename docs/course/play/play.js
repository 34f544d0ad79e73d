// Puts a figure that can be changed in the place of each figure of a page: guess, reveal, edit. The
// figure of the page stays, folded; without this script, it is all there is.

import { load } from "../javascript/truebleu.js";
import { make, paragraph, state } from "../playground/elements.js";
import { FIGURES } from "./figures.js";
import { exampleNames, say } from "./words.js";

// Longer texts would stop the page.
const MOST_CHARACTERS = 3000;
const MOST_LINES = 16;

const PLAYGROUND = new URL("../../playground.html", import.meta.url);
const FIELDS = { hypotheses: "hypothesis", reference: "references" };

/** Make a field or a control; return it with its label. */
function input(id, control, changed, name) {
  let [field, shown] = [null, ""];
  if (control === undefined) {
    field = make("textarea", { rows: "2", dir: "auto", spellcheck: "false" });
  } else if (control.kind === "choice") {
    field = make("select", {}, ...control.options().map((name) => make("option", { value: name }, name)));
  } else if (control.kind === "tick") {
    field = make("input", { type: "checkbox" });
  } else {
    field = make("input", { type: "range", min: control.min, max: control.max, step: control.step });
    shown = make("output", {});
  }
  field.name = id;
  const said = make("span", {}, say("labels")[name]);
  const inside = control?.kind === "tick" ? [field, " ", said] : [said, " ", make("span", { class: "slider" }, field, " ", shown)];
  field.addEventListener("input", changed);
  return { id, control, field, shown, label: make("label", { class: control ? control.kind : "field" }, ...inside) };
}

/** Write a value into a field, or a control. */
function write({ control, field, shown }, value) {
  if (control?.kind === "tick") {
    field.checked = value;
  } else {
    field.value = value;
  }
  if (shown) {
    shown.textContent = field.value;
  }
}

const linesOf = (text) => text.split("\n").filter((part) => part.trim());

/** Read a field or a control; `separated` references are of one segment per line. */
function read({ id, control, field }, separated) {
  if (control) {
    return { tick: field.checked, range: Number(field.value), choice: field.value }[control.kind];
  }
  const lines = linesOf(field.value);
  if (id === "references") {
    return separated ? lines.map((part) => part.split("|||").map((text) => text.trim())) : lines;
  }
  return id === "hypotheses" ? lines : field.value.replaceAll("\n", " ");
}

/** The address of the playground with the same texts and settings. */
function address(figure, inputs) {
  const parts = new URLSearchParams({ metric: figure.metric, language: state.language });
  for (const { id, control, field } of inputs) {
    parts.set(FIELDS[id] ?? id, control?.kind === "tick" ? String(Number(field.checked)) : field.value);
  }
  if (figure.separated) {
    parts.set("corpus", "1");
  }
  for (const [id, value] of Object.entries(figure.settings ?? {})) {
    parts.set({ maxOrder: "order" }[id] ?? id, value);
  }
  if (parts.has("w1")) {
    parts.set("weights", ["w1", "w2", "w3", "w4"].map((id) => Number(parts.get(id)) / 100).join(" "));
  }
  if (figure.address) {
    figure.address(parts);
  }
  return `${PLAYGROUND}#${parts}`;
}

/** Ask; `answered` is called with the answer, or without one. */
function asking({ text, answers }, answered) {
  const show = make("button", { type: "button" }, say("show"));
  show.addEventListener("click", () => answered(null));
  if (answers) {
    const buttons = answers.map((answer, index) => {
      const button = make("button", { type: "button", class: "answer" }, answer);
      button.addEventListener("click", () => answered(index));
      return button;
    });
    return make("div", { class: "guess", role: "group", "aria-label": say("guess") }, paragraph("question", text), ...buttons, " ", show);
  }
  const field = make("input", { type: "number", step: "any", required: "" });
  const form = make(
    "form",
    { class: "guess" },
    make("label", { class: "question" }, text, " ", field),
    make("button", {}, say("check")),
    " ",
    show,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answered(Number(field.value));
  });
  return form;
}

/** Say how good a guess is. */
function verdict({ answers, answer, digits, within }, guess) {
  const right = answers ? guess === answer : Math.abs(guess - answer) <= within + 1e-9;
  const written = (value) => (answers ? answers[value] : String(Number(value.toFixed(digits))));
  return [right ? "right" : "wrong", say(right ? "right" : "wrong", written(answer), written(guess))];
}

/** Make a figure of this kind; `rows` are what it needs besides texts. */
function made(name, image, rows) {
  const figure = FIGURES[name];
  const [before, guessing, told, shown] = ["div", "div", "div", "div"].map((kind) => make(kind, {}));
  guessing.className = "guessing";
  shown.className = "shown";
  told.setAttribute("role", "status");
  let [revealed, guess] = [false, null];

  function changed() {
    inputs.filter((each) => each.shown).forEach((each) => (each.shown.textContent = each.field.value));
    guess = null;
    update();
  }

  function answered(value) {
    [revealed, guess] = [true, value];
    update();
    shown.tabIndex = -1;
    shown.focus({ preventScroll: true });
  }

  function update(focused = "") {
    const texts = inputs.filter((each) => !each.control).map(({ field }) => field.value);
    let [found, question] = [null, null];
    link.href = address(figure, inputs);
    try {
      if (texts.join("").length > MOST_CHARACTERS || texts.some((text) => text.split("\n").length > MOST_LINES)) {
        throw new Error(say("tooLong", MOST_CHARACTERS, MOST_LINES));
      }
      const values = inputs.map((each) => [each.id, read(each, figure.separated)]);
      found = figure.compute(Object.fromEntries(values), rows);
      question = { ...figure.question(found), ...(figure.answer && { answer: figure.answer(found) }) };
    } catch (error) {
      [before, guessing, told].forEach((part) => part.replaceChildren());
      shown.replaceChildren(paragraph("said", error.message));
      return;
    }
    before.replaceChildren(...(revealed ? [] : figure.before(found)));
    guessing.replaceChildren(...(revealed ? [again] : [asking(question, answered)]));
    const [kind, text] = guess === null ? ["", ""] : verdict(question, guess);
    told.className = kind;
    told.textContent = text;
    shown.replaceChildren(...(revealed ? figure.show(found, update) : []));
    if (focused) {
      shown.querySelector(focused.replace("#segments ", ""))?.focus({ preventScroll: true });
    }
  }

  const inputs = [...figure.fields.map((id) => [id]), ...Object.entries(figure.controls)].map(([id, control]) =>
    input(id, control, changed, figure.separated && id === "references" ? "separated" : id),
  );
  const link = make("a", {}, say("playground"));
  const again = make("button", { type: "button" }, say("again"));
  again.addEventListener("click", () => {
    [revealed, guess] = [false, null];
    update();
  });
  const examples = make("select", {}, ...exampleNames(name).map((text, index) => make("option", { value: String(index) }, text)));

  function use(hidden) {
    const example = figure.examples[Number(examples.value)];
    inputs.forEach((each) => write(each, example[each.id] ?? each.control?.value ?? ""));
    Object.assign(state, { segment: 0, order: 1, chosen: null });
    [revealed, guess] = [revealed && !hidden, null];
    update();
  }

  examples.addEventListener("input", () => use(true));
  const reset = make("button", { type: "button" }, say("reset"));
  reset.addEventListener("click", () => use(false));
  const fields = inputs.filter((each) => !each.control).map(({ label }) => label);
  const controls = inputs.filter((each) => each.control).map(({ label }) => label);
  const still = make("details", {}, make("summary", {}, say("still")), image.cloneNode());
  addEventListener("beforeprint", () => (still.open = true));
  const root = make(
    "div",
    { class: "truebleu play", id: `play-${name}`, role: "group", "aria-label": say("figure") },
    make("div", { class: "controls" }, make("label", {}, say("examples"), " ", examples), reset),
    ...fields,
    make("div", { class: "controls" }, ...controls),
    before,
    guessing,
    told,
    shown,
    make("p", { class: "under" }, ...(figure.metric ? [link] : [])),
    still,
  );
  use(true);
  return root;
}

const images = [...document.querySelectorAll("img[class*='play-']")];
state.language = document.documentElement.lang === "ko" ? "ko" : "en";

/** Put what can be changed where the image was, once everything is there. */
async function begin() {
  await load();
  for (const image of images) {
    const name = /play-(\w+)/.exec(image.className)[1];
    const { data } = FIGURES[name];
    const response = data ? await fetch(new URL(data, import.meta.url)) : null;
    const figure = made(name, image, await response?.json());
    (image.closest("a") ?? image).replaceWith(figure);
  }
}

begin().catch((error) => console.warn(`The figures stay as they are: ${error.message}`));
