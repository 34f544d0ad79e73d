// What a paper quotes: each text can be read and copied as a whole.

import { byId, copyText, counted, make, report, say } from "./data.js";

/** List the texts, each with a button that copies it. */
export function listQuotes() {
  const parts = report.facts.quotes.map(([title, text]) => {
    const said = make("span", { class: "done", role: "status" });
    const button = make("button", { type: "button", "aria-label": say`Copy: ${title}` }, say`Copy`);
    const lines = text.trimEnd().split("\n").length;
    button.addEventListener("click", () => copyText(text, counted(lines, "line"), said));
    const box = make("pre", { tabindex: "0", role: "group", "aria-label": title }, text);
    return make("details", { class: "quote" }, make("summary", {}, title), button, said, box);
  });
  byId("quotes").replaceChildren(...parts);
}
