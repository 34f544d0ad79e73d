// All segments as a table, of which only the rows in view exist.

import { columnsOf, widthsOf } from "./columns.js";
import { binOf, filter, hasGram, haystack } from "./filters.js";
import { rescored } from "./scores.js";
import { chosen, remember } from "./state.js";
import {
  block,
  breath,
  byId,
  contributionOf,
  counted,
  direction,
  grouped,
  highlight,
  knownTexts,
  languageOf,
  make,
  openSegment,
  report,
  say,
  visible,
} from "./data.js";

const ROW = 34;
const SLICE = 12; // Milliseconds of work before the page may answer.
export const table = { rows: [], active: 0, search: 0, columns: [] };

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
    const button = make("button", { type: "button", "data-sort": column.key }, column.name);
    button.addEventListener("click", () => sortBy(column.key));
    cell.append(column.value ? button : column.name);
    head.append(cell);
  });
  const grid = byId("grid");
  const { template, all } = widthsOf(table.columns);
  grid.style.setProperty("--columns", template);
  grid.style.setProperty("--all", all);
  const body = make("div", { role: "rowgroup", class: "body", id: "rows" });
  grid.replaceChildren(make("div", { role: "rowgroup", class: "heads" }, head), body);
  grid.setAttribute("aria-colcount", table.columns.length);
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
    button.setAttribute("aria-label", say`Remove the filter: ${said}`);
    button.addEventListener("click", () => filterBy({}, { [name]: "" }));
    chips.push(button);
  };
  if (chosen.gram) {
    add("gram", say`n-gram “${visible(chosen.gram.split(report.facts.separator).join(" "))}”`);
  }
  const bin = binOf(chosen.bin);
  if (bin) {
    const system = visible(report.facts.systems[bin.system]);
    add("bin", say`${system}: ${bin.low} to ${bin.high}`);
  }
  byId("chips").replaceChildren(...chips);
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
    say`${grouped(kept.length)} of ${counted(report.facts.segments, "segment")}`;
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

/** Return which rows are in view. */
function shownRows(grid) {
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 4);
  return [first, Math.min(table.rows.length, first + Math.ceil(grid.clientHeight / ROW) + 9)];
}

/** Return the segments in the table that contribute most to the difference, or to the score. */
export function mostImportant(many) {
  const weight = (segment) => Math.abs(contributionOf(segment)) || 0;
  return table.rows
    .filter(knownTexts)
    .toSorted((a, b) => weight(b) - weight(a) || a - b)
    .slice(0, many);
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
      const said = column.text(segment);
      const href = `#segment-${segment + 1}`;
      cell.append(column.key === "segment" ? make("a", { href, tabindex: "-1" }, said) : said);
      if (column.key === "about") {
        cell.dir = "auto";
        cell.lang = languageOf(report.facts.source ? "source" : "target") ?? "";
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
  const room = grid.clientHeight - grid.querySelector(".heads").offsetHeight - 2;
  if (top < grid.scrollTop) {
    grid.scrollTop = top;
  } else if (top + ROW > grid.scrollTop + room) {
    grid.scrollTop = top + ROW - room;
  }
}
