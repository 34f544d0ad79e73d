// All segments as a table, of which only the rows in view exist.

import { otherColumns, partOf, rescored } from "./scores.js";
import { chosen, remember } from "./state.js";
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
  signed,
  valueOf,
  visible,
} from "./data.js";

const ROW = 34;
const MOST_PRINTED = 1000;
const SLICE = 12; // Milliseconds of work before the page may answer.
export const table = { rows: [], active: 0, search: 0, columns: [] };

function columnsOf() {
  const { facts, one, other } = report;
  const columns = [
    { key: "segment", name: "segment", value: (s) => s, text: (s) => String(s + 1) },
    {
      key: "about",
      name: facts.source ? "source" : "reference",
      text: (s) => visible(knownTexts(s)?.[0][0] ?? "…"),
    },
    {
      key: "one",
      name: other === null ? visible(facts.metric) : "A",
      value: (s) => valueOf("sentence", one, s),
      text: (s) => fixed(valueOf("sentence", one, s)),
    },
  ];
  if (other !== null) {
    columns.push(
      {
        key: "other",
        name: "B",
        value: (s) => valueOf("sentence", other, s),
        text: (s) => fixed(valueOf("sentence", other, s)),
      },
      {
        key: "difference",
        name: "A − B",
        value: difference,
        text: (s) => signed(difference(s)),
      },
    );
  }
  if (other !== null && chosen.part) {
    const { name, value, text } = partOf(chosen.part);
    columns.push({ key: "part", name: visible(name), value, text });
  }
  columns.push(
    ...otherColumns(),
    {
      key: "contribution",
      name: "contribution",
      value: contributionOf,
      text: (s) => signed(contributionOf(s), facts.decimals + 2),
    },
    {
      key: "length",
      name: "tokens",
      value: (s) => report.numbers.length[s],
      text: (s) => String(report.numbers.length[s]),
    },
  );
  return columns;
}

/** Build the table; its rows come with the scrolling. */
export function buildTable() {
  table.columns = columnsOf();
  const head = make("div", { role: "row", class: "row head", "aria-rowindex": "1" });
  table.columns.forEach((column, index) => {
    const cell = make("div", {
      role: "columnheader",
      class: `cell ${column.key}`,
      "aria-colindex": String(index + 1),
    });
    if (column.value) {
      const button = make("button", { type: "button", "data-sort": column.key }, column.name);
      button.addEventListener("click", () => sortBy(column.key));
      cell.append(button);
    } else {
      cell.append(column.name);
    }
    head.append(cell);
  });
  const grid = byId("grid");
  const body = make("div", { role: "rowgroup", class: "body", id: "rows" });
  grid.replaceChildren(make("div", { role: "rowgroup", class: "heads" }, head), body);
  for (const [name, value] of Object.entries({
    role: "grid",
    tabindex: "0",
    "aria-label": "Segments: arrow keys choose, Enter opens",
    "aria-colcount": String(table.columns.length),
  })) {
    grid.setAttribute(name, value);
  }
  showSort();
}

/** Whether the first click on a heading sorts from the largest number on: scores, the best first. */
const startsDown = (key) =>
  key === "length" || (key !== "segment" && direction() > 0);

function sortBy(key) {
  chosen.down = chosen.sort === key ? !chosen.down : startsDown(key);
  chosen.sort = key;
  remember();
  showSort();
  arrange();
}

/** Add a column for a part of the difference, and list first the segments that it comes from. */
export function sortByPart(name, down) {
  Object.assign(chosen, { part: name, sort: "part", down });
  remember();
  buildTable();
  arrange();
  byId("segments").scrollIntoView({ block: "start" });
}

/** Filter the segments in the way given, and go there; fields that are not given stay. */
export function filterBy(fields, others = {}) {
  for (const [id, value] of Object.entries(fields)) {
    byId(id).value = value;
  }
  Object.assign(chosen, others);
  remember();
  arrange();
  byId("segments").scrollIntoView({ block: "start" });
}

/** Show what filters the table beside the fields of the form, each with a button that ends it. */
function showChips() {
  const chips = [];
  const add = (name, said) => {
    const button = make("button", { type: "button", class: "chip" }, said, " ×");
    button.setAttribute("aria-label", `Remove the filter: ${said}`);
    button.addEventListener("click", () => filterBy({}, { [name]: "" }));
    chips.push(button);
  };
  if (chosen.gram) {
    add("gram", `n-gram “${visible(chosen.gram.split(report.facts.separator).join(" "))}”`);
  }
  const bin = binOf(chosen.bin);
  if (bin) {
    const system = visible(report.facts.systems[bin.system]);
    add("bin", `${system}: ${bin.low} to ${bin.high}`);
  }
  byId("chips").replaceChildren(...chips);
}

/** Read a bin of segment scores, such as 0:20:40: a system, and between what its scores are. */
function binOf(text) {
  const [system, low, high] = text.split(":").map(Number);
  return text && system in report.facts.systems && low <= high ? { system, low, high } : null;
}

function showSort() {
  byId("grid")
    .querySelectorAll("[data-sort]")
    .forEach((button) => {
      if (button.dataset.sort === chosen.sort) {
        button.parentElement.setAttribute("aria-sort", chosen.down ? "descending" : "ascending");
      } else {
        button.parentElement.removeAttribute("aria-sort");
      }
    });
}

