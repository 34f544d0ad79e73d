// All segments as a list, of which only the rows in view exist.

import { contains, filter, isFavored } from "./filters.js";
import { pairOf, partOf, rescored, sayPart } from "./scores.js";
import { remember, SORTED } from "./state.js";
import {
  block,
  breath,
  byId,
  contributionOf,
  counted,
  difference,
  direction,
  fixed,
  grouped,
  highlight,
  knownTexts,
  languageOf,
  make,
  openSegment,
  report,
  say,
  signed,
  valueOf,
  visible,
} from "./data.js";

const ROW = 34;
const SLICE = 12; // Milliseconds of work before the page may answer.

/** The segments that are listed, the row that has the keyboard, and what to do after a change. */
export const list = { rows: [], active: 0, search: 0, shown: null, changed: () => {} };

/** Return the ways to sort: names, numbers of which the largest comes first, and texts. */
function sorts() {
  const { facts, one, other } = report;
  const alone = other === null;
  const up = direction();
  const contribution = (s) => signed(contributionOf(s), facts.decimals + 2);
  const worst = (key, name, system) => {
    const value = (s) => valueOf("sentence", system, s);
    return { key, name, value: (s) => -up * value(s), text: (s) => fixed(value(s)) };
  };
  const ofPart = (part, at) => {
    const { name, value, text } = partOf(part);
    const sign = pairOf(one, other).shares?.[at] < 0 ? -1 : 1;
    return { key: part, name: `${sayPart(part)}: ${visible(name)}`, value: (s) => sign * value(s), text };
  };
  const elsewhere = ({ name, decimals }, place) =>
    [["A", one], ["B", other]].filter(([, system]) => system !== null).map(([role, system]) => {
      const value = (s) => valueOf(`other.${place}`, system, s);
      return { key: `${place}-${role}`, name: alone ? visible(name) : `${visible(name)}, ${role}`, value, text: (s) => fixed(value(s), decimals) };
    });
  const ofPair = [
    { key: "one", name: say`In favor of A`, value: (s) => up * contributionOf(s), text: contribution },
    { key: "other", name: say`In favor of B`, value: (s) => -up * contributionOf(s), text: contribution },
    { key: "difference", name: say`Difference of segment scores`, value: (s) => Math.abs(difference(s)), text: (s) => signed(difference(s)) },
  ];
  return [
    { key: SORTED, name: alone ? say`Contribution to the score` : say`Contribution to A − B`, value: (s) => Math.abs(contributionOf(s)), text: contribution },
    ...(alone ? [] : ofPair),
    worst("worst-one", alone ? say`Worst score` : say`Worst score of A`, one),
    ...(alone ? [] : [worst("worst-other", say`Worst score of B`, other)]),
    ...(facts.hasLengths ? [{ key: "length", name: say`Length`, value: (s) => report.numbers.length[s], text: (s) => String(report.numbers.length[s]) }] : []),
    { key: "segment", name: say`Number`, value: (s) => -s, text: contribution },
    ...(alone ? [] : facts.pairs.parts.map(ofPart)),
    ...facts.others.flatMap(elsewhere),
  ];
}

/** Offer the ways to sort for the two systems that are chosen. */
export function listSorts() {
  const field = byId("sort");
  const { value } = field;
  field.replaceChildren(...sorts().map(({ key, name }) => make("option", { value: key }, name)));
  field.value = value;
  field.selectedIndex = Math.max(0, field.selectedIndex);
}

const sorted = () => sorts().find(({ key }) => key === byId("sort").value);

/** Filter the segments, or sort them, and go there; fields that are not given stay. */
export function filterBy(fields) {
  for (const [id, value] of Object.entries(fields)) {
    byId(id).value = value;
  }
  remember();
  arrange();
  byId("segments").scrollIntoView({ block: "start" });
}

