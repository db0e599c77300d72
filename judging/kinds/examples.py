"""Few-shot examples: what is drawn for an item, and what may be shown of it.

Three examples of the item's question type, one of each part of its scale (1-2, 3 and 4-5 of five grades), with the
gold that people settled on. They come from templates of the training split, never from the item's own; first from
the item's variety, else its language, else any. Which ones says a hash of the item, with the judge's seed where it has
one (`Judge.options["examples_seed"]`), so that it is asked the same way whenever it is planned. The gold stands in the
name of the example (`Call.about`): what a judge was shown stays on record though people may settle on something else
later.
"""

import hashlib
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from django.utils import translation

from annotation.consensus import Rule
from annotation.fitted_rules import fitted_rule
from judging.human_gold import HumanRating, graded_pairs, graded_responses, human_ratings
from judging.kinds import ShownExample
from judging.kinds.options import EXAMPLES_SEED
from judging.models import Judge
from projects.among import Among
from projects.models import Project, QuestionType, Response, Split
from projects.splits import Origin, origins

GRADED, PREFERRED = "example", "preferred"


def seeded(judge: Judge, item: str) -> str:
    """What the hash is taken of: the item, with the judge's seed where it has one."""
    seed = EXAMPLES_SEED.of(judge)
    return item if seed is None else f"{item} seed {seed}"


def rule_parts(judge: Judge, rule: Any) -> dict[str, str]:
    """The rule by which examples are drawn, with the judge's seed, as a prompt's row keeps it."""
    seed = EXAMPLES_SEED.of(judge)
    with translation.override("en"):
        return {"examples_rule": f"{rule} Seed: {'none' if seed is None else seed}."}


class Candidate(NamedTuple):
    """A possible example: its name in `Call.about`, the template and the words that its prompt is of, its responses."""

    name: str
    template: str
    words: str
    responses: frozenset[int]


class Place(NamedTuple):
    """What an item or an example is of."""

    origin: Origin
    variety: str
    language: str


@dataclass(slots=True)
class Pool:
    """Candidates by question type and part of its scale; within that by variety, by language and all of them."""

    places: Mapping[int, Place]  # by response
    by_variety: dict[tuple[int, str, str], list[Candidate]] = field(default_factory=lambda: defaultdict(list))
    by_language: dict[tuple[int, str, str], list[Candidate]] = field(default_factory=lambda: defaultdict(list))
    everywhere: dict[tuple[int, str], list[Candidate]] = field(default_factory=lambda: defaultdict(list))

    def add(self, question: int, part: str, candidate: Candidate, place: Place) -> None:
        self.by_variety[question, part, place.variety].append(candidate)
        self.by_language[question, part, place.language].append(candidate)
        self.everywhere[question, part].append(candidate)

    def sort(self) -> None:
        """Bring the candidates into the order in which `draw` looks for them."""
        for index in (self.by_variety, self.by_language, self.everywhere):
            for candidates in index.values():
                candidates.sort(key=attrgetter("template", "name"))

    def draw(self, question: QuestionType, item: str, of: int) -> tuple[list[str], str]:
        """Names of the examples of an item about response `of`; or none, and the part that there is no example of."""
        place = self.places[of]
        names: list[str] = []
        shown: set[int] = {of}
        for part in parts_of(question):
            example = self.draw_one(question.pk, part, item, place, shown)
            if example is None:
                return [], part
            names.append(example.name)
            shown |= example.responses
        return names, ""

    def draw_one(self, question: int, part: str, item: str, place: Place, shown: set[int]) -> Candidate | None:
        """The candidate that the item's hash chooses among the nearest; None where there is no other one."""
        nearest_first = (
            self.by_variety.get((question, part, place.variety)),
            self.by_language.get((question, part, place.language)),
            self.everywhere.get((question, part)),
        )
        for candidates in nearest_first:
            for candidate in turned(candidates or (), place.origin.template, f"{item} {part}"):
                if candidate.words != place.origin.words and not candidate.responses & shown:
                    return candidate
        return None


def turned(candidates: Sequence[Candidate], template: str, item: str) -> Iterator[Candidate]:
    """The candidates of other templates, from one on that the item's hash chooses, and round to the one before it.

    They stand in the order of their templates. Those of the item's own are stepped over as if they were not there,
    so that nothing people say of the item changes what is drawn for it.
    """
    start = bisect_left(candidates, template, key=attrgetter("template"))
    end = bisect_right(candidates, template, key=attrgetter("template"))
    others = len(candidates) - (end - start)
    chosen = int.from_bytes(hashlib.sha256(item.encode()).digest()[:8], "big")
    for step in range(others):
        place = (chosen + step) % others
        yield candidates[place if place < start else place + end - start]


