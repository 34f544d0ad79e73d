// Tables of many systems show the best ones, the two that are chosen, or those that a search finds.

import { byId, report, say } from "./data.js";

const MOST = 12;

/** Show the same rows in both tables, and say how many there are. */
export function foldSystems() {
  const box = byId("find-systems");
  if (!box) {
    return;
  }
  box.hidden = false;
  const wanted = byId("system-name").value.toLowerCase();
  const all = byId("all-systems").getAttribute("aria-pressed") === "true";
  const numbers = byId("numbers")?.tBodies[0].rows ?? [];
  let shown = 0;
  document.querySelectorAll(".systems tbody tr").forEach((row, place) => {
    const called = row.querySelector("bdi").textContent.toLowerCase();
    const kept = wanted ? called.includes(wanted) : all || place < MOST || row.matches(".one, .other");
    for (const each of [row, numbers[place]]) {
      each?.classList.toggle("folded", !kept);
    }
    shown += Number(kept);
  });
  byId("shown-systems").textContent = say`${shown} of ${report.facts.systems.length} systems`;
}

/** Listen to the search field, and to the button that shows all. */
export function listenToSystems() {
  byId("system-name")?.addEventListener("input", foldSystems);
  byId("all-systems")?.addEventListener("click", ({ currentTarget: button }) => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
    foldSystems();
  });
}
