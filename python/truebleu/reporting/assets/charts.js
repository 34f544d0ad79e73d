// The charts, drawn by Vega when they come into view.

import {
  breath,
  byId,
  contributionOf,
  counted,
  direction,
  fixed,
  make,
  openSegment,
  report,
  scrolling,
  valueOf,
  visible,
  write,
} from "./data.js";

const ROLES = ["A", "B", "others"];
const MANY = 1500;
export const views = new Map();
const waiting = new Set();

const roleOf = (system) => {
  if (system === report.facts.systems[report.one]) {
    return ROLES[0];
  }
  return system === report.facts.systems[report.other] ? ROLES[1] : ROLES[2];
};

/** Return the rows of a chart for the systems that have been chosen. */
function rowsOf(name) {
  const { facts, one, other } = report;
  const every = [...Array(facts.segments).keys()];
  if (name === "segments") {
    return every.map((segment) => ({
      segment: segment + 1,
      one: valueOf("sentence", one, segment),
      other: valueOf("sentence", other, segment),
    }));
  }
  if (name === "influence") {
    const points = every.map((segment) => contributionOf(segment));
    const order = every
      .filter((segment) => Number.isFinite(points[segment]))
      .toSorted((a, b) => direction() * (points[b] - points[a]) || a - b);
    const ends = [...order.slice(0, facts.most), ...order.slice(-facts.most).toReversed()];
    return [...new Set(ends)]
      .filter((segment) => points[segment])
      .map((segment) => ({ segment: segment + 1, contribution: points[segment] }));
  }
  if (name === "ngrams") {
    return gains();
  }
  return facts.charts[name].rows.map((row) => ({
    ...row,
    role: roleOf(row.system),
    system: visible(row.system),
  }));
}

function gains() {
  const { texts, textOrders, counts, worth, most } = report.facts.ngrams;
  const { one } = report;
  // Without another system, one that matches everything.
  const other = report.other ?? report.facts.systems.length;
  const points = texts.map((text, index) => ({
    text,
    order: textOrders[index],
    one: counts[index][one],
    other: counts[index][other],
    gain: (counts[index][one] - counts[index][other]) * worth[textOrders[index] - 1],
  }));
  return [1, -1].flatMap((sign) =>
    points
      .filter((point) => sign * point.gain > 0)
      .toSorted((a, b) => sign * (b.gain - a.gain) || b.order - a.order)
      .slice(0, most)
      .map((point) => ({
        ngram: visible(point.text.join(" ")),
        order: point.order,
        one: point.one,
        other: point.other,
        more: point.one - point.other,
        side: sign > 0 ? "one" : "other",
      })),
  );
}

/** Return a value with the colors in it as they are now; a canvas knows no variables. */
function colored(value) {
  if (typeof value === "string") {
    if (!/^var\(--[\w-]+\)$/.test(value)) {
      return value;
    }
    const probe = byId("probe");
    probe.style.color = value;
    return getComputedStyle(probe).color;
  }
  if (Array.isArray(value)) {
    return value.map(colored);
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, colored(each)]));
  }
  return value;
}

/** Say what the point under the pointer is, on a canvas. */
function pointUnder(event, item) {
  const { segment, one, other } = item?.datum ?? {};
  const value = one === undefined || !segment ? null : { segment, A: fixed(one), B: fixed(other) };
  tooltip(null, event, item, value);
}