def part_of_scale(grade: int, question: QuestionType) -> str:
    """Low, middle or high: 1-2, 3 and 4-5 of five grades, two fifths below, two above, on any other scale."""
    lowest, highest = question.scale[0], question.scale[-1]
    at = (grade - lowest) / (highest - lowest)
    return "low" if at <= 0.4 else "high" if at >= 0.6 else "middle"


def parts_of(question: QuestionType) -> list[str]:
    """The parts that the scale has; without one, a pair in which the first is better and one the other way round."""
    if not question.has_scale:
        return ["first", "second"]
    parts = {part_of_scale(grade, question) for grade in question.scale}
    return [part for part in ("low", "middle", "high") if part in parts]


def places_of(project: Project) -> dict[int, Place]:
    """By response. Two statements."""
    of_prompt = origins(project)
    rows = project.responses.values_list("pk", "prompt_id", "variety__tag", "variety__language")
    return {pk: Place(of_prompt[prompt], tag, language) for pk, prompt, tag, language in rows}


def pool_of(project: Project, questions: Iterable[QuestionType], of_pairs: bool) -> Pool:
    """All that may be an example: what people graded in the training split, responses or pairs in either order."""
    pool = Pool(places_of(project))
    ratings, rule = human_ratings(project), fitted_rule(project)
    for question in questions:
        of_question = ratings.get(question.pk, [])
        if of_pairs:
            named = pairs_in_either_order(question, of_question, rule)
        else:
            named = graded_alone(question, of_question, rule)
        for part, name, responses in named:
            place = pool.places[responses[0]]
            if place.origin.split == Split.TRAIN:
                candidate = Candidate(name, place.origin.template, place.origin.words, frozenset(responses))
                pool.add(question.pk, part, candidate, place)
    pool.sort()
    return pool


def graded_alone(
    question: QuestionType, ratings: Sequence[HumanRating], rule: Rule
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    for response, grade in graded_responses(question, ratings, rule):
        yield part_of_scale(grade, question), f"{GRADED}:{response}:{grade}", (response,)


def pairs_in_either_order(
    question: QuestionType, ratings: Sequence[HumanRating], rule: Rule
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """A pair is an example of the part in which the response lies that is shown first; either may be."""
    for pair in graded_pairs(question, ratings, rule):
        if pair.grades is not None:
            first, second = pair.grades
            for shown_first, shown_second in (
                ((pair.first, first), (pair.second, second)),
                ((pair.second, second), (pair.first, first)),
            ):
                name = f"{GRADED}:{shown_first[0]}:{shown_first[1]}:{shown_second[0]}:{shown_second[1]}"
                yield part_of_scale(shown_first[1], question), name, (shown_first[0], shown_second[0])
        elif pair.preference != "tie":
            better, worse = (pair.first, pair.second)[:: 1 if pair.preference == "first" else -1]
            yield "first", f"{PREFERRED}:{better}:{worse}:first", (better, worse)
            yield "second", f"{PREFERRED}:{worse}:{better}:second", (worse, better)


def shown_examples(names: Collection[str]) -> dict[str, ShownExample]:
    """The examples of these names whose responses are still there. One statement, and none without names."""
    parsed = {name: parse(name) for name in names if name.partition(":")[0] in (GRADED, PREFERRED)}
    responses_shown = {response for responses, _grades, _preference in parsed.values() for response in responses}
    if not responses_shown:
        return {}
    columns = ("pk", "prompt__text", "variety__name", "text")
    rows = Response.objects.filter(pk__in=Among(responses_shown)).values_list(*columns)
    texts = {pk: (prompt, language, text) for pk, prompt, language, text in rows}
    examples = {}
    for name, (responses, grades, preference) in parsed.items():
        if texts.keys() >= set(responses):
            prompt, language, _text = texts[responses[0]]
            examples[name] = ShownExample(prompt, language, tuple(texts[pk][2] for pk in responses), grades, preference)
    return examples


def parse(name: str) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """(responses in the order in which they are shown, their grades, preference) of an example's name."""
    sort, *parts = name.split(":")
    if sort == PREFERRED:
        return (int(parts[0]), int(parts[1])), (), parts[2]
    numbers = [int(part) for part in parts]
    return tuple(numbers[0::2]), tuple(numbers[1::2]), ""
