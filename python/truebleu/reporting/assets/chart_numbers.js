// The numbers of a chart: as a table in the page, and as a file.

import { counted, fixed, grouped, inert, make, say, scrolling, write } from "./data.js";
import { actionOf, rowsOf } from "./chart_rows.js";

// What rows have for the page alone.
const INTERNAL = new Set(["place", "side", "missed"]);
const MOST_ROWS = 1000;

/** Return the rows of a chart, the names of columns, and below these the cells of the rows. */
function numbersOf(name, decimals) {
  const rows = rowsOf(name);
  const names = Object.keys(rows[0] ?? {}).filter((key) => !INTERNAL.has(key));
  return [rows, names, ...rows.map((row) => names.map((key) => cellOfRow(row[key], decimals)))];
}

const cellOfRow = (value, decimals) =>
  value === null || (typeof value === "number" && !Number.isInteger(value))
    ? fixed(value, decimals)
    : String(value);

/** List the rows of a chart as a table. */
export function listNumbers(name, box) {
  const [rows, names, ...cells] = numbersOf(name, 4);
  const shown = rows.slice(0, MOST_ROWS);
  const acts = shown.some((row) => actionOf(name, row));
  const heads = [...names.map((key) => say(key)), ...(acts ? [say`in the list`] : [])];
  const line = (row, at) => {
    const button = make("button", { type: "button" }, say`Show`);
    button.addEventListener("click", () => actionOf(name, row)());
    const values = cells[at].map((cell) => write(make("td", { dir: "auto" }), cell));
    return make("tr", {}, ...values, acts ? make("td", {}, button) : null);
  };
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...shown.map(line)),
  );
  const rest =
    rows.length > MOST_ROWS
      ? say`The first ${grouped(MOST_ROWS)} of ${counted(rows.length, "row")}; files have all.`
      : "";
  box.replaceChildren(make("p", { class: "note" }, rest), scrolling(say`Numbers`, table));
}

function quoted(cell) {
  const text = inert(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Return the numbers of a chart as a file of comma-separated values. */
export function fileOf(name) {
  const lines = numbersOf(name, 6).slice(1).map((row) => row.map(quoted).join(","));
  return new Blob([`${lines.join("\n")}\n`], { type: "text/csv" });
}