/** Filter, search and sort; a search that takes long is done in slices. */
export async function arrange() {
  const search = (table.search += 1);
  const needle = byId("search").value.toLowerCase();
  const wanted = filter();
  const kept = [];
  let end = performance.now() + SLICE;
  for (let segment = 0; segment < report.facts.segments; segment += 1) {
    if (!wanted(segment)) {
      continue;
    }
    if (needle || chosen.gram) {
      if (!knownTexts(segment)) {
        await block(segment).promise;
      }
      if (needle && !haystack(segment).some((text) => text.includes(needle))) {
        continue;
      }
      if (chosen.gram && !hasGram(segment)) {
        continue;
      }
    }
    kept.push(segment);
    if (performance.now() > end) {
      await breath();
      if (search !== table.search) {
        return;
      }
      end = performance.now() + SLICE;
    }
  }
  if (search !== table.search) {
    return;
  }
  order(kept);
  table.rows = kept;
  table.active = 0;
  const grid = byId("grid");
  grid.setAttribute("aria-rowcount", String(kept.length + 1));
  byId("count").textContent =
    `${grouped(kept.length)} of ${counted(report.facts.segments, "segment")}`;
  byId("rescored").textContent = kept.length < report.facts.segments ? rescored(kept) : "";
  showChips();
  byId("rows").style.height = `${kept.length * ROW}px`;
  grid.scrollTop = 0;
  paint();
}

function order(kept) {
  const known = table.columns.find((each) => each.key === chosen.sort && each.value);
  const column = known ?? table.columns[0];
  if (column.key !== "segment" || chosen.down) {
    const keys = new Float64Array(report.facts.segments);
    const sign = chosen.down ? -1 : 1;
    for (const segment of kept) {
      const value = column.value(segment);
      // What is undefined comes last, either way.
      keys[segment] = Number.isFinite(value) ? value : sign * Infinity;
    }
    kept.sort((a, b) => sign * (keys[a] - keys[b]) || a - b);
  }
}

/** Whether an n-gram is in a reference or an output of the two systems that are chosen. */
function hasGram(segment) {
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
function haystack(segment) {
  if (!lowered.has(segment)) {
    const texts = knownTexts(segment)[0].map((text) => (text ?? "").toLowerCase());
    lowered.set(segment, texts);
  }
  return lowered.get(segment);
}

/** Return which segments the fields let through. */
function filter() {
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

/** Return which rows are in view; on paper, all up to a limit. */
function shownRows(grid) {
  if (table.printed) {
    return [0, Math.min(table.rows.length, MOST_PRINTED)];
  }
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 4);
  return [first, Math.min(table.rows.length, first + Math.ceil(grid.clientHeight / ROW) + 9)];
}

/** Make all rows for paper, or only those in view again, and say how many there are not. */
export function printRows(printed) {
  table.printed = printed;
  const left = table.rows.length - MOST_PRINTED;
  byId("unprinted").textContent =
    printed && left > 0
      ? `The first ${grouped(MOST_PRINTED)} of ${counted(table.rows.length, "segment")}. Filter the table to print others.`
      : "";
  paint();
}

/** Make the rows that are in view. */
export function paint() {
  const grid = byId("grid");
  const [first, last] = shownRows(grid);
  const rows = [];
  const open = location.hash;
  for (let index = first; index < last; index += 1) {
    const segment = table.rows[index];
    const row = make("div", {
      role: "row",
      class: "row",
      id: `row-${segment}`,
      "aria-rowindex": String(index + 2),
      "aria-selected": String(open === `#segment-${segment + 1}`),
    });
    row.style.transform = `translateY(${index * ROW}px)`;
    row.classList.toggle("active", index === table.active);
    row.dataset.index = index;
    if (!knownTexts(segment)) {
      block(segment).promise.then(repaint);
    }
    table.columns.forEach((column, place) => {
      const cell = make("div", {
        role: "gridcell",
        class: `cell ${column.key}`,
        "aria-colindex": String(place + 1),
      });
      if (column.key === "segment") {
        const address = `#segment-${segment + 1}`;
        cell.append(make("a", { href: address, tabindex: "-1" }, column.text(segment)));
      } else if (column.key === "about") {
        cell.dir = "auto";
        cell.lang = languageOf(report.facts.source ? "source" : "target") ?? "";
        cell.append(column.text(segment));
      } else {
        cell.append(column.text(segment));
      }
      row.append(cell);
    });
    rows.push(row);
  }
  byId("rows").replaceChildren(...rows);
  highlight("found-in-rows", byId("rows").querySelectorAll(".about"), byId("search").value);
  const active = table.rows[table.active];
  if (active === undefined || table.active < first || table.active >= last) {
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
  const last = table.rows.length - 1;
  const to = {
    ArrowDown: table.active + 1,
    ArrowUp: table.active - 1,
    PageDown: table.active + page,
    PageUp: table.active - page,
    Home: 0,
    End: last,
  }[event.key];
  if (event.target !== byId("grid")) {
    return;
  }
  if (event.key === "Enter" && table.rows.length) {
    openSegment(table.rows[table.active]);
  } else if (to !== undefined && last >= 0) {
    event.preventDefault();
    table.active = Math.max(0, Math.min(last, to));
    reveal(table.active);
    paint();
  }
}

export function reveal(index) {
  const grid = byId("grid");
  const top = index * ROW;
  const room = grid.clientHeight - ROW - 2;
  if (top < grid.scrollTop) {
    grid.scrollTop = top;
  } else if (top + ROW > grid.scrollTop + room) {
    grid.scrollTop = top + ROW - room;
  }
}