/** Filter, search and sort; a search that takes long is done in slices. */
export async function arrange() {
  const search = (list.search += 1);
  const needle = byId("search").value.toLowerCase();
  const wanted = filter();
  const [voters, kept] = [[], []];
  let end = performance.now() + SLICE;
  for (let segment = 0; segment < report.facts.segments && search === list.search; segment += 1) {
    if (!wanted(segment)) {
      continue;
    }
    if (needle) {
      if (!knownTexts(segment)) {
        await block(segment).promise;
      }
      if (!contains(segment, needle)) {
        continue;
      }
    }
    voters.push(segment);
    if (isFavored(segment)) {
      kept.push(segment);
    }
    if (performance.now() > end) {
      await breath();
      end = performance.now() + SLICE;
    }
  }
  if (search !== list.search) {
    return;
  }
  const before = report.kept;
  report.kept = kept.length < report.facts.segments ? kept : null;
  report.voters = voters;
  list.rows = ordered(kept);
  list.active = 0;
  byId("count").textContent = say`${grouped(kept.length)} of ${counted(report.facts.segments, "segment")}`;
  byId("rescored").textContent = report.kept ? rescored(kept) : "";
  byId("rows").style.height = `${kept.length * ROW}px`;
  byId("grid").scrollTop = 0;
  list.changed(before !== report.kept);
  paint();
}

function ordered(kept) {
  const { value } = sorted();
  const keys = new Float64Array(report.facts.segments);
  for (const segment of kept) {
    const key = value(segment);
    // What is undefined comes last.
    keys[segment] = Number.isFinite(key) ? key : -Infinity;
  }
  return kept.toSorted((a, b) => keys[b] - keys[a] || a - b);
}

/** Return which rows are in view. */
function shownRows(grid) {
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 4);
  return [first, Math.min(list.rows.length, first + Math.ceil(grid.clientHeight / ROW) + 9)];
}

/** Make the rows that are in view. */
export function paint() {
  const grid = byId("grid");
  const [first, last] = shownRows(grid);
  const { key, text } = sorted();
  const lang = languageOf(report.facts.source ? "source" : "target");
  const rows = list.rows.slice(first, last).map((segment, at) => {
    const index = first + at;
    const row = make(
      "div",
      {
        role: "option",
        class: index === list.active ? "row active" : "row",
        id: `row-${segment}`,
        "aria-posinset": index + 1,
        "aria-setsize": list.rows.length,
        "aria-selected": String(segment === list.shown),
        "data-index": index,
      },
      make("span", { class: "segment" }, String(segment + 1)),
      make("span", { class: "about", dir: "auto", lang }, visible(knownTexts(segment)?.[0][0] ?? "…")),
      make("span", { class: "value", "data-by": key }, text(segment)),
    );
    row.style.transform = `translateY(${index * ROW}px)`;
    return row;
  });
  byId("rows").replaceChildren(...rows);
  highlight("found-in-rows", byId("rows").querySelectorAll(".about"));
  const active = list.rows[list.active];
  if (active === undefined || list.active < first || list.active >= last) {
    grid.removeAttribute("aria-activedescendant");
  } else {
    grid.setAttribute("aria-activedescendant", `row-${active}`);
  }
}

let painting = false;

export function repaint() {
  if (!painting) {
    painting = true;
    requestAnimationFrame(() => {
      painting = false;
      paint();
    });
  }
}

/** Choose rows by keyboard. */
export function choose(event) {
  const page = Math.max(1, Math.floor(byId("grid").clientHeight / ROW) - 2);
  const last = list.rows.length - 1;
  const to = {
    ArrowDown: list.active + 1,
    ArrowUp: list.active - 1,
    PageDown: list.active + page,
    PageUp: list.active - page,
    Home: 0,
    End: last,
  }[event.key];
  if (event.key === "Enter" && list.rows.length) {
    openSegment(list.rows[list.active]);
  } else if (to !== undefined && last >= 0) {
    event.preventDefault();
    list.active = Math.max(0, Math.min(last, to));
    reveal(list.active);
    paint();
  }
}

export function reveal(index) {
  const grid = byId("grid");
  const top = index * ROW;
  const room = grid.clientHeight - 2;
  if (top < grid.scrollTop) {
    grid.scrollTop = top;
  } else if (top + ROW > grid.scrollTop + room) {
    grid.scrollTop = top + ROW - room;
  }
}
