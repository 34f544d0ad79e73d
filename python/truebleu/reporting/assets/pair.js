// The two systems that are chosen: their difference, its test, what it consists of; and all pairs.

import {
  byId,
  counted,
  difference,
  direction,
  fixed,
  grouped,
  isWide,
  make,
  report,
  say,
  scrolling,
  signed,
  visible,
} from "./data.js";
import { pairOf, sayPart } from "./scores.js";

const deltaOf = (one, other) => {
  const { scores } = report.facts;
  return scores[one] === null || scores[other] === null
    ? Number.NaN
    : scores[one] - scores[other];
};

function intervalText([low, high]) {
  return say`${signed(low)} to ${signed(high)}`;
}

function verdict(pair) {
  const { alpha, tests } = report.facts.pairs;
  if (pair.p === undefined) {
    return [say`not tested`, ""];
  }
  const adjusted = tests > 1 ? say`Holm-adjusted p for ${counted(tests, "test")}` : "p";
  const p = say`${adjusted} = ${pair.p}, alpha ${alpha}`;
  if (pair.undecided) {
    return [say`undecided: too few units differ`, p];
  }
  const sure = pair.significant ? say`statistically significant` : say`not statistically significant`;
  return [sure, p];
}

const nameOf = (system) => make("bdi", {}, visible(report.facts.systems[system]));

/** Show the difference of the two systems that are chosen. */
export function showPair(filter) {
  const place = byId("pair");
  const { facts, one, other } = report;
  if (!place || other === null) {
    return;
  }
  const pair = pairOf(one, other);
  place.replaceChildren(
    make("div", {}, headline(pair), votes(filter), ...meaning(pair)),
    ...(facts.pairs.parts.length ? [parts(pair, filter)] : []),
  );
}

function headline(pair) {
  const { facts, one, other } = report;
  const [said, p] = verdict(pair);
  const title = make(
    "h3",
    { id: "pair-title" },
    make("span", { class: "key one", "aria-hidden": "true" }, "● "),
    nameOf(one),
    " − ",
    make("span", { class: "key other", "aria-hidden": "true" }, "■ "),
    nameOf(other),
  );
  const delta = make(
    "p",
    { class: "delta" },
    make("b", { id: "difference" }, `${signed(deltaOf(one, other))} ${visible(facts.metric)}`),
  );
  if (pair.interval) {
    delta.append(" ", make("span", {}, say`${facts.pairs.confidence} CI ${intervalText(pair.interval)}`));
  }
  const test = make("p", {}, make("b", {}, said), p ? ` (${p})` : "");
  if (pair.why) {
    test.append(say`; the interval excludes 0: ${pair.why}`);
  }
  return make("div", {}, title, delta, test);
}

/** Show in how many segments which of the two is better; a click lists them. */
function votes(filter) {
  const counts = { one: 0, same: 0, other: 0 };
  for (const segment of report.voters ?? report.numbers.length.keys()) {
    const gap = direction() * difference(segment);
    counts[gap > 0 ? "one" : gap < 0 ? "other" : "same"] += 1;
  }
  const bar = make("div", { class: "bar", "aria-hidden": "true" });
  const list = make("p", { class: "votes" });
  for (const [kind, said] of [
    ["one", say`A better`],
    ["same", say`equal`],
    ["other", say`B better`],
  ]) {
    const part = make("span", { class: kind });
    part.style.flexGrow = counts[kind];
    bar.append(part);
    const button = make(
      "button",
      { type: "button", class: `vote ${kind}`, "data-votes": kind },
      `${said}: ${grouped(counts[kind])}`,
    );
    button.addEventListener("click", () => filter({ show: kind }));
    list.append(button);
  }
  return make("div", { role: "group", "aria-label": say`Segments by better score` }, list, bar);
}

/** Say what the difference means: for a margin, to people, and for a test. */
function meaning(pair) {
  const { metric, pairs } = report.facts;
  const said = (pair.margin ?? []).map(([text, shown]) => [make("b", {}, shown ? say`shown` : say`open`), `: ${text}`]);
  if (pair.humans) {
    said.push([say`At this difference, people preferred the same system in about ${pair.humans} of pairs (Kocmi et al. 2024).`]);
  }
  if (pair.detectable) {
    const adjusted =
      pairs.tests > 1 ? say` (${fixed(pair.detectableAdjusted)} after Holm’s correction)` : "";
    said.push([
      say`Smallest difference that a test at alpha ${pairs.alpha} detects with about 80% power: ${fixed(pair.detectable)} ${visible(metric)}${adjusted}. `,
      say`The two differ in ${grouped(pair.differing)} ${pairs.units}.`,
    ]);
  }
  const list = make("ul", { id: "meaning" }, ...said.map((each) => make("li", {}, ...each)));
  const open = isWide() || pair.margin?.length ? "" : null;
  return said.length ? [make("details", { open }, make("summary", {}, say`What the difference means`), list)] : [];
}

