// What is chosen, in the address: it can be sent to somebody, and going back works.

import { address, byId, report } from "./data.js";

// The fields of the form by their names in the address; the list begins with what matters most.
const FIELDS = {
  q: "search",
  show: "show",
  document: "document",
  domain: "domain",
  length: "length",
  sort: "sort",
};
export const SORTED = "contribution";

/** Return what the address says after the question mark; what is not chosen is left out. */
function written(changes = {}) {
  const { one, other, facts } = report;
  const values = {
    metric: (byId("metric")?.selectedIndex ?? 0) > 0 ? facts.metric : "",
    ...(one !== facts.one || other !== facts.other
      ? { one: facts.systems[one], other: facts.systems[other] }
      : {}),
    ...Object.fromEntries(Object.entries(FIELDS).map(([name, id]) => [name, byId(id)?.value ?? ""])),
    ...changes,
  };
  // A system may have an empty name.
  const kept = ([name, value]) => (value !== "" || name === "one" || name === "other") && !(name === "sort" && value === SORTED);
  return new URLSearchParams(Object.entries(values).filter(kept));
}

/** Write into the address what is chosen now; typing does not add to the history. */
export function remember({ replace = false } = {}) {
  const search = written().toString();
  if (search === address().toString()) {
    return;
  }
  const url = `${search ? `?${search}` : location.pathname}${location.hash}`;
  history[replace ? "replaceState" : "pushState"](null, "", url);
}

/** Go to the page of another metric; what is chosen stays, and what is not, follows the metric. */
export function openMetric(metric) {
  location.search = written({ metric });
}

/** Choose what the address says. */
export function restore() {
  const given = address();
  for (const [name, id] of Object.entries(FIELDS)) {
    const field = byId(id);
    if (field) {
      field.value = given.get(name) ?? "";
      // A choice that there is not.
      field.selectedIndex = Math.max(0, field.selectedIndex ?? 0);
    }
  }
}
