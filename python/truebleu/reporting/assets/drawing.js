// A chart as SVG: of Vega-Lite, what the charts of reports have.

import { set } from "./data.js";
import { discrete, numeral, niceRange, numeric, placesOf, ticksOf } from "./scales.js";

const SVG = "http://www.w3.org/2000/svg";
const MANY = 1500; // Points that are drawn together.
const TOGETHER = 64; // In one path: so few seldom overlap, so that dense places are darker.

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

/** Leave out the middle of a text that is too wide. */
function fitted(text, limit, font) {
  if (textWidth(text, font) <= limit) {
    return text;
  }
  const letters = [...text];
  const cut = (kept) => {
    const head = Math.ceil((kept * 2) / 3);
    return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - kept + head).join("")}`;
  };
  let [fits, wide] = [1, letters.length];
  while (wide - fits > 1) {
    const middle = (fits + wide) >> 1;
    [fits, wide] = textWidth(cut(middle), font) <= limit ? [middle, wide] : [fits, middle];
  }
  return cut(fits);
}

const isKnown = (value) => !Number.isNaN(value ?? Number.NaN);

/** Whether a filter keeps a row. */
function keeps({ not, and, field, oneOf, valid, equal }, row) {
  if (not || and) {
    return not ? !keeps(not, row) : and.every((each) => keeps(each, row));
  }
  return oneOf?.includes(row[field]) ?? (valid ? isKnown(row[field]) : row[field] === equal);
}

/** Return the layers of a chart, each with its rows and the look of its marks. */
function layersOf(spec, config) {
  return (spec.layer ?? [spec]).map((layer) => {
    const { values, name } = layer.data ?? spec.data;
    const filters = (layer.transform ?? []).map((each) => each.filter);
    const all = values ?? spec.datasets[name];
    const { type } = layer.mark;
    const styles = [layer.mark.style ?? []].flat().map((style) => config.style[style]);
    return {
      type,
      encoding: layer.encoding,
      rows: all.filter((row) => filters.every((filter) => keeps(filter, row))),
      look: Object.assign({ ...config[type] }, ...styles, layer.mark),
    };
  });
}

/** Return what the layers say of an axis together, and its scale. */
function axisOf(name, layers, range) {
  const every = layers.flatMap((layer) =>
    [name, `${name}2`].filter((key) => layer.encoding[key]?.field).map((key) => ({ of: layer.encoding[key], rows: layer.rows })),
  );
  const given = every.map((each) => each.of).filter((each) => each.type);
  const scale = Object.assign({}, ...given.map((each) => each.scale));
  const axis = Object.assign({}, ...given.map((each) => each.axis));
  const title = given.find((each) => each.title)?.title;
  if (given[0].type !== "quantitative") {
    const rows = every.flatMap((each) => each.rows);
    const values = placesOf(rows, given.find((each) => each.sort !== undefined) ?? given[0]);
    return { ...axis, title, values, write: String, place: discrete(values, name === "y" ? range.toReversed() : range) };
  }
  let ends = scale.domain;
  if (!ends) {
    const numbers = every.flatMap(({ of, rows }) => rows.map((row) => row[of.field]).filter(Number.isFinite));
    const points = scale.zero === false && numbers.length ? numbers : [...numbers, 0];
    ends = points.reduce(([low, high], point) => [Math.min(low, point), Math.max(high, point)], [Infinity, -Infinity]);
    ends = scale.nice === false ? ends : niceRange(ends);
  }
  const ticks = ticksOf(ends, Math.ceil(Math.abs(range[1] - range[0]) / 55), axis.tickMinStep);
  const values = axis.values?.filter((value) => value >= ends[0] && value <= ends[1]);
  const write = values ? (value) => numeral(value, 0, 6) : ticks.write;
  return { ...axis, title, grid: true, isNumeric: true, values: values ?? ticks.values, write, place: numeric(scale, ends, range) };
}

/** Return the lines of the label of a place. */
function labelOf(axis, value) {
  // A table of texts by value: nothing of it is run.
  const texts = JSON.parse(axis.labelExpr?.match(/^\((.*)\)\[datum\.value\]$/s)?.[1] ?? "{}");
  return [Object.hasOwn(texts, value) ? texts[value] : axis.write(value)].flat();
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
const filled = (look) => ({ fill: look.color });
const DRESS = {
  line: stroked,
  rule: stroked,
  area: filled,
  bar: filled,
  point: (look) => ({ fill: look.color, d: symbol(look.shape, look.size) }),
  text: (look) => ({ "pointer-events": look.opacity === 0 ? "none" : null, fill: look.color, "font-size": look.size ?? look.fontSize, "font-weight": look.fontWeight }),
};
const dress = (element, type, look) =>
  set(element, { ...DRESS[type](look), opacity: look.opacity, cursor: look.cursor });

/** Return how a row looks: constants of the layer, and what depends on the row. */
function lookOf({ encoding, look, type, sizes }, row, config, lifted = false) {
  const found = { ...look };
  for (const name of ["color", "shape", "strokeDash", "size", "opacity", "strokeWidth"]) {
    const channel = encoding[name];
    if (channel?.condition && lifted) {
      found[name] = channel.condition.value;
    } else if (channel?.value !== undefined) {
      found[name] = channel.value;
    } else if (channel?.field) {
      const { domain, range } = channel.scale ?? {};
      const values = range === "category" ? config.range.category : range;
      const value = row[channel.field];
      found[name] = domain ? values[domain.indexOf(value)] : channel.scale ? sizes(value) : value;
    }
  }
  return type === "point" ? { size: 30, ...found } : found;
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
  [encoding.tooltip ?? []].flat().filter((each) => each.field).map(({ field, title, format }) => [title ?? field, said(row[field], format)]);

/** Draw a chart.

`inner` is the width between the axes, `outer` that of all; `title` is written above it. Returns the
element, and what to point at: `items` by element, all `points`, and the `lifts` of a system. */
export function drawn(spec, config, { inner, outer, title, describe }) {
  const height = spec.height ?? 300;
  const layers = layersOf(spec, config);
  const { labelFontSize: small, titleFontSize: large } = config.axis;
  const [font, titleFont] = [small, large].map((size) => `${size}px ${config.font}`);
  const y = axisOf("y", layers, [height, 0]);
  const rowsOfLabels = y.values.map((value) => fitted(labelOf(y, value)[0], y.labelLimit ?? 180, font));
  const widest = Math.max(0, ...rowsOfLabels.map((label) => textWidth(label, font)));
  const left = Math.ceil(widest) + 8 + (y.title ? large + 8 : 0);
  const names = layers.filter((layer) => layer.type === "text").flatMap((layer) => {
    const bold = `bold ${layer.look.fontSize + 1}px ${config.font}`;
    return layer.rows.map((row) => Math.min(layer.look.limit, textWidth(row[layer.encoding.text.field], bold)) + layer.look.dx);
  });
  const right = Math.ceil(Math.max(6, ...names)) + 2;
  const width = inner ?? Math.max(80, outer - left - right);
  const x = axisOf("x", layers, [0, width]);
  const labels = x.values.map((value) => labelOf(x, value));
  const lines = Math.max(1, ...labels.map((label) => label.length));
  const top = title ? 30 : 8;
  const below = 8 + lines * (small + 2) + (x.title ? large + 8 : 0);
  const plot = shape("g", { transform: `translate(${left},${top})` });
  const [all, tall] = [left + width + right, top + height + below];
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
  drawAxes(plot, { x, y, width, height, labels, rowsOfLabels, lines, left, right, font, titleFont }, config.axis);
  const found = { svg, plot, items: new Map(), points: [], lifts: new Map(), left, top };
  for (const layer of layers) {
    drawLayer(layer, { x: x.place, y: y.place, width, height, config, describe }, found);
  }
  return found;
}

function drawAxes(plot, { x, y, width, height, labels, rowsOfLabels, lines, left, right, font, titleFont }, look) {
  const axes = shape("g", { class: "axes", "aria-hidden": "true" });
  const grid = (isZero, x1, y1, x2 = x1, y2 = y1) =>
    axes.append(shape("line", { x1, y1, x2, y2, stroke: isZero ? look.domainColor : look.gridColor, "shape-rendering": "crispEdges" }));
  const across = (at, isZero) => grid(isZero, 0, at, width);
  const along = (at, isZero) => grid(isZero, at, 0, at, height);
  const text = (attributes, said, size = look.labelFontSize, color = look.labelColor) =>
    axes.append(shape("text", { "font-size": size, fill: color, ...attributes }, said));
  for (const [axis, drawLine] of [[y, across], [x, along]]) {
    axis.values.forEach((value) => axis.grid && drawLine(axis.place(value), axis.isNumeric && value === 0));
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
  for (let line = 0; line < lines; line++) {
    const placed = x.values.map((value, at) => {
      const said = labels[at][line] ?? "";
      const half = textWidth(said, font) / 2;
      const middle = Math.min(Math.max(x.place(value), half - left), width + right - half);
      return { said, middle, start: middle - half, end: middle + half };
    });
    for (const { said, middle } of apart(placed, look.labelSeparation)) {
      text({ x: middle, y: height + 7 + (line + 0.8) * (look.labelFontSize + 2), "text-anchor": "middle" }, said);
    }
  }
  const title = ({ title }, attributes, room) =>
    title && text({ ...attributes, "text-anchor": "middle" }, fitted(title, room, titleFont), look.titleFontSize, look.titleColor);
  title(x, { x: width / 2, y: height + 10 + lines * (look.labelFontSize + 2) + look.titleFontSize }, width + 2 * right);
  title(y, { transform: `translate(${look.titleFontSize - left},${height / 2}) rotate(-90)` }, height);
  plot.append(axes);
}

/** Draw the marks of a layer. */
function drawLayer(layer, plan, found) {
  const { type, encoding, rows } = layer;
  const place = (name, row) => {
    const channel = encoding[name];
    if (channel?.value === "width") {
      return plan.width + (layer.look[`${name}Offset`] ?? 0);
    }
    const value = row[channel?.field];
    return isKnown(value) ? plan[name[0]](value) : Number.NaN;
  };
  if (encoding.size?.field) {
    const { field, scale } = encoding.size;
    layer.sizes = numeric(scale, [scale.domainMin, Math.max(...rows.map((row) => row[field]))], scale.range);
  }
  const group = shape("g", { class: `mark-${type}` });
  found.plot.append(group);
  const add = (element, row, points) => {
    dress(element, type, lookOf(layer, row, plan.config));
    group.append(element);
    if (row.system !== undefined && ["size", "opacity", "strokeWidth"].some((name) => encoding[name]?.condition)) {
      const lift = (isLifted) => {
        dress(element, type, lookOf(layer, row, plan.config, isLifted));
        element.classList.toggle("lifted", isLifted && type === "text");
      };
      found.lifts.set(row.system, [...(found.lifts.get(row.system) ?? []), lift]);
    }
    const spots = points.map(([x, y, row]) => ({ x, y, row, encoding }));
    if (encoding.tooltip && encoding.tooltip.value !== null) {
      found.items.set(element, spots);
    }
    if (type === "point") {
      found.points.push(...spots);
    }
    if (type === "point" || type === "bar") {
      plan.describe(element, type, tipOf(encoding, row));
    }
  };
  const spots = rows
    .map((row) => [place("x", row), place("y", row), row])
    .filter(([x, y]) => type === "line" || type === "area" || !Number.isNaN(x + y));
  DRAW[type](spots, { add, place, plan, layer, group, found });
}

/** Return the rows of each line, in their order. */
const byLine = (spots, { encoding }) =>
  Map.groupBy(spots, ([, , row]) => row[encoding.detail?.field]);

const at = (x, y) => `${x.toFixed(2)},${y.toFixed(2)}`;

const DRAW = {
  point(spots, { add, layer, group, found, plan }) {
    if (spots.length <= MANY) {
      for (const [x, y, row] of spots) {
        add(shape("path", { transform: `translate(${at(x, y)})` }), row, [[x, y, row]]);
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
    found.points.push(...spots.map(([x, y, row]) => ({ x, y, row, encoding: layer.encoding })));
  },
  line(spots, { add, layer }) {
    for (const points of byLine(spots, layer).values()) {
      // Where a point is missing, a new line begins.
      const parts = points.map(([x, y]) => (Number.isNaN(x + y) ? " " : `L${at(x, y)}`)).join("");
      if (parts.trim()) {
        const known = points.filter(([x, y]) => !Number.isNaN(x + y));
        add(shape("path", { d: parts.replace(/(^| )L/g, "M").trim() }), points[0][2], known);
      }
    }
  },
  area(spots, { add, place, layer }) {
    for (const points of byLine(spots, layer).values()) {
      const back = points.toReversed().map(([x, , row]) => at(x, place("y2", row)));
      const d = `M${[...points.map(([x, y]) => at(x, y)), ...back].join("L")}Z`;
      add(shape("path", { d }), points[0][2], points);
    }
  },
  rule(spots, { add, place }) {
    for (const [x, y, row] of spots) {
      const [x2, y2] = [place("x2", row), place("y2", row)].map((end, at) => (Number.isNaN(end) ? [x, y][at] : end));
      add(shape("line", { x1: x, y1: y, x2, y2 }), row, [[x, y, row]]);
    }
  },
  bar(spots, { add, plan, group, found }) {
    const thick = 0.9 * plan.y.step;
    for (const [x, y, row] of spots) {
      const zero = plan.x(0);
      const [start, width] = [Math.min(x, zero), Math.abs(x - zero)];
      add(shape("rect", { x: start, y: y - thick / 2, width, height: thick }), row, [[x, y, row]]);
      // All of its row can be pointed at.
      const target = shape("rect", {
        class: "strip", x: 0, y: y - plan.y.step / 2, width: plan.width, height: plan.y.step,
        fill: "none", "pointer-events": "all", cursor: "pointer",
      });
      found.items.set(target, found.items.get(group.lastChild));
      group.append(target);
    }
  },
  text(spots, { add, plan, layer }) {
    const { fontSize, fontWeight, limit, dx } = layer.look;
    const font = `${fontWeight ?? "normal"} ${fontSize}px ${plan.config.font}`;
    for (const [x, y, row] of spots) {
      const text = fitted(row[layer.encoding.text.field], limit, font);
      add(shape("text", { transform: `translate(${at(x + dx, y + 3)})` }, text), row, [[x, y, row]]);
    }
  },
};
