"""The verdict: answers compared with what is known, by file and law."""

from __future__ import annotations

import json
import struct

from truebleu.conformance.cases import file_of
from truebleu.display import formatting
from truebleu.display.blocks import RULE, Block, Cell
from truebleu.display.shown import Shown
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from truebleu.display.blocks import Row

    Case = dict[str, Any]
    Answer = dict[str, Any]

TOLERANCE = 1e-9
"""How far a number may be from the expected one; a program that has fewer `decimals` says so."""

GRADES = ("equal", "within", "rounded", "wrong", "skipped")
"""From best to worst; what is skipped is not judged."""


def grade(case: Case, answer: Answer) -> str:
    """Return the grade of an answer."""
    expect, key = case["expect"], case["answer"]
    if "skip" in answer:
        return "skipped"
    if "error" in answer or "error" in expect:
        right = "error" in answer and "error" in expect
    elif key == "signature":
        right = _fields(expect[key]).items() <= _fields(answer[key]).items()
    elif key == "tokens":
        right = answer[key] == expect[key]
    else:
        return _grade_of_numbers(case, answer)
    return "equal" if right else "wrong"


def _grade_of_numbers(case: Case, answer: Answer) -> str:
    """Return the grade of a score, or the worst of several."""
    expect, key, bits = case["expect"], case["answer"], case["bits"]
    counted = [name for name in expect if name != key and name in answer]
    if any(answer[name] != expect[name] for name in counted):
        return "wrong"
    known, found = expect[key], answer[key]
    if not isinstance(known, list):
        known, found, bits = [known], [found], [bits]
    if len(found) != len(known):
        return "wrong"
    places = answer.get("decimals")
    grades = (_grade_of_number(*each, places) for each in zip(found, known, bits, strict=True))
    return max(grades, key=GRADES.index)


def _grade_of_number(found: float, known: float, bits: str, places: int | None) -> str:
    if struct.pack(">d", float(found)).hex() == bits:
        return "equal"
    distance = abs(found - known)
    if distance <= TOLERANCE:
        return "within"
    if places is not None and distance <= 0.5 * 10.0**-places + TOLERANCE:
        return "rounded"
    return "wrong"


def _fields(signature: str) -> dict[str, tuple[str, float | None]]:
    """Return the fields of a signature; the number in ``floor[0.10]`` may have any precision."""
    fields = {}
    for field in signature.split("|"):
        name, _, value = field.partition(":")
        text, bracket, number = value.removesuffix("]").partition("[")
        try:
            fields[name] = text, float(number) if bracket else None
        except ValueError:
            fields[name] = value, None
    return fields


class LawVerdict(Record):
    """How a program has answered the cases of a law; `smallest` is the shortest wrong one."""

    file: str
    law: str
    grades: Mapping[str, int]
    smallest: Mapping[str, Any]


class Verdict(Shown):
    """What a program knows: grades of answers, violations, and cases without files (`unasked`)."""

    version: int
    command: Sequence[str]
    asked: int
    answered: int
    unasked: int
    grades: Mapping[str, int]
    laws: Sequence[LawVerdict]
    reasons: Mapping[str, int]
    violations: Sequence[str]
    cases: Mapping[str, str]

    def blocks(self) -> list[Block]:
        """Return what there is to show: a summary, a table of laws, and what is wrong."""
        blocks = [Block(lines=[self.summary()])]
        if self.unasked:
            more = formatting.count(self.unasked, "more case")
            blocks[0] = Block(lines=[self.summary(), f"{more} need outputs of WMT systems: --data"])
        if self.violations:
            blocks.append(Block("The protocol is broken", lines=self.violations))
        blocks.append(self._table())
        if self.reasons:
            counted = self.reasons.items()
            rows = [("", (reason, Cell(f"{count:,}", "count"))) for reason, count in counted]
            blocks.append(Block("Skipped", header=("reason", "cases"), rows=rows))
        wrong = (law for law in self.laws if law.smallest)
        return [*blocks, *map(_shown_case, wrong)]

    def summary(self) -> str:
        """Say how many cases were answered, and how well."""
        grades = self.grades
        rounded = f"{grades['rounded']:,} as rounded, " if grades["rounded"] else ""
        return (
            f"{self.answered:,} of {formatting.count(self.asked, 'case')} answered: "
            f"{grades['equal']:,} equal to the last bit, {grades['within']:,} within "
            f"{TOLERANCE:g}, {rounded}{grades['wrong']:,} wrong; {grades['skipped']:,} skipped."
        )

    def _table(self) -> Block:
        rows: list[Row] = []
        for before, law in zip([None, *self.laws], self.laws, strict=False):
            if before is not None and before.file != law.file:
                rows.append(RULE)
            numbers = (Cell(f"{law.grades[name]:,}", "count") for name in GRADES)
            style = "bad" if law.grades["wrong"] else ""
            rows.append((style, (law.file, *numbers, law.law)))
        align = f"l{'r' * len(GRADES)}l"
        return Block(header=("file", *GRADES, "law"), rows=rows, align=align)


def _shown_case(law: LawVerdict) -> Block:
    """Show the smallest wrong answer under a law, with its case."""
    case, answer = law.smallest["case"], law.smallest["answer"]
    known = "law", "expect", "bits", "from"
    asked = {key: value for key, value in case.items() if key not in known}
    return Block(
        f"{law.file}: {law.law}",
        [
            Cell(json.dumps(asked, ensure_ascii=False), "code"),
            f"expected: {json.dumps(case['expect'], ensure_ascii=False)} ({case['from']})",
            f"answered: {json.dumps(answer, ensure_ascii=False)}",
        ],
    )


def judge(
    version: int,
    command: Sequence[str],
    cases: Sequence[Case],
    answers: Mapping[str, Answer],
    violations: Sequence[str],
    unasked: int,
) -> Verdict:
    """Compare answers with what is known; a case without an answer has no grade."""
    by_law: dict[tuple[str, str], dict[str, list[Case]]] = {}
    grades = {}
    for case in cases:
        found = by_law.setdefault((file_of(case), case["law"]), {name: [] for name in GRADES})
        if case["id"] in answers:
            grades[case["id"]] = grade(case, answers[case["id"]])
            found[grades[case["id"]]].append(case)
    laws = [
        LawVerdict(
            file=file,
            law=law,
            grades={name: len(several) for name, several in found.items()},
            smallest=_smallest(found["wrong"], answers),
        )
        for (file, law), found in by_law.items()
    ]
    totals = {name: sum(law.grades[name] for law in laws) for name in GRADES}
    reasons: dict[str, int] = {}
    for name in sorted(grades):
        if grades[name] == "skipped":
            reason = answers[name]["skip"]
            reasons[reason] = reasons.get(reason, 0) + 1
    return Verdict(
        version=version,
        command=command,
        asked=len(cases),
        answered=len(grades) - totals["skipped"],
        unasked=unasked,
        grades=totals,
        laws=laws,
        reasons=dict(sorted(reasons.items(), key=lambda item: -item[1])),
        violations=violations,
        cases=grades,
    )


def _smallest(cases: Sequence[Case], answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Return the shortest of some cases, and its answer; nothing of none."""
    if not cases:
        return {}
    case = min(cases, key=lambda each: len(json.dumps(each)))
    return {"case": case, "answer": answers[case["id"]]}
