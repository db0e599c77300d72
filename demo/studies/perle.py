"""A rubrics project at the size of Perle: 103 prompts, 302 responses, and the grades of two varieties.

`generate(seed)` makes the lines of an import: items, frozen rubrics, and grades. Whether a criterion passes follows
the many-facet Rasch model: logit P(pass) = quality of the response there - severity of the grader, so that severities
fitted to the grades can be held against `severity`; what judges say of them is `demo.studies.perle_judges`. Every line
says in its metadata that it was generated.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from demo.studies import dialects
from demo.studies.leniency import Reference, halved
from demo.studies.perle_counts import (
    BANDS,
    ERROR_WEIGHTS,
    ERRORS,
    FAILURE_TYPES,
    LIKELIER_IF_CULTURAL,
    PROMPTS,
    SCOPES,
    SCORES,
    TARGETS,
    VARIETIES,
    Place,
    deal,
)
from formats.item import Item

DEFAULT_SEED = 2026
GENERATED = {"generated": True}
# In logits; Egyptian graders are the milder ones, as the paper says of its panel.
SEVERITY = {"ar-EG": -0.7, "ar-IQ": 0.7}
GRADERS = 4
# Around their variety's, so that its mean stays what is put in.
OWN_SEVERITY = (-0.3, -0.1, 0.1, 0.3)
# How far criteria of one cell lie apart in quality, in logits: two graders agree on about five of six.
SPREAD = 3.0
REGRADED = {"ar-EG": 54, "ar-IQ": 26}
CALIBRATED = {"ar-EG": 20, "ar-IQ": 20}
CALIBRATION_GRADERS = 2  # of each variety per response
# Between these, in logits, next to no criterion passes and next to all do.
CENTRES = (-30.0, 30.0)
ERROR_SEEN = 0.88
BEGUN = datetime(2025, 3, 3, 9, tzinfo=UTC)


@dataclass
class Study:
    """The lines of the project, and what the judges are derived from."""

    items: list[Item] = field(default_factory=list)
    rubrics: list[dict] = field(default_factory=list)
    grades: list[dict] = field(default_factory=list)
    references: dict[str, Reference] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)  # the laboratory that wrote a response
    cells: dict[str, tuple[str, str]] = field(default_factory=dict)  # scope and target model of a response


@dataclass
class _Answered:
    """One response in the making. `quality` is in logits, by criterion key."""

    item: str
    question: dialects.Question
    rubric: dict
    facts: dict[str, dialects.Fact]
    target: str
    laboratory: str
    author: str
    quality: dict[str, float] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)  # verdicts of the first grading
    errors: dict[str, int] = field(default_factory=dict)
    page: dialects.Page = field(default_factory=dialects.Page)
    reference: dict = field(default_factory=dict)
    graders: set[str] = field(default_factory=set)

    @property
    def variety(self) -> str:
        return self.question.variety


def grader(variety: str, number: int) -> str:
    return f"Generated grader {variety[3:]}-{number % GRADERS + 1}"


def severity_of(name: str, severity: Mapping[str, float] = SEVERITY) -> float:
    """What was put in for one grader, in logits."""
    variety, number = f"ar-{name.split()[-1][:2]}", int(name[-1]) - 1
    return severity[variety] + OWN_SEVERITY[number]


def generate(seed: int = DEFAULT_SEED, severity: Mapping[str, float] = SEVERITY) -> Study:
    """The project's lines. Same seed and severities, same lines."""
    study = Study()
    answered = [
        each for variety in VARIETIES for each in _answered(Random(f"{seed}:{variety}"), study, variety, severity)
    ]
    rng = Random(f"{seed}:second gradings")
    for variety in VARIETIES:
        ours = [each for each in answered if each.variety == variety]
        for number, each in enumerate(rng.sample(ours, REGRADED[variety])):
            study.grades.append(_regrade(rng, each, number, severity))
    rng = Random(f"{seed}:calibration")
    for variety in VARIETIES:
        ours = [each for each in answered if each.variety == variety]
        for number, each in enumerate(rng.sample(ours, CALIBRATED[variety])):
            study.grades += _calibration(rng, each, number, severity)
    return study


# --- Prompts and rubrics ------------------------------------------------------------------------------


def _answered(rng: Random, study: Study, variety: str, severity: Mapping[str, float]) -> list[_Answered]:
    """The variety's rubrics, responses and first gradings; lines go to the study as they are made."""
    unfinished = []
    number = 0
    for scope in SCOPES:
        for question in dialects.questions(variety, scope, PROMPTS[variety][scope]):
            number += 1
            rubric, facts = _rubric(rng, question, number)
            study.rubrics.append(rubric)
            for target, laboratory, _unanswered in TARGETS:
                item = f"{rubric['prompt_id']}-{target.lower().replace(' ', '-')}"
                unfinished.append(_Answered(item, question, rubric, facts, target, laboratory, rubric["author"]))
    left_out = _left_out(rng, variety, unfinished)
    answered = [each for each in unfinished if each.item not in left_out]
    for target in ERRORS[variety]:
        of_target = [each for each in answered if each.target == target]
        _deal_errors(rng, variety, of_target)
        for scope, score in zip(SCOPES, SCORES[variety][target], strict=True):
            _grade_first(rng, [each for each in of_target if each.question.scope == scope], score, severity)
    for each in answered:
        _write(rng, each)
        study.items.append(_item(each))
        study.grades.append(each.reference)
        study.references[each.item] = _reference_of(each)
        study.targets[each.item] = each.laboratory
        study.cells[each.item] = (each.question.scope, each.target)
    return answered


