// What happens when.

import {
  block,
  breath,
  byId,
  copyText,
  highlight,
  isWide,
  knownTexts,
  loadFacts,
  make,
  openSegment,
  report,
  systemsOfAddress,
} from "./data.js";
import { act, drawForPaper, redraw } from "./charts.js";
import { arrange, choose, filterBy, list, listSorts, paint, repaint, reveal } from "./list.js";
import { listPairs, showPair } from "./pair.js";
import { printSegments, showSegment } from "./segment.js";
import { openMetric, remember, restore } from "./state.js";

const MOST_PRINTED = 10; // Segments on paper.

function choseSystems() {
  document.querySelectorAll(".systems tbody tr").forEach((row, place) => {
    const system = report.facts.ranked[place];
    row.classList.toggle("one", system === report.one);
    row.classList.toggle("other", system === report.other);
  });
  byId("one").value = String(report.one);
  if (report.other !== null) {
    byId("other").value = String(report.other);
  }
  showPair(filterBy);
  listPairs(chooseSystems);
}

function chooseSystems(one, other) {
  report.one = one;
  report.other = other;
  remember();
  refresh();
}

/** Show what depends on the two systems. */
async function refresh() {
  choseSystems();
  listSorts();
  list.shown = null;
  await arrange();
  await redraw();
}

/** Go back, or forward, to what was chosen. */
function goBack() {
  [report.one, report.other] = systemsOfAddress(report.facts);
  restore();
  refresh();
}

/** Show what follows the list: the segment on top, unless another is open, votes and charts. */
list.changed = (isOther) => {
  const open = segmentOfAddress() ?? (list.rows.includes(list.shown) ? list.shown : list.rows[0]);
  if (open !== undefined) {
    show(open);
  }
  if (isOther) {
    showPair(filterBy);
    redraw({ following: true });
  }
};

/** Show a segment, with what is searched for marked. */
async function show(segment) {
  if (segment !== list.shown) {
    list.shown = segment;
    await showSegment(segment, step);
  }
  highlight("found", byId("segment").querySelectorAll(".text"));
}

/** Return the segment that comes before or after one in the list; one that is not there has none. */
function step(segment, by) {
  const at = list.rows.indexOf(segment);
  return at < 0 ? null : (list.rows[at + by] ?? null);
}

/** Return the segment that the address names, from 0, or null. */
function segmentOfAddress() {
  const named = location.hash.match(/^#segment-([1-9]\d*)$/);
  const segment = named ? Number(named[1]) - 1 : null;
  return segment !== null && segment < report.facts.segments ? segment : null;
}

async function followAddress() {
  const segment = segmentOfAddress();
  if (segment === null) {
    return;
  }
  await show(segment);
  const index = list.rows.indexOf(segment);
  if (index >= 0) {
    list.active = index;
    reveal(index);
  }
  paint();
  const place = byId("segment");
  place.scrollIntoView({ block: "start", behavior: "instant" });
  place.focus({ preventScroll: true });
}

function listen() {
  const one = byId("one");
  const other = byId("other");
  one.addEventListener("change", () => {
    const system = Number(one.value);
    chooseSystems(system, report.other === system ? report.one : report.other);
  });
  other?.addEventListener("change", () => {
    const system = Number(other.value);
    chooseSystems(report.one === system ? report.other : report.one, system);
  });
  byId("swap")?.addEventListener("click", () => chooseSystems(report.other, report.one));
  const form = document.querySelector("form.filters");
  form.addEventListener("input", (event) => {
    remember({ replace: event.target.tagName === "INPUT" });
    arrange();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () =>
    setTimeout(() => {
      remember();
      arrange();
    }, 0),
  );
  addEventListener("popstate", goBack);
  byId("matrix")?.addEventListener("toggle", () => listPairs(chooseSystems));
  const grid = byId("grid");
  grid.addEventListener("scroll", repaint, { passive: true });
  grid.addEventListener("keydown", choose);
  grid.addEventListener("click", (event) => {
    const row = event.target.closest("[data-index]");
    if (row) {
      list.active = Number(row.dataset.index);
      openSegment(list.rows[list.active]);
    }
  });
  addEventListener("hashchange", followAddress);
  document.querySelectorAll("[data-act]").forEach((button) => {
    button.addEventListener("click", () => {
      button.closest("[popover]").hidePopover();
      act(button.dataset.of, button.dataset.act);
    });
  });
  document.querySelectorAll("[data-copy]").forEach((button) => {
    button.addEventListener("click", () => copyText(button.parentElement));
  });
  byId("metric")?.addEventListener("change", (event) => openMetric(event.target.value));
  byId("print-summary").addEventListener("click", () => {
    document.documentElement.dataset.print = "summary";
    print();
  });
  listenToPrinter();
}

function listenToPrinter() {
  addEventListener("beforeprint", () => {
    printSegments(list.rows.slice(0, MOST_PRINTED).filter(knownTexts));
    drawForPaper(true);
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    byId("printed").replaceChildren();
    drawForPaper(false);
    const { shown } = list;
    list.shown = null;
    show(shown);
  });
}

/** Unpack all texts while nothing else happens, for the rows of the list and the search. */
async function unpackAll() {
  for (let segment = 0; segment < report.facts.segments; segment += report.facts.block) {
    await block(segment).promise;
    repaint();
    await breath();
  }
}

/** Keep the page from being loaded until all is there: what prints it as soon as it is, waits. */
function holdLoad() {
  const frame = make("iframe", { hidden: "" });
  document.body.append(frame);
  frame.contentDocument.open();
  return () => {
    frame.contentDocument.close();
    frame.remove();
  };
}

async function start() {
  const loaded = holdLoad();
  await loadFacts();
  listSorts();
  restore();
  byId("filters").open = isWide();
  choseSystems();
  listen();
  await arrange();
  document.documentElement.dataset.ready = "true";
  const drawn = redraw();
  await followAddress();
  await unpackAll();
  document.documentElement.dataset.unpacked = "true";
  loaded();
  await drawn;
  document.documentElement.dataset.drawn = "true";
}

start();
