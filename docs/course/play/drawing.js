// Bars, a curve and a histogram.

import { fixed, make } from "../playground/elements.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [440, 230, 34, 190];

/** Bars up to 100: for each its name, its value, what stands at its end, and its color. */
export function bars(rows, kind = "") {
  const cells = rows.flatMap(([name, value, text, color]) => {
    const bar = make("span", { class: `bar ${color}` });
    bar.style.inlineSize = `${Math.min(Math.max(value, 0.4), 100)}%`;
    return [make("span", { class: "name" }, name), make("span", { class: "track" }, bar), make("span", { class: "value" }, text)];
  });
  return make("div", { class: `bars ${kind}` }, ...cells);
}

function shape(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, String(value)));
  element.append(...children);
  return element;
}

const text = (x, y, said, anchor = "middle") => shape("text", { x, y, "text-anchor": anchor }, said);
const path = (points, kind) => shape("polyline", { points: points.map((point) => point.join(",")).join(" "), class: kind });
const picture = (about, ...parts) =>
  shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": about }, ...parts);

/** A curve from 0 to 1.5, and a point on it. */
export function curve(points, [x, y], [across, up]) {
  const place = ([ratio, value]) => [LEFT + (Math.min(ratio, 1.5) / 1.5) * (WIDTH - LEFT - 16), BOTTOM - value * (BOTTOM - 24)];
  const [cx, cy] = place([x, y]);
  const ticks = [0, 0.5, 1, 1.5].map((ratio) => text(place([ratio, 0])[0], BOTTOM + 18, String(ratio)));
  return picture(
    `${across} ${fixed(x)}: ${up} ${fixed(y, 4)}`,
    path([[0, 1.05], [0, 0], [1.5, 0]].map(place), "axis"),
    path(points.map(place), "curve"),
    path([[cx, BOTTOM], [cx, cy], [LEFT, cy]], "mark"),
    shape("circle", { cx, cy, r: 6 }),
    ...ticks,
    text(LEFT - 8, place([0, 1])[1] + 5, "1", "end"),
    text(LEFT + 8, 12, up, "start"),
    text((WIDTH + LEFT) / 2, HEIGHT - 4, across),
  );
}

/** How often numbers occur, and the interval of most of them. */
export function histogram(numbers, interval, across) {
  const [low, high] = [Math.min(0, Math.floor(numbers[0])), Math.max(0, Math.ceil(numbers.at(-1)))];
  const bins = 32;
  const counts = Array.from({ length: bins }, () => 0);
  const scale = (high - low) / bins || 1;
  numbers.forEach((value) => (counts[Math.min(Math.floor((value - low) / scale), bins - 1)] += 1));
  const place = (value) => LEFT + ((value - low) / (high - low || 1)) * (WIDTH - LEFT - 16);
  const tall = (BOTTOM - 44) / Math.max(...counts);
  const wide = (WIDTH - LEFT - 16) / bins;
  const boxes = counts.map((count, index) =>
    shape("rect", { x: LEFT + index * wide, y: BOTTOM - tall * count, width: wide - 1, height: tall * count, class: "a" }),
  );
  const step = Math.max(1, Math.ceil((high - low) / 10));
  const first = Math.ceil(low / step) * step;
  const ticks = Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
  const [from, to] = interval.map(place);
  return picture(
    `${across}: ${interval.map((value) => fixed(value, 1)).join(" – ")}`,
    ...boxes,
    path([[LEFT, BOTTOM], [WIDTH - 16, BOTTOM]], "axis"),
    path([[place(0), BOTTOM], [place(0), 30]], "axis"),
    path([[from, 34], [from, 24], [to, 24], [to, 34]], "mark"),
    text((from + to) / 2, 16, "95%"),
    ...ticks.map((value) => text(place(value), BOTTOM + 18, String(value).replace("-", "−"))),
    text((WIDTH + LEFT) / 2, HEIGHT - 4, across),
  );
}
