// Which segments the form, and what was clicked, let through.

import { byId, difference, direction, knownTexts, report } from "./data.js";

/** Whether a text in lower case is in the texts of a segment, or between spaces in their tokens. */
export const contains = (segment, needle) =>
  knownTexts(segment)[0].some((text) => text?.toLowerCase().includes(needle)) ||
  knownTexts(segment)[1].some((tokens) => tokens && ` ${tokens} `.toLowerCase().includes(needle));

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
  const groups = ["document", "domain", "length"].map((name) => [report.numbers[`group.${name}`], byId(name)?.value ?? ""]);
  return (s) => groups.every(([numbers, group]) => group === "" || numbers[s] === Number(group));
}
