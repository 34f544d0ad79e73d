// The live example of the page about truebleu.js, below the first code of the page: its texts, in fields.

import { corpusBleu, explain, load } from "../javascript/truebleu.js";
import { kindsOf } from "../playground/bleu_steps.js";
import { legend, levelNames, line, make, paragraph, said, sides } from "../playground/elements.js";
import { say } from "./words.js";

const TEXTS = { hypothesis: "The cat sat on the mat.", references: "The cat sat on a mat.\nA cat was on the mat." };

/** What the code returns for these texts, and its tokens, marked. */
function shown(hypothesis, references) {
  const { score, counts, totals } = corpusBleu([hypothesis], [references]);
  const { tokens, references: others, ...rest } = explain(hypothesis, references);
  const textOf = (units) => units.map((unit) => unit.text);
  const kinds = kindsOf({ tokens, references: others, ...rest });
  return [
    paragraph("result", "score: ", make("b", {}, String(score))),
    paragraph("said", `counts: [${counts.join(", ")}], totals: [${totals.join(", ")}]`),
    sides(
      [said("hypothesisShort"), line(textOf(tokens), (index) => [kinds[index]])],
      ...others.map((units, index) => [said("referenceShort", index + 1), line(textOf(units), () => [])]),
    ),
    legend(kinds, { ...levelNames([0]), clipped: said("clippedLegend"), missing: said("missingLegend") }),
  ];
}

function update() {
  const [hypothesis, references] = fields.map(({ value }) => value.split("\n").filter((part) => part.trim()));
  try {
    result.replaceChildren(...shown(hypothesis.join(" "), references));
  } catch (error) {
    result.replaceChildren(paragraph("said", error.message));
  }
}

const result = make("div", { class: "shown" });
const fields = Object.entries(TEXTS).map(([name, text]) => {
  const field = make("textarea", { name, rows: "2", maxlength: "3000", dir: "auto", spellcheck: "false" }, text);
  field.addEventListener("input", update);
  return field;
});
const labels = fields.map((field) => make("label", { class: "field" }, say("labels")[field.name], field));

await load();
update();
const root = make("div", { class: "truebleu play", role: "group", "aria-label": "A live example" }, ...labels, result);
document.querySelector(".highlight-js").after(root);