def _rubric(rng: Random, question: dialects.Question, number: int) -> tuple[dict, dict[str, dialects.Fact]]:
    chosen = [
        (band, fact, rng.randint(lowest, highest))
        for band, (count, lowest, highest) in BANDS.items()
        for fact in dialects.facts(rng, question, band, count)
    ]
    criteria = [
        {
            "key": f"c{position}",
            "text": fact.criterion,
            "weight": weight,
            "band": band,
            "objectivity": "subjective" if rng.random() < (0.5 if band == "cultural-depth" else 0.15) else "objective",
            "explicitness": "implicit" if rng.random() < (0.6 if band == "cultural-depth" else 0.2) else "explicit",
        }
        for position, (band, fact, weight) in enumerate(chosen, start=1)
    ]
    line = {
        "prompt_id": f"perle-{question.variety[3:]}-{number:02}",
        "prompt": question.text,
        "variety": question.variety,
        "domain": question.scope,
        "author": grader(question.variety, number),
        "scope": question.scope,
        "gold_answer": " ".join(f"{words}." for words in (question.opening, *(each[1].words for each in chosen))),
        "criteria": criteria,
        "difficulty": {
            "model": "generated-model",
            "outcome": rng.choice(("partial", "failed")),
            "by_hand": False,
            "asked_at": _moment(number, -2),
        },
        "frozen_at": _moment(number),
        "metadata": GENERATED,
    }
    return line, {f"c{position}": fact for position, (_band, fact, _weight) in enumerate(chosen, start=1)}


