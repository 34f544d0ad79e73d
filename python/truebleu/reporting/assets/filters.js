// Which segments the form, and what was clicked, let through.

import { chosen } from "./state.js";
import { byId, difference, direction, knownTexts, report, valueOf } from "./data.js";

/** Read a bin of segment scores, such as 0:20:40: a system, and between what its scores are. */
export function binOf(text) {
  const [system, low, high] = text.split(":").map(Number);
  return text && system in report.facts.systems && low <= high ? { system, low, high } : null;
}

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

/** Return which segments the fields let through. */
export function filter() {
  const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
  const [shortest, longest] = [number("shortest"), number("longest")];
  const show = byId("show")?.value ?? "";
  const groups = ["document", "domain"].map((name) => [report.numbers[name], byId(name)?.value ?? ""]);
  const bin = binOf(chosen.bin);
  const inBin = (score) => score >= bin.low && (score < bin.high || bin.high >= bin.last);
  if (bin) {
    // The last bin has its upper end, too.
    bin.last = Math.max(...(report.facts.charts.sentences?.rows ?? []).map((row) => row.to));
  }
  const lengths = report.numbers.length;
  const tests = {
    one: (s) => direction() * difference(s) > 0,
    other: (s) => direction() * difference(s) < 0,
    differ: (s) => difference(s) !== 0,
    same: (s) => difference(s) === 0,
  };
  return (s) =>
    (shortest === null || lengths[s] >= shortest) &&
    (longest === null || lengths[s] <= longest) &&
    groups.every(([numbers, group]) => group === "" || numbers[s] === Number(group)) &&
    (bin === null || inBin(valueOf("sentence", bin.system, s))) &&
    (show === "" || tests[show](s));
}
