// The charts, drawn by Vega when they come into view.

import { breath, byId, counted, download, fixed, make, report, say, visible } from "./data.js";
import { fileOf, listNumbers } from "./chart_numbers.js";
import { actionOf, rowsOf } from "./chart_rows.js";

// Handed over by the bundle, which has no other way to do so.
const { vegaEmbed } = globalThis;
delete globalThis.vegaEmbed;

const EMBEDDING = {
  actions: false,
  ast: true,
  defaultStyle: false,
  tooltip,
  // Errors only: Vega warns of a layer without rows, such as that of other systems if there are none.
  logLevel: 1,
};
const MANY = 1500;
const NARROW = 440; // Pixels.
export const views = new Map();
const waiting = new Set();

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
  const value = one === undefined || !segment ? null : { [say`segment`]: segment, A: fixed(one), B: fixed(other) };
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

/** Draw a chart. */
export async function draw(name) {
  waiting.delete(name);
  const place = byId(`chart-${name}`);
  const rows = rowsOf(name);
  views.get(name)?.finalize();
  views.delete(name);
  if (rows.length) {
    await embed(name, place, rows);
  } else {
    const said = report.other === null ? say`Nothing to show.` : say`A and B do not differ here.`;
    place.replaceChildren(make("p", { class: "note" }, said));
  }
  place.dataset.drawn = "true";
}

/** Return a chart with its rows; its width and its look are to be added. */
function specOf(name, rows) {
  const bare = structuredClone(report.facts.charts[name].spec);
  const spec = { ...bare, datasets: { ...bare.datasets, rows }, description: describe(name, rows) };
  if (spec.height?.step) {
    // Vega-Lite would find the height itself, and warn that it does not fit it to the page.
    spec.height = spec.height.step * places(name, rows);
  }
  return spec;
}

async function embed(name, place, rows) {
  const canvas = rows.length > MANY && name === "segments";
  const look = place.clientWidth < NARROW ? narrowed(report.facts.config) : report.facts.config;
  // Descriptions and tooltips of all points would take most of the time: the one under the pointer
  // is made when it is asked for.
  const config = canvas
    ? { ...colored(look), aria: false }
    : look;
  const spec = { ...specOf(name, rows), width: "container", config };
  if (canvas) {
    spec.layer.forEach((layer) => delete layer.encoding.tooltip);
  }
  const result = await vegaEmbed(place, spec, {
    ...EMBEDDING,
    renderer: canvas ? "canvas" : "svg",
  });
  views.set(name, result);
  if (document.documentElement.lang !== "en") {
    [place, ...place.querySelectorAll("[aria-roledescription]")].forEach(sayMark);
  }
  // Layers without a mark, such as that of other systems if there are none, have nothing to say.
  for (const empty of place.querySelectorAll("g[aria-roledescription]:empty")) {
    empty.removeAttribute("role");
    empty.removeAttribute("aria-roledescription");
    empty.setAttribute("aria-hidden", "true");
  }
  if (canvas) {
    result.view.addEventListener("mousemove", pointUnder);
    place.addEventListener("mouseleave", () => (byId("tooltip").hidden = true));
  }
  result.view.addEventListener("click", (_, item) => item?.datum && actionOf(name, item.datum)?.());
}

/** Say in another language what Vega says of a mark, or of an axis. */
function sayMark(mark) {
  mark.setAttribute("aria-roledescription", say(mark.getAttribute("aria-roledescription")));
  const label = mark.getAttribute("aria-label") ?? "";
  const axis = label.match(/^[XY]-axis(?: titled '(.*)')? for /);
  const fields = label.replace(/(?<=^|; )[a-z]+(?=: )/g, (field) => say(field));
  mark.setAttribute("aria-label", axis ? say`axis: ${axis[1] ?? ""}` : fields);
}

/** Return the look of charts on a phone: smaller letters, and less room for names beside lines. */
function narrowed(config) {
  const style = { ...config.style, "line-name": { ...config.style["line-name"], limit: 62 } };
  return { ...config, axis: { ...config.axis, labelFontSize: 8.5 }, style };
}

/** Count the places on the vertical axis of a chart whose height follows from them. */
function places(name, rows) {
  const field = { influence: "segment", ngrams: "ngram" }[name] ?? "group";
  return Math.min(report.facts.mostGroups, new Set(rows.map((row) => row[field])).size);
}

const describe = (name, rows) => {
  const title = document.querySelector(`[data-chart="${name}"] h4`)?.textContent ?? name;
  return say`${title}: ${counted(rows.length, "row")}; the numbers are below the chart.`;
};

/** List the open numbers of what is chosen, and draw all charts anew: those in view first. */
export function redraw() {
  for (const name of Object.keys(report.facts.charts)) {
    waiting.add(name);
    delete byId(`chart-${name}`).dataset.drawn;
    reserve(name);
  }
  document.querySelectorAll("[data-numbers][open]").forEach((details) => listNumbers(details));
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

/** Draw at once what is still to be drawn: paper has no second look. */
export const drawWaiting = () => waiting.forEach(draw);

/** Draw the others one by one while nothing else happens, or a little later if something does. */
async function drawRest() {
  if (idle) {
    return;
  }
  idle = true;
  const pause = () =>
    new Promise((resolve) =>
      window.requestIdleCallback
        ? requestIdleCallback(resolve, { timeout: 500 })
        : setTimeout(resolve, 50),
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

/** Save a chart as it would be on paper, or its numbers. */
export async function save(name, form) {
  if (form === "csv") {
    return download(`${name}.csv`, fileOf(name));
  }
  const probe = byId("probe");
  probe.style.colorScheme = "light";
  const config = colored(report.facts.config);
  const spec = { ...specOf(name, rowsOf(name)), config, width: 420 };
  spec.title = titleOfPair();
  probe.style.colorScheme = "";
  const place = make("div");
  const result = await vegaEmbed(place, spec, { ...EMBEDDING, renderer: "svg" });
  const type = form === "svg" ? "image/svg+xml" : "image/png";
  const content =
    form === "svg"
      ? new XMLSerializer().serializeToString(place.querySelector("svg"))
      : await pngOf(await result.view.toCanvas(2));
  result.finalize();
  return download(`${name}.${form}`, new Blob([content], { type }));
}

/** Make a canvas a file, on white. */
function pngOf(canvas) {
  const context = canvas.getContext("2d");
  context.globalCompositeOperation = "destination-over";
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  return new Promise((made) => {
    canvas.toBlob(made, "image/png");
  });
}

/** Say which systems A and B are, for a chart that leaves the page. */
function titleOfPair() {
  const { facts, one, other } = report;
  if (other === null) {
    // Vega makes code of titles: a name alone could be that of something in JavaScript.
    return `● ${visible(facts.systems[one])}`;
  }
  const names = [`● A: ${visible(facts.systems[one])}`, `■ B: ${visible(facts.systems[other])}`];
  return { text: names.join("   "), fontSize: 12, fontWeight: "normal", anchor: "start" };
}