/** Show the parts of a difference as bars that add up to it; a click leads to the segments. */
function parts(pair, filter) {
  const { facts } = report;
  const title = make("summary", { id: "why-title" }, say`What the difference consists of`);
  const why = make("details", { class: "why", open: isWide() ? "" : null }, title);
  if (!pair.shares) {
    const [system, reason] = pair.undefined;
    why.append(make("p", { id: "why" }, say`The parts are undefined. `, nameOf(system), ": ", reason));
    return why;
  }
  const most = Math.max(...pair.shares.map(Math.abs)) || 1;
  const list = make("ul", { id: "why", "aria-labelledby": "why-title" });
  facts.pairs.parts.forEach((name, index) => {
    const share = pair.shares[index];
    const favors = direction() * share > 0 ? "one" : "other";
    const button = make(
      "button",
      { type: "button", "data-part": name, title: say`Sort the segments by it` },
      sayPart(name),
    );
    button.addEventListener("click", () => filter({ sort: name }));
    const bar = make("span", { class: `share ${favors}` });
    bar.style.inlineSize = `${(50 * Math.abs(share)) / most}%`;
    bar.classList.toggle("negative", share < 0);
    list.append(
      make(
        "li",
        {},
        button,
        make("span", { class: "track", "aria-hidden": "true" }, bar),
        make("b", {}, signed(share)),
      ),
    );
  });
  const sum = make(
    "p",
    { class: "note" },
    say`The parts add up to ${signed(deltaOf(report.one, report.other))} ${visible(facts.metric)}. `,
    make("span", { class: "screen" }, say`Click one to sort the segments by it.`),
  );
  why.append(list, sum);
  return why;
}

/** List all pairs as a matrix; a click chooses two systems. */
export function listPairs(choose) {
  const box = byId("matrix");
  if (!box?.open) {
    return;
  }
  const { facts } = report;
  const { ranked } = facts;
  // The better system stands in the row.
  const head = make("tr", {}, make("td"));
  ranked.slice(1).forEach((system) =>
    head.append(
      make("th", { scope: "col" }, make("abbr", { title: visible(facts.systems[system]) }, String(ranked.indexOf(system) + 1))),
    ),
  );
  const body = make("tbody");
  ranked.slice(0, -1).forEach((one, place) => {
    const row = make("tr", {}, make("th", { scope: "row" }, `${place + 1} `, nameOf(one)));
    ranked.slice(1).forEach((other, column) => {
      row.append(column >= place ? cellOf(one, other, choose) : make("td", { class: "none" }));
    });
    body.append(row);
  });
  const table = make("table", {}, make("thead", {}, head), body);
  box.querySelectorAll(":scope > :not(summary)").forEach((child) => child.remove());
  box.append(
    make(
      "p",
      { class: "note" },
      say`Row minus column. ▲ the system of the row is significantly better (alpha ${facts.pairs.alpha}), ▼ significantly worse.`,
      " ",
      make("span", { class: "screen" }, say`A click chooses the two systems.`),
    ),
    scrolling(say`All pairs`, table),
  );
}

function cellOf(one, other, choose) {
  const { facts } = report;
  const pair = pairOf(one, other);
  const delta = deltaOf(one, other);
  const better = direction() * delta > 0;
  const sign = pair.significant ? (better ? " ▲" : " ▼") : "";
  const said = [signed(delta), ...verdict(pair)].filter(Boolean).join(", ");
  const button = make(
    "button",
    {
      type: "button",
      "aria-label": `${visible(report.facts.systems[one])} − ${visible(report.facts.systems[other])}: ${said}`,
      title: said,
      "aria-pressed": String(one === report.one && other === report.other),
    },
    `${signed(delta, facts.decimals - 1)}${sign}`,
  );
  button.addEventListener("click", () => choose(one, other));
  return make("td", { class: sign ? (better ? "good" : "bad") : "" }, button);
}
