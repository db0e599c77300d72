"""A benchmark at the size of ABBL: 470 questions of 22 skills and 64 sources, and who answers them.

Texts are put together from sentences of our own (`sentences/abbl.json`) in Modern Standard Arabic and four groups of
dialects. Models, laboratories and judges are invented. How good an answer is follows a logistic model: the chance of a
right one is 1 / (1 + exp(hardness - ability)), both in logits, so that who is ahead of whom is known.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from demo.studies.abbl_choices import Draw
from demo.studies.abbl_counts import CELLS, HELD_BACK, SKILLS, TRANSLATED, Cell
from demo.studies.abbl_texts import WRITERS

DEFAULT_SEED = 2025
SET = "abbl"
GENERATED = {"generated": True}
LICENCE = "CC0-1.0"
#: Of the draft alone: two checkers drop it.
DROPPED = "underlined-word"
#: Imported with a reference that two checkers correct.
CORRECTED = ("definition-001", "ارتفاع ماء البحر مرة في السنة بسبب الرياح.")
HARDNESS, SPREAD = -0.55, 1.25


@dataclass(frozen=True)
class Model:
    """One simulated configuration.

    parameters  total and active, in billions; None: undisclosed. ability  in logits. pace  words a second.
    thinks      how its thinking is sent: "tags", "apart" or not at all.
    slips       share of answers each that are in another language, refused, cut off, empty.
    """

    slug: str
    name: str
    laboratory: str
    parameters: tuple[float, float] | None
    ability: float
    pace: float
    is_open: bool = True
    thinks: str = ""
    slips: tuple[float, float, float, float] = (0.01, 0.005, 0.005, 0.0)
    lists_options: bool = False


#: Two of each class; the last one is undisclosed, lists the options instead of choosing, and waits for a decision.
MODELS = (
    Model("siwa-1b", "Siwa 1B", "Oryx Reading Group", (1.1, 1.1), -1.2, 148, slips=(0.06, 0.01, 0.02, 0.015)),
    Model("dahab-3b", "Dahab 3B", "Lantern Works", (2.9, 2.9), -0.65, 96, slips=(0.03, 0.02, 0.01, 0.0)),
    Model("tamra-4b", "Tamra 4B", "Date Palm Institute", (4.2, 4.2), 0.05, 81, slips=(0.02, 0.01, 0.01, 0.0)),
    Model("qamar-8b", "Qamar 8B", "Oryx Reading Group", (8.0, 8.0), 0.2, 57, thinks="tags"),
    Model("rimal-14b", "Rimal 14B", "Lantern Works", (14.3, 14.3), 0.85, 38),
    Model("marsa-32b", "Marsa 32B", "Blue Harbour", (32.5, 5.5), 1.0, 61, thinks="apart"),
    Model("sahel-72b", "Sahel 72B", "Date Palm Institute", (72.0, 72.0), 1.75, 14),
    Model("anqa-xl", "Anqa XL", "Blue Harbour", (410.0, 37.0), 1.85, 66, is_open=False, thinks="apart"),
    Model("zajil", "Zajil", "Courier Systems", None, 0.3, 103, is_open=False, lists_options=True),
)


@dataclass(frozen=True)
class Asked:
    """A question as it is imported. hardness  in logits."""

    line: dict[str, Any]
    kind: str
    hardness: float

    @property
    def key(self) -> str:
        return self.line["id"]

    @property
    def labels(self) -> dict[str, str]:
        """The options' texts by label; empty where there are none."""
        return {option["label"]: option["text"] for option in self.line.get("options", ())}


def questions(seed: int = DEFAULT_SEED) -> list[Asked]:
    """All questions in the order of the cells; the same for the same seed."""
    written: Counter[str] = Counter()
    made: list[Asked] = []
    for cell in CELLS:
        for source, count in cell.sources:
            for _ in range(count):
                made.append(asked_in(cell, source, written[cell.kind], seed))
                written[cell.kind] += 1
    return with_twins(made)


def asked_in(cell: Cell, source: str, number: int, seed: int) -> Asked:
    key = f"{cell.kind.replace('_', '-')}-{number + 1:03}"
    rng = Random(f"{seed}:{key}")
    written = dict(WRITERS[cell.kind](Draw(rng, number, source)))
    parameters = written.pop("parameters", {})
    line = {
        **{name: value for name, value in written.items() if value is not None},
        "id": key,
        "category": cell.skill,
        "format": cell.format,
        "source": source_name(source),
        "rules": [{"rule": rule, "parameters": parameters.get(rule, {})} for rule in cell.rules],
        "metadata": {**GENERATED, **written.get("metadata", {})},
    }
    line.setdefault("variety", "ar")
    return Asked(line, cell.kind, rng.gauss(HARDNESS, SPREAD))


def with_twins(made: list[Asked]) -> list[Asked]:
    """Of some kinds the last questions are held back, each the twin of one before, and as hard as that."""
    of_kind: dict[str, list[Asked]] = defaultdict(list)
    for asked in made:
        of_kind[asked.kind].append(asked)
    twins = {
        twin.key: public
        for kind, count in HELD_BACK.items()
        for twin, public in zip(of_kind[kind][-count:], of_kind[kind][-2 * count : -count], strict=True)
    }
    return [
        Asked({**asked.line, "held_back": True, "twin_of": public.key}, asked.kind, public.hardness)
        if (public := twins.get(asked.key))
        else asked
        for asked in made
    ]


def source_name(source: str) -> str:
    return f"Generated: {source.replace('-', ' ')}"


def set_line(seed: int = DEFAULT_SEED) -> dict[str, Any]:
    """The line that describes the set; sources in the order of their first questions."""
    sources = dict.fromkeys(source for cell in CELLS for source, _count in cell.sources)
    return {
        "kind": "set",
        "id": SET,
        "name": "ABBL scale (generated)",
        "version": 1,
        "licence": f"{LICENCE}. Generated texts, nobody's questions.",
        "canary": str(UUID(int=Random(f"{seed}:canary").getrandbits(128), version=4)),
        "skills": [
            {"id": f"skill-{at:02}", "name": name, "counts_refusals": name == "Trust & Safety"}
            for at, name in enumerate(SKILLS, start=1)
        ],
        "sources": [
            {"id": source, "name": source_name(source), "translated": source in TRANSLATED, "licence": LICENCE}
            for source in sources
        ],
    }


def draft_lines(asked: list[Asked], seed: int = DEFAULT_SEED) -> list[dict[str, Any]]:
    """The draft as it is before anybody has checked it: a question more, and one with a wrong reference."""
    key, wrong = CORRECTED
    lines = [{**each.line, "output": wrong} if each.key == key else each.line for each in asked]
    extra = {
        "id": DROPPED,
        "instruction": "ما إعراب الكلمة التي تحتها خط؟",
        "output": "مفعول به منصوب.",
        "category": "Arabic Language & Grammar",
        "format": "generation",
        "source": source_name("house"),
        "language": "ar",
        "rules": [{"rule": "judge_generation"}],
        "metadata": GENERATED,
    }
    return [set_line(seed), *lines, extra]
