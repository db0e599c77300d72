"""Few-shot examples of marked errors: what is drawn for a response, and what may be shown of it.

Three responses whose errors people have settled, all of them: two with errors and one without, or three with errors
where there is none without; of judges with balanced examples four, two with errors and two without. They come from
templates of the training split, never from the item's own, nor from a prompt with its words; first from the item's
variety, else its language, else any. A hash of the item and the judge's seed says which. The settled errors stand in
the name of the example (`Call.about`): what a judge was shown stays on record though people may settle on something
else later.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from annotation.models import AnchorKind, GoldAnswer, GoldError, Marking
from judging.kinds import ShownExample
from judging.kinds.examples import Candidate, Pool, places_of
from projects.among import Among
from projects.models import Project, RaterKind, Response, Split

ERRORS = "errors"
WITH, WITHOUT = "with", "without"
WANTED = (WITH, WITH, WITHOUT)
# As many without errors as with; none stands in for another.
BALANCED = (WITH, WITHOUT, WITH, WITHOUT)
# An example is to show the measure, not to fill the prompt. In code points.
LONGEST = 4000
ANY_QUESTION = 0

# What is read of an error that people settled on.
COLUMNS = ("anchor", "start", "quote", "paragraph", "error_type", "criticality", "explanation", "correction")


@dataclass(frozen=True, slots=True)
class GoldPool:
    """What examples are drawn from: `settled` the errors by response, ready for their names."""

    pool: Pool
    settled: dict[int, list[list[Any]]]

    def draw(self, item: str, of: int, wanted: Sequence[str] = WANTED) -> list[str]:
        """Names of the examples for a response; none where there are not as many as wanted."""
        place, shown = self.pool.places[of], {of}
        names = []
        for number, part in enumerate(wanted, start=1):
            example = self.pool.draw_one(ANY_QUESTION, part, f"{item} {number}", place, shown)
            if example is None and wanted is WANTED:
                example = self.pool.draw_one(ANY_QUESTION, WITH, f"{item} {number}", place, shown)
            if example is None:
                return []
            [response] = example.responses
            names.append(f"{ERRORS}:{response}:{json.dumps(self.settled.get(response, []), ensure_ascii=False)}")
            shown |= example.responses
        return names


def no_examples(is_balanced: bool = False) -> str:
    """The reason why a response is not ready, in words."""
    if is_balanced:
        return _("fewer than two other responses with settled errors, or two without any, in the training split")
    return _("fewer than three other responses with settled errors in the training split, as examples")


def gold_pool(project: Project, with_categories: bool, several_places: bool = False) -> GoldPool:
    """All that may be an example. Four statements, however many responses there are."""
    pool = Pool(places_of(project))
    short = Response.objects.annotate(length=Length("text")).filter(project=project, length__lte=LONGEST)
    # Where only judges answered, nobody has settled anything.
    people = Marking.objects.filter(response=OuterRef("response"), rater__kind=RaterKind.HUMAN, is_complete=True)
    by_people = Q(is_imported=True) | Exists(people)
    answers = GoldAnswer.objects.filter(by_people, response__in=short, open=0, pending=0)
    train = {
        response
        for response in answers.values_list("response_id", flat=True)
        if pool.places[response].origin.split == Split.TRAIN
    }
    settled: dict[int, list[list[Any]]] = defaultdict(list)
    errors = GoldError.objects.filter(response__project=project, response__gold_answer__open=0)
    columns = ("response_id", "provenance__more", "category__slug", *COLUMNS)
    for response, more, category, *error in errors.order_by("response_id", "start", "pk").values_list(*columns):
        if response in train:
            elsewhere = [[[part["start"], part["quote"]] for part in more or []]] if several_places else []
            settled[response].append([category or "" if with_categories else None, *error, *elsewhere])
    for response in sorted(train):
        place = pool.places[response]
        candidate = Candidate(f"{ERRORS}:{response}", place.origin.template, place.origin.words, frozenset({response}))
        pool.add(ANY_QUESTION, WITH if settled.get(response) else WITHOUT, candidate, place)
    pool.sort()
    return GoldPool(pool, settled)


def shown_errors(names: Collection[Any]) -> dict[str, ShownExample]:
    """The examples of these names whose responses are still there. One statement, and none without names."""
    parts_by_name = {str(name): str(name).split(":", 2) for name in names if str(name).startswith(f"{ERRORS}:")}
    if not parts_by_name:
        return {}
    rows = Response.objects.filter(pk__in=Among(int(parts[1]) for parts in parts_by_name.values()))
    texts = {row[0]: row[1:] for row in rows.values_list("pk", "prompt__text", "variety__name", "text")}
    examples = {}
    for name, (_sort, response, errors) in parts_by_name.items():
        if int(response) in texts:
            prompt, language, text = texts[int(response)]
            written = [as_answered(text, *error) for error in json.loads(errors)]
            examples[name] = ShownExample(prompt, language, (text,), errors=listed(written))
    return examples


def as_answered(
    text: str,
    category: str | None,
    anchor: str,
    start: int | None,
    quote: str,
    paragraph: int | None,
    error_type: str,
    criticality: str,
    explanation: str,
    correction: str,
    elsewhere: Sequence[Sequence[Any]] | None = None,
) -> dict[str, Any]:
    """An error in the form that judges answer in. What people left open is left out. `elsewhere` are start and quote of
    its further places, of judges that may name several."""
    is_words = anchor == AnchorKind.WORDS
    error: dict[str, Any] = {"anchor": "words" if is_words else "missing", "quote": quote}
    error["occurrence"] = occurrence(text, quote, start) if is_words and start is not None else None
    fields = {"type": error_type, "criticality": criticality, "explanation": explanation, "correction": correction}
    error |= {name: value for name, value in fields.items() if value}
    if elsewhere is not None:
        error["more"] = [{"quote": words, "occurrence": occurrence(text, words, at)} for at, words in elsewhere]
    return error | ({"category": category} if category else {})


def occurrence(text: str, quote: str, start: int) -> int:
    """Which occurrence of the quote begins at `start`, counted from 1; overlapping ones count too."""
    return sum(text.startswith(quote, at) for at in range(start + 1))


def listed(errors: list[dict[str, Any]]) -> str:
    """A JSON list, with a line for each error."""
    return "[" + ",\n ".join(json.dumps(error, ensure_ascii=False) for error in errors) + "]"
