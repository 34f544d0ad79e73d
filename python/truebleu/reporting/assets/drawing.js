// A chart as SVG: of Vega-Lite, what the charts of reports have.

import { set } from "./data.js";
import { discrete, numeral, niceRange, numeric, placesOf, ticksOf } from "./scales.js";

const SVG = "http://www.w3.org/2000/svg";
const MANY = 1500; // Points that are drawn together.
const TOGETHER = 64; // In one path: so few seldom overlap, so that dense places are darker.
const BEYOND = 12; // Pixels beside the axes, for half of the last label.

const pen = document.createElement("canvas").getContext("2d");

/** Make an element of SVG. */
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

function textWidth(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

/** Cut the end of a text that is too wide. */
function fitted(text, limit, font) {
  let letters = Array.from(text).slice(0, 200);
  while (letters.length > 1 && textWidth(letters.join(""), font) > limit) {
    letters = [...letters.slice(0, letters.at(-1) === "…" ? -2 : -1), "…"];
  }
  return letters.join("");
}

/** Whether a filter keeps a row. */
const keeps = ({ not, field, valid, equal }, row) =>
  not ? !keeps(not, row) : valid ? Number.isFinite(row[field]) : row[field] === equal;

/** Return the layers of a chart, each with its rows and the look of its marks. */
function layersOf(spec, config) {
  return (spec.layer ?? [spec]).map((layer) => {
    const { values } = layer.data ?? {};
    const filters = (layer.transform ?? []).map((each) => each.filter);
    return {
      type: layer.mark.type,
      encoding: layer.encoding,
      rows: (values ?? spec.rows).filter((row) => filters.every((filter) => keeps(filter, row))),
      look: { ...config[layer.mark.type], ...config.style[layer.mark.style], ...layer.mark },
    };
  });
}

/** Return what the layers say of an axis together, and its scale. */
function axisOf(name, layers, range) {
  const every = layers.flatMap((layer) =>
    [name, `${name}2`].filter((key) => layer.encoding[key]).map((key) => ({ of: layer.encoding[key], rows: layer.rows })),
  );
  const { title, type, scale = {}, axis, ...first } = every[0].of;
  if (type !== "quantitative") {
    const values = placesOf(every.flatMap((each) => each.rows), first);
    return { ...axis, title, values, write: String, place: discrete(values, name === "y" ? range.toReversed() : range) };
  }
  let ends = scale.domain;
  if (!ends) {
    const numbers = every.flatMap(({ of, rows }) => rows.map((row) => row[of.field]).filter(Number.isFinite));
    const points = scale.zero === false && numbers.length ? numbers : [...numbers, 0];
    ends = niceRange(points.reduce(([low, high], point) => [Math.min(low, point), Math.max(high, point)], [Infinity, -Infinity]));
  }
  const ticks = ticksOf(ends, Math.ceil(Math.abs(range[1] - range[0]) / 55), axis?.tickMinStep);
  const values = axis?.values?.filter((value) => value >= ends[0] && value <= ends[1]);
  const write = values ? (value) => numeral(value, 0, 6) : ticks.write;
  return { title, isNumeric: true, values: values ?? ticks.values, write, place: numeric(scale, ends, range) };
}

/** Keep every second label until none is too close to the next. */
function apart(labels, gap) {
  let kept = labels;
  while (kept.length > 1 && kept.some((label, at) => at && label.start - kept[at - 1].end < gap)) {
    kept = kept.filter((_, at) => at % 2 === 0);
  }
  return kept;
}

const symbol = (kind, size) => {
  const half = Math.sqrt(size) / 2;
  if (kind === "square") {
    return `M${-half},${-half}h${2 * half}v${2 * half}h${-2 * half}Z`;
  }
  const r = Math.sqrt(size / Math.PI);
  return `M${-r},0a${r},${r},0,1,1,${2 * r},0a${r},${r},0,1,1,${-2 * r},0`;
};

const stroked = (look) => ({
  fill: "none",
  stroke: look.color,
  "stroke-width": look.strokeWidth ?? 2,
  "stroke-dasharray": look.strokeDash?.[1] ? look.strokeDash.join(" ") : null,
});
const DRESS = {
  line: stroked,
  rule: stroked,
  bar: (look) => ({ fill: look.color }),
  point: (look) => ({ fill: look.color, d: symbol(look.shape, look.size) }),
};

/** Return how a row looks: constants of the layer, and what depends on the row. */
function lookOf({ encoding, look }, row, config) {
  const found = { ...look };
  for (const name of ["color", "shape", "strokeDash"]) {
    if (encoding[name]) {
      const { field, scale } = encoding[name];
      const values = scale.range === "category" ? config.range.category : scale.range;
      found[name] = values[scale.domain.indexOf(row[field])];
    }
  }
  return found;
}

const said = (value, format) => {
  if (typeof value !== "number") {
    return value ?? "–";
  }
  const decimals = format?.match(/^\.(\d+)f$/)?.[1];
  return (decimals ? value.toFixed(decimals) : String(Number(value.toPrecision(12)))).replace("-", "−");
};

/** Return what is said of a row: names and values. */
export const tipOf = (encoding, row) =>
  (encoding.tooltip ?? []).map(({ field, title, format }) => [title, said(row[field], format)]);

/** Draw a chart.

`inner` is the width between the axes, `outer` that of all; `title` is written above it. Returns the
element, and what to point at: `items` by element, and all `points`. */
export function drawn(spec, config, { inner, outer, title, describe }) {
  const layers = layersOf(spec, config);
  const { labelFontSize: small, titleFontSize: large } = config.axis;
  const [font, titleFont] = [small, large].map((size) => `${size}px ${config.font}`);
  const height = spec.height.step ? spec.height.step * axisOf("y", layers, [1, 0]).values.length : spec.height;
  const y = axisOf("y", layers, [height, 0]);
  const rowsOfLabels = y.values.map((value) => fitted(y.write(value), Math.min(y.labelLimit ?? 180, (inner ?? outer) / 2.5), font));
  const widest = Math.max(0, ...rowsOfLabels.map((label) => textWidth(label, font)));
  const left = Math.ceil(widest) + 8 + (y.title ? large + 8 : 0);
  const width = inner ?? Math.max(80, outer - left - BEYOND);
  const x = axisOf("x", layers, [0, width]);
  const top = title ? 30 : 8;
  const below = 10 + small + (x.title ? large + 8 : 0);
  const plot = shape("g", { transform: `translate(${left},${top})` });
  const [all, tall] = [left + width + BEYOND, top + height + below];
  const svg = shape(
    "svg",
    {
      xmlns: SVG, width: all, height: tall, viewBox: `0 0 ${all} ${tall}`, "font-family": config.font,
      role: "graphics-document", "aria-label": spec.description,
    },
    plot,
  );
  if (title) {
    svg.prepend(shape("text", { x: left, y: 16, "font-size": large, fill: config.axis.titleColor }, title));
  }
  drawAxes(plot, { x, y, width, height, rowsOfLabels, left, font, titleFont }, config.axis);
  const found = { svg, plot, points: [], left, top };
  for (const layer of layers) {
    drawLayer(layer, { x: x.place, y: y.place, config, describe }, found);
  }
  return found;
}

function drawAxes(plot, { x, y, width, height, rowsOfLabels, left, font, titleFont }, look) {
  const axes = shape("g", { class: "axes", "aria-hidden": "true" });
  const grid = (isZero, x1, y1, x2 = x1, y2 = y1) =>
    axes.append(shape("line", { x1, y1, x2, y2, stroke: isZero ? look.domainColor : look.gridColor, "shape-rendering": "crispEdges" }));
  const across = (at, isZero) => grid(isZero, 0, at, width);
  const along = (at, isZero) => grid(isZero, at, 0, at, height);
  const text = (attributes, said, size = look.labelFontSize, color = look.labelColor) =>
    axes.append(shape("text", { "font-size": size, fill: color, ...attributes }, said));
  for (const [axis, drawLine] of [[y, across], [x, along]]) {
    axis.values.forEach((value) => axis.isNumeric && drawLine(axis.place(value), value === 0));
  }
  if (!x.isNumeric) {
    across(height, true);
  }
  if (!y.isNumeric && !x.values.includes(0)) {
    along(0, true);
  }
  const rows = y.values.map((value, at) => ({ said: rowsOfLabels[at], start: -y.place(value) - look.labelFontSize, end: -y.place(value) }));
  for (const { said, end } of y.isNumeric ? apart(rows, 0) : rows) {
    text({ x: -8, y: 0.35 * look.labelFontSize - end, "text-anchor": "end" }, said);
  }
  const placed = x.values.map((value) => {
    const said = x.write(value);
    const half = textWidth(said, font) / 2;
    const middle = Math.min(Math.max(x.place(value), half - left), width + BEYOND - half);
    return { said, middle, start: middle - half, end: middle + half };
  });
  for (const { said, middle } of apart(placed, look.labelSeparation)) {
    text({ x: middle, y: height + 8 + look.labelFontSize, "text-anchor": "middle" }, said);
  }
  const title = ({ title }, attributes, room) =>
    title && text({ ...attributes, "text-anchor": "middle" }, fitted(title, room, titleFont), look.titleFontSize, look.titleColor);
  // A title may be wider than its axis, but not than the chart.
  const most = left + width + BEYOND;
  const half = Math.min(textWidth(x.title ?? "", titleFont), most) / 2;
  const middle = Math.min(Math.max(width / 2, half - left), width + BEYOND - half);
  title(x, { x: middle, y: height + 12 + look.labelFontSize + look.titleFontSize }, most);
  title(y, { transform: `translate(${look.titleFontSize - left},${height / 2}) rotate(-90)` }, height);
  plot.append(axes);
}

/** Draw the marks of a layer. */
function drawLayer(layer, plan, found) {
  const { type, encoding, rows } = layer;
  const place = (name, row) => {
    const value = row[encoding[name]?.field];
    return value === null || value === undefined ? Number.NaN : plan[name[0]](value);
  };
  const group = shape("g", { class: `mark-${type}` });
  found.plot.append(group);
  const add = (element, row) => {
    const look = lookOf(layer, row, plan.config);
    set(element, { ...DRESS[type](look), opacity: look.opacity, "data-system": row.system });
    group.append(element);
    if (encoding.tooltip) {
      plan.describe(element, type, tipOf(encoding, row));
    }
  };
  const spots = rows
    .map((row) => [place("x", row), place("y", row), row])
    .filter(([x, y]) => type === "line" || !Number.isNaN(x + y));
  DRAW[type](spots, { add, place, plan, layer, group });
  if (encoding.tooltip) {
    // A bar can be pointed at in all of its row.
    const reach = type === "bar" ? plan.y.step / 2 : 0;
    found.points.push(...spots.map(([x, y, row]) => ({ x, y, row, encoding, reach })));
  }
}

const at = (x, y) => `${x.toFixed(2)},${y.toFixed(2)}`;

const DRAW = {
  point(spots, { add, layer, group, plan }) {
    if (spots.length <= MANY) {
      for (const [x, y, row] of spots) {
        add(shape("path", { transform: `translate(${at(x, y)})` }), row);
      }
      return;
    }
    const look = lookOf(layer, {}, plan.config);
    const paths = Math.min(256, Math.ceil(spots.length / TOGETHER));
    for (let number = 0; number < paths; number++) {
      const d = spots.filter((_, at) => at % paths === number).map(([x, y]) => `M${at(x, y)}h0`).join("");
      group.append(
        shape("path", {
          d, fill: "none", stroke: look.color, opacity: look.opacity, "stroke-linecap": "round",
          "stroke-width": 2 * Math.sqrt(look.size / Math.PI), "pointer-events": "none",
        }),
      );
    }
    group.setAttribute("aria-hidden", "true");
  },
  line(spots, { add, layer }) {
    for (const points of Map.groupBy(spots, ([, , row]) => row[layer.encoding.detail?.field]).values()) {
      // Where a point is missing, a new line begins.
      const parts = points.map(([x, y]) => (Number.isNaN(x + y) ? " " : `L${at(x, y)}`)).join("");
      if (parts.trim()) {
        add(shape("path", { d: parts.replace(/(^| )L/g, "M").trim() }), points[0][2]);
      }
    }
  },
  rule(spots, { add, place }) {
    for (const [x, y, row] of spots) {
      add(shape("line", { x1: x, y1: y, x2: place("x2", row), y2: y }), row);
    }
  },
  bar(spots, { add, plan }) {
    const thick = 0.9 * plan.y.step;
    for (const [x, y, row] of spots) {
      const zero = plan.x(0);
      const [start, width] = [Math.min(x, zero), Math.abs(x - zero)];
      add(shape("rect", { x: start, y: y - thick / 2, width, height: thick }), row);
    }
  },
};