def _moment(number: int, hours: int = 0, days: int = 0) -> str:
    return (BEGUN + timedelta(days=number // 8 + days, hours=number % 8 + hours)).isoformat()


# --- Responses and first gradings ---------------------------------------------------------------------


def _left_out(rng: Random, variety: str, answers: list[_Answered]) -> set[str]:
    """Egyptian prompts that a target has not answered."""
    left_out: set[str] = set()
    for target, _laboratory, unanswered in TARGETS:
        if variety == "ar-EG":
            left_out |= set(rng.sample([each.item for each in answers if each.target == target], unanswered))
    return left_out


def _deal_errors(rng: Random, variety: str, answers: list[_Answered]) -> None:
    chances = {each.item: rng.gammavariate(4, 1) for each in answers}
    for each in answers:
        if each.question.scope == "cultural":
            chances[each.item] *= LIKELIER_IF_CULTURAL[variety]
    for failure_type, count in zip(FAILURE_TYPES, ERRORS[variety][answers[0].target], strict=True):
        room = dialects.room(variety, failure_type)
        dealt = deal(rng, count, [Place(each.item, chances[each.item], room) for each in answers])
        for each in answers:
            if dealt[each.item]:
                each.errors[failure_type] = dealt[each.item]


def _grade_first(rng: Random, answers: list[_Answered], score: float, severity: Mapping[str, float]) -> None:
    """Qualities around a centre, and the first graders' verdicts, whose mean score in percent is the one asked for, as
    near as whole verdicts and the weights of errors let it be."""
    drawn = {each.item: {key: (rng.gauss(0, SPREAD), rng.random()) for key in each.facts} for each in answers}

    def verdicts(each: _Answered, centre: float) -> dict[str, str]:
        own = severity_of(each.author, severity)
        return {
            key: "pass" if chance < passes(centre + away, own) else "fail"
            for key, (away, chance) in drawn[each.item].items()
        }

    def mean_score(centre: float) -> float:
        return sum(_expected_score(each, verdicts(each, centre)) for each in answers) / len(answers)

    centre = halved(mean_score, score, *CENTRES)
    for each in answers:
        each.quality = {key: centre + away for key, (away, _chance) in drawn[each.item].items()}
        each.first = verdicts(each, centre)


def passes(quality: float, severity: float) -> float:
    """How likely a criterion passes (Rasch)."""
    return 1 / (1 + math.exp(severity - quality))


def _expected_score(each: _Answered, verdicts: Mapping[str, str]) -> float:
    """In percent; errors count at the mean of the weights they may be given."""
    weights = {criterion["key"]: criterion["weight"] for criterion in each.rubric["criteria"]}
    earned = sum(weight for key, weight in weights.items() if verdicts[key] == "pass")
    errors = sum(each.errors.values()) * sum(ERROR_WEIGHTS[each.variety]) / 2
    return 100 * (earned + errors) / sum(weights.values())


def _write(rng: Random, each: _Answered) -> None:
    """A text in which the first grader's verdicts can be read, and the first grading."""
    said = [fact for key, fact in each.facts.items() if each.first[key] == "pass"]
    each.page = dialects.write(rng, each.question, said, each.errors)
    number = int(each.rubric["prompt_id"][-2:])
    each.reference = {
        **_grade(each, each.author, "reference", each.first, _moment(number, days=30)),
        "negatives": [
            _negative(rng, each, f"{each.item}-n{position}", error)
            for position, error in enumerate(each.page.errors, start=1)
        ],
    }
    each.graders = {each.author}


def _verdicts(rng: Random, each: _Answered, name: str, severity: Mapping[str, float]) -> dict[str, str]:
    own = severity_of(name, severity)
    return {key: "pass" if rng.random() < passes(quality, own) else "fail" for key, quality in each.quality.items()}


def _item(each: _Answered) -> Item:
    return {
        "id": each.item,
        "prompt_id": each.rubric["prompt_id"],
        "prompt": each.question.text,
        "variety": each.variety,
        "model": each.target,
        "laboratory": each.laboratory,
        "response": each.page.text,
        "domain": each.question.scope,
        "metadata": GENERATED,
    }


def _grade(each: _Answered, name: str, role: str, verdicts: Mapping[str, str], graded_at: str) -> dict:
    return {
        "item": each.item,
        "rater": name,
        "rater_kind": "human",
        "varieties": [f"ar-{name.split()[-1][:2]}"],
        "role": role,
        "verdicts": [{"criterion": key, "value": value} for key, value in verdicts.items()],
        "graded_at": graded_at,
        "metadata": GENERATED,
    }


def _negative(rng: Random, each: _Answered, key: str, error: dialects.Placed) -> dict:
    is_factual = error.failure_type in ("hallucination", "omission")
    return {
        "key": key,
        "text": error.criterion,
        "weight": rng.randint(*ERROR_WEIGHTS[each.variety]),
        "failure_type": error.failure_type,
        "objectivity": "objective" if is_factual or rng.random() < 0.4 else "subjective",
        "explicitness": "explicit" if is_factual or rng.random() < 0.3 else "implicit",
        "start": error.start,
        "end": error.end,
        "quote": error.quote,
    }


def _reference_of(each: _Answered) -> Reference:
    negatives = each.reference["negatives"]
    weights = {criterion["key"]: criterion["weight"] for criterion in each.rubric["criteria"]}
    verdicts = {verdict["criterion"]: verdict["value"] for verdict in each.reference["verdicts"]}
    criteria = (*each.rubric["criteria"], *negatives)
    return Reference(
        weights | {negative["key"]: negative["weight"] for negative in negatives},
        verdicts | {negative["key"]: "present" for negative in negatives},
        frozenset(criterion["key"] for criterion in criteria if criterion["explicitness"] == "implicit"),
    )


# --- Second gradings ----------------------------------------------------------------------------------


def _others(each: _Answered, variety: str, number: int, count: int) -> list[str]:
    """The next graders of a variety who have not graded this response, each in turn."""
    everyone = [grader(variety, number + step) for step in range(GRADERS)]
    chosen = [name for name in everyone if name not in each.graders][:count]
    each.graders |= set(chosen)
    return chosen


def _regrade(rng: Random, each: _Answered, number: int, severity: Mapping[str, float]) -> dict:
    """A second person of the variety: own verdicts on criteria and errors, now and then an error of their own."""
    [name] = _others(each, each.variety, number, 1)
    verdicts = _verdicts(rng, each, name, severity)
    for negative in each.reference["negatives"]:
        verdicts[negative["key"]] = "present" if rng.random() < ERROR_SEEN else "absent"
    line = _grade(each, name, "regrade", verdicts, _moment(number, days=60))
    if rng.random() < 0.25:
        start, end = each.page.closing
        words = each.page.text[start:end]
        criterion = dialects.parts_of(each.variety)["error_criterion"]["irrelevant-addition"].format(words=words)
        error = dialects.Placed("irrelevant-addition", criterion, start, end, words)
        line["negatives"] = [_negative(rng, each, f"{each.item}-regrade-n1", error)]
    return line


def _calibration(rng: Random, each: _Answered, number: int, severity: Mapping[str, float]) -> list[dict]:
    """Two graders of each variety; each names the errors that their severity lets them see."""
    lines = []
    for variety in VARIETIES:
        for name in _others(each, variety, number, CALIBRATION_GRADERS):
            line = _grade(each, name, "calibration", _verdicts(rng, each, name, severity), _moment(number, days=90))
            seen = 1 / (1 + math.exp(-1 - severity_of(name, severity)))
            line["negatives"] = [
                _negative(rng, each, f"{each.item}-{name.split()[-1]}-n{position}", error)
                for position, error in enumerate(each.page.errors, start=1)
                if rng.random() < seen
            ]
            lines.append(line)
    return lines
