// The columns of the table of segments: names, numbers to sort by, and texts.

import { otherColumns, partOf } from "./scores.js";
import { chosen } from "./state.js";
import {
  contributionOf,
  difference,
  fixed,
  knownTexts,
  report,
  say,
  signed,
  valueOf,
  visible,
} from "./data.js";

// The widths of columns that are not as wide as a score, as variables of the style sheet.
const WIDTHS = { segment: "var(--segment)", about: "var(--about)", contribution: "var(--wide)", part: "var(--wide)" };

const widthOf = (key) =>
  WIDTHS[key] ?? (key.startsWith("other-") ? "var(--elsewhere)" : "var(--score)");

/** Return the widths of the columns, and that of all together. */
export function widthsOf(columns) {
  const widths = columns.map(({ key }) => widthOf(key));
  const template = widths.map((width) => (width === WIDTHS.about ? `minmax(${width}, 1fr)` : width));
  return { template: template.join(" "), all: `calc(${widths.join(" + ")})` };
}

const scores = (key, name, system) => {
  const value = (s) => valueOf("sentence", system, s);
  return { key, name, value, text: (s) => fixed(value(s)) };
};

export function columnsOf() {
  const { facts, one, other } = report;
  const columns = [
    { key: "segment", name: say`segment`, value: (s) => s, text: (s) => String(s + 1) },
    {
      key: "about",
      name: facts.source ? say`source` : facts.hasTexts ? say`reference` : say`name`,
      text: (s) => visible(knownTexts(s)?.[0][0] ?? "…"),
    },
    scores("one", other === null ? visible(facts.metric) : "A", one),
  ];
  if (other !== null) {
    const text = (s) => signed(difference(s));
    columns.push(scores("other", "B", other), { key: "difference", name: "A − B", value: difference, text });
  }
  if (other !== null && chosen.part) {
    const { name, value, text } = partOf(chosen.part);
    columns.push({ key: "part", name: visible(name), value, text });
  }
  columns.push(
    ...otherColumns(),
    {
      key: "contribution",
      name: say`contribution`,
      value: contributionOf,
      text: (s) => signed(contributionOf(s), facts.decimals + 2),
    },
  );
  if (facts.hasLengths) {
    columns.push({
      key: "length",
      name: say`tokens`,
      value: (s) => report.numbers.length[s],
      text: (s) => String(report.numbers.length[s]),
    });
  }
  return columns;
}
