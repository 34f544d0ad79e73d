// The edits of TER: how an output becomes the reference, word by word.

import { counted, languageOf, make, say, visible, write } from "./data.js";
import { SPACE } from "./ngrams.js";

const wordsOf = (joined, text) =>
  (joined === 0 ? text.shown : joined).split(SPACE).filter(Boolean);

/** Return the words of an output after all shifts, each with the numbers of its shifts. */
function shifted(words, moves) {
  const places = words.map((word) => ({ word, shifts: [] }));
  for (let at = 0; at < moves.length; at += 4) {
    const [start, length, target] = moves.slice(at);
    const phrase = places.splice(start, length);
    phrase.forEach((place) => place.shifts.push(at / 4 + 1));
    places.splice(target, 0, ...phrase);
  }
  return places;
}

/** Draw the edits: what is deleted, inserted, replaced and shifted. */
export function editsBox([column, letters, moves, own, others], text, references) {
  const reference = references[column];
  const words = shifted(wordsOf(own, text), moves);
  const expected = wordsOf(others, reference);
  const box = make("p", { class: "text edits", lang: languageOf("target") });
  const counts = { i: 0, d: 0, s: 0 };
  for (const letter of letters) {
    const before = letter === "i" ? null : words.shift();
    const after = letter === "d" ? null : expected.shift();
    if (letter in counts) {
      counts[letter] += 1;
    }
    box.append(edited(letter, before, after), " ");
  }
  // Before, Chromium would look for the direction anew at each word.
  box.dir = "auto";
  const numbers = [
    counted(counts.i, "insertion"),
    counted(counts.d, "deletion"),
    counted(counts.s, "substitution"),
    counted(moves.length / 4, "shift"),
  ];
  const said = numbers.join(", ");
  const title = references.length > 1 ? say`Edits against reference ${column + 1}: ${said}` : say`Edits: ${said}`;
  const summary = make("summary", {}, title);
  return make("details", { class: "steps", open: "" }, summary, box);
}

/** Return what the marks of edits mean. */
export function editsLegend() {
  const of = (tag, said) => make(tag, {}, said);
  const [before, after] = [of("del", say`deletion`), of("ins", say`insertion`)];
  const replaced = make("span", {}, of("del", say`substitution`), " ", of("ins", say`substitution`));
  const moved = make("span", { class: "edit moved" }, say`shift`, of("sup", "1"));
  return make("p", { class: "legend edits" }, before, " ", after, " ", replaced, " ", moved);
}

function edited(letter, before, after) {
  const parts = [];
  if (before && letter !== "m") {
    parts.push(write(make("del", {}, hiddenText(say`deleted `)), before.word));
  } else if (before) {
    parts.push(write(make("span"), before.word));
  }
  if (after !== null && letter !== "m") {
    parts.push(write(make("ins", {}, hiddenText(say`inserted `)), visible(after)));
  }
  const kind = make("span", { class: `edit ${letter}` }, ...parts);
  if (before?.shifts.length) {
    kind.classList.add("moved");
    const numbers = before.shifts.join(", ");
    kind.append(make("sup", { title: say`moved by shift ${numbers}` }, hiddenText(say`moved by shift `), numbers));
  }
  return kind;
}

const hiddenText = (text) => make("span", { class: "hidden" }, text);