/** Show what is under the pointer, as text. */
function tooltip(_, event, __, value) {
  const box = byId("tooltip");
  if (!value) {
    box.hidden = true;
    return;
  }
  const rows = Object.entries(value).map(([key, each]) =>
    make("div", {}, make("b", {}, key), " ", make("bdi", {}, String(each))),
  );
  box.replaceChildren(...rows);
  box.hidden = false;
  const { clientX, clientY } = event;
  const left = Math.min(clientX + 12, innerWidth - box.offsetWidth - 8);
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.min(clientY + 14, innerHeight - box.offsetHeight - 8)}px`;
}

/** Keep room for a chart that is still to be drawn, so that nothing moves when it is. */
function reserve(name) {
  const { spec } = report.facts.charts[name];
  const height = spec.height?.step
    ? spec.height.step * places(name, rowsOf(name))
    : (spec.height ?? 300);
  byId(`chart-${name}`).style.minHeight = `${height + 50}px`;
}

/** Draw a chart, and list its numbers if they are open. */
export async function draw(name) {
  waiting.delete(name);
  const place = byId(`chart-${name}`);
  const rows = rowsOf(name);
  views.get(name)?.finalize();
  views.delete(name);
  if (rows.length) {
    await embed(name, place, rows);
  } else {
    const said = report.other === null ? "Nothing to show." : "A and B do not differ here.";
    place.replaceChildren(make("p", { class: "note" }, said));
  }
  place.dataset.drawn = "true";
  const details = document.querySelector(`[data-numbers="${name}"]`);
  if (details?.open) {
    listNumbers(details);
  }
}

async function embed(name, place, rows) {
  const canvas = rows.length > MANY && name === "segments";
  // Descriptions and tooltips of all points would take most of the time: the one under the pointer
  // is made when it is asked for.
  const config = canvas
    ? { ...colored(report.facts.config), aria: false }
    : report.facts.config;
  const bare = structuredClone(report.facts.charts[name].spec);
  const spec = {
    ...bare,
    width: "container",
    datasets: { ...bare.datasets, rows },
    config,
    description: describe(name, rows),
  };
  if (canvas) {
    spec.layer.forEach((layer) => delete layer.encoding.tooltip);
  }
  if (spec.height?.step) {
    // Vega-Lite would find the height itself, and warn that it does not fit it to the page.
    spec.height = spec.height.step * places(name, rows);
  }
  const result = await vegaEmbed(place, spec, {
    actions: false,
    ast: true,
    renderer: canvas ? "canvas" : "svg",
    tooltip,
    defaultStyle: false,
    // Errors only: Vega warns of a layer without rows, such as that of other systems if there are none.
    logLevel: 1,
  });
  views.set(name, result);
  if (canvas) {
    result.view.addEventListener("mousemove", pointUnder);
    place.addEventListener("mouseleave", () => (byId("tooltip").hidden = true));
  }
  result.view.addEventListener("click", (_, item) => {
    const number = item?.datum?.segment;
    if (number) {
      openSegment(Number(number) - 1);
    }
  });
}

/** Count the places on the vertical axis of a chart whose height follows from them. */
function places(name, rows) {
  const field = { influence: "segment", ngrams: "ngram" }[name] ?? "group";
  return Math.min(report.facts.mostGroups, new Set(rows.map((row) => row[field])).size);
}

const describe = (name, rows) => {
  const title = document.querySelector(`[data-chart="${name}"] h3`)?.textContent ?? name;
  return `${title}: ${counted(rows.length, "row")}; the numbers are below the chart.`;
};

/** Draw all charts whose rows depend on what is chosen: those in view first. */
export function redraw() {
  for (const name of Object.keys(report.facts.charts)) {
    waiting.add(name);
    delete byId(`chart-${name}`).dataset.drawn;
    reserve(name);
  }
  return watch();
}

let watcher = null;
let idle = false;

function watch() {
  watcher?.disconnect();
  watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const name = entry.target.dataset.chart;
        if (entry.isIntersecting && waiting.has(name)) {
          draw(name);
        }
      }
    },
    { rootMargin: "200px" },
  );
  document.querySelectorAll("[data-chart]").forEach((figure) => watcher.observe(figure));
  return drawRest();
}

/** Draw the others one by one while nothing else happens, so that they can be printed. */
async function drawRest() {
  if (idle) {
    return;
  }
  idle = true;
  const pause = () =>
    new Promise((resolve) =>
      window.requestIdleCallback ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
    );
  await pause();
  while (waiting.size) {
    await pause();
    const [name] = waiting;
    if (name) {
      await draw(name);
    }
    await breath();
  }
  idle = false;
}

/** List the rows of a chart as a table that can be copied. */
export function listNumbers(details) {
  const rows = rowsOf(details.dataset.numbers).slice(0, 1000);
  const names = Object.keys(rows[0] ?? {}).filter((key) => !["place", "side"].includes(key));
  const cell = (value) =>
    value === null || (typeof value === "number" && !Number.isInteger(value))
      ? fixed(value, 4)
      : String(value);
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...names.map((key) => make("th", { scope: "col" }, key)))),
    make(
      "tbody",
      {},
      ...rows.map((row) =>
        make("tr", {}, ...names.map((key) => write(make("td", { dir: "auto" }), cell(row[key])))),
      ),
    ),
  );
  const text = [names, ...rows.map((row) => names.map((key) => cell(row[key])))]
    .map((row) => row.join("\t"))
    .join("\n");
  const button = make("button", { type: "button" }, "Copy as tab-separated values");
  button.addEventListener("click", () => navigator.clipboard?.writeText(`${text}\n`));
  details.querySelectorAll(":scope > :not(summary)").forEach((child) => child.remove());
  details.append(button, scrolling("Numbers", table));
}
