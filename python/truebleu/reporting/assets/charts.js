// The charts: when each is drawn, what is said of what is pointed at, and files of them.

import { breath, byId, counted, download, make, report, say, set, visible } from "./data.js";
import { fileOf, listNumbers } from "./chart_numbers.js";
import { actionOf, rowsOf } from "./chart_rows.js";
import { drawn, shape, tipOf } from "./drawing.js";

const NARROW = 440; // Pixels.
const NEAR = 12; // Pixels, from which a point is pointed at.
const SAVED = 420; // Pixels: the width of a chart that is saved.
const PAPER = 480; // Pixels: the width of a chart that is printed, in half of a page.
const waiting = new Set();
let isPrinting = false;
const widths = new WeakMap();

/** Show a tooltip, or hide it without rows. */
function showTip(event, rows) {
  const box = byId("tooltip");
  box.hidden = !rows?.length;
  if (box.hidden) {
    return;
  }
  box.replaceChildren(
    ...rows.map(([key, value]) => make("div", {}, make("b", {}, key), " ", make("bdi", {}, value))),
  );
  const { clientX, clientY } = event;
  const left = Math.min(clientX + 12, innerWidth - box.offsetWidth - 8);
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.min(clientY + 14, innerHeight - box.offsetHeight - 8)}px`;
}

/** Return the nearest of some points, if it is near. */
function nearest(points, x, y, most = Infinity) {
  let [found, least] = [null, most ** 2];
  for (const point of points) {
    const far = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (far < least) {
      [found, least] = [point, far];
    }
  }
  return found;
}

/** Answer the pointer: say what is there, lift its system, and open what a click leads to. */
function answerPointer(name, chart) {
  const { svg, plot, items, points, lifts, left, top } = chart;
  const ring = shape("circle", { class: "ring", r: 6, "pointer-events": "none", visibility: "hidden" });
  plot.append(ring);
  let lifted;
  const lift = (system) => {
    if (system !== lifted) {
      lifts.get(lifted)?.forEach((look) => look(false));
      lifts.get(system)?.forEach((look) => look(true));
      lifted = system;
    }
  };
  const under = ({ target, clientX, clientY }) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(clientX - box.left) * scale - left, (clientY - box.top) * scale - top];
    return nearest(items.get(target) ?? [], x, y) ?? nearest(points, x, y, NEAR);
  };
  const point = (event) => {
    const found = event.type === "pointerleave" ? null : under(event);
    const isPoint = points.includes(found);
    set(ring, isPoint ? { cx: found.x, cy: found.y, visibility: "visible" } : { visibility: "hidden" });
    svg.classList.toggle("leads", Boolean(found && actionOf(name, found.row)));
    lift(found?.row.system);
    showTip(event, found && tipOf(found.encoding, found.row));
  };
  for (const kind of ["pointermove", "pointerdown", "pointerleave"]) {
    svg.addEventListener(kind, point);
  }
  svg.addEventListener("click", (event) => {
    const found = under(event);
    (found && actionOf(name, found.row))?.();
  });
}

/** Tell screen readers what a mark is. */
function describe(mark, type, tip) {
  const said = tip.map((each) => each.join(": ")).join("; ");
  set(mark, { role: "graphics-symbol", "aria-roledescription": say(type), "aria-label": said });
}

/** Draw a chart. */
function draw(name) {
  waiting.delete(name);
  const place = byId(`chart-${name}`);
  const rows = rowsOf(name);
  const outer = isPrinting ? PAPER : place.clientWidth;
  if (rows.length) {
    const { config } = report.facts;
    const chart = drawn(specOf(name, rows), outer < NARROW && !isPrinting ? narrowed(config) : config, { outer, describe });
    place.replaceChildren(chart.svg);
    answerPointer(name, chart);
  } else {
    const said = report.other === null ? say`Nothing to show.` : say`A and B do not differ here.`;
    place.replaceChildren(make("p", { class: "note" }, said));
  }
  place.style.minHeight = "0";
  place.dataset.drawn = "true";
  widths.set(place, outer);
}

/** Return a chart with its rows. */
function specOf(name, rows) {
  const { spec } = report.facts.charts[name];
  const height = spec.height?.step ? spec.height.step * places(name, rows) : spec.height;
  return { ...spec, height, datasets: { ...spec.datasets, rows }, description: described(name, rows) };
}

/** Return the look of charts on a phone: smaller letters, and less room for names beside lines. */
function narrowed(config) {
  const style = { ...config.style, "line-name": { ...config.style["line-name"], limit: 62 } };
  return { ...config, axis: { ...config.axis, labelFontSize: 9 }, style };
}

/** Count the places on the vertical axis of a chart whose height follows from them. */
function places(name, rows) {
  const field = { influence: "segment", ngrams: "ngram" }[name] ?? "group";
  return Math.min(report.facts.mostGroups, new Set(rows.map((row) => row[field])).size);
}

const described = (name, rows) => {
  const title = document.querySelector(`[data-chart="${name}"] h4`)?.textContent ?? name;
  return say`${title}: ${counted(rows.length, "row")}; the numbers are below the chart.`;
};

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const known = widths.get(target);
    if (!isPrinting && known && target.clientWidth && known !== target.clientWidth) {
      draw(target.id.slice("chart-".length));
    }
  }
});

/** List the open numbers of what is chosen, and draw all charts anew: those in view first. */
export async function redraw() {
  const all = Object.keys(report.facts.charts);
  const isInView = (name) => {
    const { top, bottom } = byId(`chart-${name}`).getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  waiting.clear();
  for (const name of [...all.filter(isInView), ...all]) {
    waiting.add(name);
    delete byId(`chart-${name}`).dataset.drawn;
    resized.observe(byId(`chart-${name}`));
  }
  document.querySelectorAll("[data-numbers][open]").forEach((details) => listNumbers(details));
  while (waiting.size) {
    draw([...waiting][0]);
    await breath();
  }
}

/** Draw all for paper at once: it has no second look; or for the screen again. */
export function drawForPaper(isPaper) {
  isPrinting = isPaper;
  Object.keys(report.facts.charts).forEach(draw);
}

/** Return a value with the colors in it as they are on paper: a file knows no variables. */
function onPaper(config) {
  const probe = byId("probe");
  probe.style.colorScheme = "light";
  const text = JSON.stringify(config).replace(/var\(--[\w-]+\)/g, (name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  });
  probe.style.colorScheme = "";
  return JSON.parse(text);
}

/** Save a chart as it would be on paper, or its numbers. */
export async function save(name, form) {
  if (form === "csv") {
    return download(`${name}.csv`, fileOf(name));
  }
  const { svg } = drawn(specOf(name, rowsOf(name)), onPaper(report.facts.config), {
    inner: SAVED,
    title: titleOfPair(),
    describe,
  });
  const text = new XMLSerializer().serializeToString(svg);
  const content = form === "svg" ? text : await pngOf(text, svg);
  return download(`${name}.${form}`, new Blob([content], { type: form === "svg" ? "image/svg+xml" : "image/png" }));
}

/** Make a drawing pixels, two in each direction for each of its own, on white. */
async function pngOf(text, svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  const [width, height] = ["width", "height"].map((side) => 2 * Number(svg.getAttribute(side)));
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(image.src);
  return new Promise((made) => {
    canvas.toBlob(made, "image/png");
  });
}

/** Say which systems A and B are, for a chart that leaves the page. */
function titleOfPair() {
  const { facts, one, other } = report;
  if (other === null) {
    return `● ${visible(facts.systems[one])}`;
  }
  return `● A: ${visible(facts.systems[one])}   ■ B: ${visible(facts.systems[other])}`;
}
