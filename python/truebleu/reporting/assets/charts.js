// The charts: when each is drawn, what is said of what is pointed at, and files of them.

import { breath, byId, counted, download, make, report, say, set, visible } from "./data.js";
import { fileOf, listNumbers } from "./chart_numbers.js";
import { actionOf, rowsOf } from "./chart_rows.js";
import { drawn, shape, tipOf } from "./drawing.js";
import { findingOf } from "./findings.js";

const NEAR = 12; // Pixels, from which a point is pointed at.
const SAVED = 420; // Pixels: the width of a chart that is saved.
const PAPER = 345; // Pixels: the width of a chart that is printed, half of a page of A4.
const FOLLOWING = new Set(["pair", "precision"]); // What can be computed of any segments.
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

/** Return the nearest of some points, if it is near: to all of the row of a bar, or to a point. */
function nearest(points, x, y) {
  let [found, least] = [null, NEAR ** 2];
  for (const point of points) {
    const far = point.reach ? ((NEAR * (point.y - y)) / point.reach) ** 2 : (point.x - x) ** 2 + (point.y - y) ** 2;
    if (far < least) {
      [found, least] = [point, far];
    }
  }
  return found;
}

/** Answer the pointer: say what is there, lift its system, and open what a click leads to. */
function answerPointer(name, chart) {
  const { svg, plot, points, left, top } = chart;
  const ring = shape("circle", { class: "ring", r: 6, "pointer-events": "none", visibility: "hidden" });
  plot.append(ring);
  const under = ({ clientX, clientY }) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(clientX - box.left) * scale - left, (clientY - box.top) * scale - top];
    return nearest(points, x, y);
  };
  const point = (event) => {
    const found = event.type === "pointerleave" ? null : under(event);
    const isPoint = found && !found.reach;
    set(ring, isPoint ? { cx: found.x, cy: found.y, visibility: "visible" } : { visibility: "hidden" });
    svg.classList.toggle("leads", Boolean(found && actionOf(name, found.row)));
    const system = found?.row.system;
    svg.querySelectorAll("[data-system]").forEach((each) => each.classList.toggle("lifted", each.dataset.system === system));
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

/** Draw a chart, and say what it shows; one that is folded waits. */
function draw(name) {
  const place = byId(`chart-${name}`);
  const figure = place.closest("figure");
  const title = figure.querySelector("h3");
  const rows = rowsOf(name);
  title.textContent = findingOf(name, rows) || title.dataset.title;
  figure.querySelector(".following").textContent =
    report.kept && FOLLOWING.has(name) ? say`Only the ${counted(report.kept.length, "segment")} in the list.` : "";
  const outer = isPrinting ? PAPER : place.clientWidth;
  place.dataset.drawn = "true";
  if (!outer) {
    return;
  }
  if (rows.length) {
    const chart = drawn(specOf(name, rows), report.facts.config, { outer, describe });
    place.replaceChildren(chart.svg);
    answerPointer(name, chart);
  } else {
    place.replaceChildren(make("p", { class: "note" }, say`Nothing to show.`));
  }
  place.style.minHeight = "0";
  widths.set(place, outer);
}

/** Return a chart with its rows. */
function specOf(name, rows) {
  const title = byId(`chart-${name}`).closest("figure").querySelector("h3").textContent;
  const description = say`${title}: ${counted(rows.length, "row")}; the numbers are in the menu of the chart.`;
  return { ...report.facts.charts[name].spec, rows, description };
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!isPrinting && target.dataset.drawn && target.clientWidth && widths.get(target) !== target.clientWidth) {
      draw(target.id.slice("chart-".length));
    }
  }
});

/** Draw charts of what is chosen anew, and list their numbers that are open. */
export async function redraw({ following = false } = {}) {
  const all = Object.keys(report.facts.charts).filter((name) => !following || FOLLOWING.has(name));
  for (const name of all) {
    delete byId(`chart-${name}`).dataset.drawn;
    resized.observe(byId(`chart-${name}`));
  }
  for (const name of all) {
    const numbers = byId(`numbers-${name}`);
    if (!numbers.hidden) {
      listNumbers(name, numbers);
    }
    draw(name);
    await breath();
  }
}

/** Draw all for paper at once: it has no second look; or for the screen again. */
export function drawForPaper(isPaper) {
  isPrinting = isPaper;
  document.querySelectorAll(".paper").forEach((place) => (place.textContent = titleOfPair()));
  Object.keys(report.facts.charts).forEach(draw);
}

/** Return a value with the colors in it as they are on paper: a file knows no variables. */
const onPaper = (config) =>
  JSON.parse(JSON.stringify(config).replace(/var\(--([\w-]+)\)/g, (_, name) => report.facts.colors[name]));

/** Do what an entry of the menu of a chart says: list its numbers, or save it as on paper. */
export async function act(name, form) {
  const numbers = byId(`numbers-${name}`);
  if (form === "numbers") {
    numbers.hidden = !numbers.hidden;
    return numbers.hidden || listNumbers(name, numbers);
  }
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
