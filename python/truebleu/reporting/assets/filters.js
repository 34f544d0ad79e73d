// Which segments the form, and what was clicked, let through.

import { chosen } from "./state.js";
import { byId, difference, direction, knownTexts, report } from "./data.js";

/** Whether an n-gram is in a reference or an output of the two systems that are chosen. */
export function hasGram(segment) {
  const { separator, references } = report.facts;
  const tokens = knownTexts(segment)[1];
  const places = [...Array(references).keys(), references + report.one];
  if (report.other !== null) {
    places.push(references + report.other);
  }
  const around = (text) => `${separator}${text}${separator}`;
  return places.some((place) => around(tokens[place] ?? "").includes(around(chosen.gram)));
}

const lowered = new Map();

/** Return the texts of a segment in lower case. */
export function haystack(segment) {
  if (!lowered.has(segment)) {
    const texts = knownTexts(segment)[0].map((text) => (text ?? "").toLowerCase());
    lowered.set(segment, texts);
  }
  return lowered.get(segment);
}

const FAVORED = {
  one: (s) => direction() * difference(s) > 0,
  other: (s) => direction() * difference(s) < 0,
  differ: (s) => difference(s) !== 0,
  same: (s) => difference(s) === 0,
};

/** Whether a segment is one in which the system that is asked for is better. */
export const isFavored = (segment) => FAVORED[byId("show")?.value]?.(segment) ?? true;

/** Return which segments the other fields let through. */
export function filter() {
  const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
  const [shortest, longest] = [number("shortest"), number("longest")];
  const groups = ["document", "domain"].map((name) => [report.numbers[name], byId(name)?.value ?? ""]);
  const lengths = report.numbers.length;
  return (s) =>
    (shortest === null || lengths[s] >= shortest) &&
    (longest === null || lengths[s] <= longest) &&
    groups.every(([numbers, group]) => group === "" || numbers[s] === Number(group));
}
