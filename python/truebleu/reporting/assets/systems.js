// The tables of many systems: those that lead, those that are chosen, and those that are looked for.

import { byId, report, say } from "./data.js";

const MOST = 12;

/** Show the rows of some systems; both tables have the same. */
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

/** Fold and unfold them when somebody types a name, or wants all. */
export function listenToSystems() {
  byId("system-name")?.addEventListener("input", foldSystems);
  byId("all-systems")?.addEventListener("click", ({ currentTarget: button }) => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
    foldSystems();
  });
}
