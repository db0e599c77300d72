"""Classification: a judge proposes the category of an error; a person confirms it, chooses another or refuses it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import classification
from annotation.models import Classification, ErrorCategory
from judging.kinds import AnswersByResponse, Material, Pass, ShownExample, Unit, Units
from judging.kinds.categories.examples import CODED, coded_pool, drawn, shown_codings
from judging.kinds.errors import PLACES, AboutErrors, MarkedError, marked_errors, own_raters
from judging.kinds.examples import rule_parts, seeded
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_answer, closed
from judging.kinds.options import EXAMPLES_SEED, SHOTS_OF_CATEGORIES
from judging.kinds.taxonomy import listed
from judging.models import ANSWERED, Judge, Shots
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.problems import Invalid, Problem

VERSION = "v1"


def schema(categories: Sequence[str]) -> dict[str, Any]:
    category = {"type": "string", "enum": list(categories)}
    return closed({"ticket": {"type": "string"}, "category": category, "reason": {"type": "string"}})


EXAMPLES_RULE = gettext_lazy(
    "Of each category at most two errors that people coded, in sight of no proposal and all alike, from templates of "
    "the training split and never from the error's own; first of its variety, else its language, else any. A hash of "
    "the error, with the judge's seed where it has one, says which."
)


class Categories(AboutErrors):
    kind = "categories"
    can_be_evaluated = False
    options = (SHOTS_OF_CATEGORIES, EXAMPLES_SEED, EXPLAINED)
    examples_rule = EXAMPLES_RULE
    not_ready = gettext_lazy("responses that there are no examples for")
    name = gettext_lazy("Categories of errors")
    idle = gettext_lazy("No kept error without a category waits for this judge.")

    def prompt_text(self, judge: Judge) -> PromptText:
        categories = list(ErrorCategory.objects.offered().filter(project=judge.project_id))
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question")}
        parts["categories"] = listed(categories, templates.phrase("example"))
        parts |= templates.phrases(*PLACES) | templates.explained
        if is_few_shot(judge):
            parts |= {part: templates[part] for part in ("examples", "example")} | rule_parts(judge, EXAMPLES_RULE)
        name = f"{self.kind}/few" if is_few_shot(judge) else self.kind
        return PromptText(name, templates.version, parts, schema([category.slug for category in categories]))

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One per kept error without a category, or in the sample that people code twice, under the id of a span that
        found it; none that it proposed for.

        Raises Invalid where the project has no categories to choose from.
        """
        judge = over.judge
        if not ErrorCategory.objects.offered().filter(project=judge.project_id).exists():
            raise Invalid(Problem("no_categories", _("The project has no categories that an error could be given.")))
        own = own_raters(judge.project, over.guard)
        spans = classification.to_propose(judge.project).filter(response__in=Among(texts))
        proposed = classification.standing_of(judge.project, judge.rater)
        spans = spans.filter(~Exists(proposed.filter(span__gold_error=OuterRef("gold_error"))))
        asked: dict[int, list[Unit]] = defaultdict(list)
        errors, withheld, lacking = set(), set(), set()
        for pk, response, rater, error in spans.values_list("pk", "response_id", "rater_id", "gold_error_id"):
            if rater in own:
                withheld.add(error)
            elif error not in errors:
                errors.add(error)
                examples = examples_for(over, own, pk, response)
                if examples or not is_few_shot(judge):
                    asked[response].append(Unit(pk, (pk, *examples)))
                else:
                    lacking.add(response)
        reasons = {_("no error of another template of the training split that people coded"): len(lacking)}
        return Units(asked, len(withheld - errors), len(lacking), reasons if lacking else {})

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        names = {name for name in ids if isinstance(name, str) and name.startswith(f"{CODED}:")}
        return {**marked_errors({pk for pk in ids if isinstance(pk, int)}), **shown_codings(names)}

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        errors = tuple(one.shown(bare.response, prompt) for one in subjects if isinstance(one, MarkedError))
        return replace(bare, errors=errors, examples=tuple(one for one in subjects if not isinstance(one, MarkedError)))

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        [error] = material.errors
        fixed = {"categories": prompt.parts["categories"], **prompt.languages(material.language)}
        shown = {
            "nonce": nonce,
            "prompt": material.prompt,
            "response": material.response,
            "place": error.place,
            "words": error.words,
            "explanation": error.explanation,
        }
        examples = [example(prompt.parts["example"], n, one, nonce) for n, one in enumerate(material.examples, 1)]
        before = "".join([prompt.parts["examples"], *examples]) if examples else ""
        return chat(fill(prompt.parts["system"], fixed), before + fill(prompt.parts["question"], shown))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        check_answer(value, prompt.schema["properties"], nonce)
        [error] = material.errors
        shown = {"span": error.id, "words": error.words}
        return {"error": shown, "category": value["category"], "reason": value["reason"].strip()}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """A proposal for each error; a category that is gone since proposes nothing."""
        categories = {category.slug: category for category in ErrorCategory.objects.filter(project=judge.project_id)}
        given = [
            answer.parsed
            for answers in answered.values()
            for answer in answers
            if answer.state in ANSWERED and answer.parsed
        ]
        chosen = {
            parsed["error"]["span"]: (categories[parsed["category"]], parsed["reason"])
            for parsed in given
            if parsed["category"] in categories
        }
        return classification.propose(judge.rater, chosen)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """Answers whose proposal was confirmed or refused. The unit is the error's span."""
        decided = proposed_of(judge, answered).exclude(confirmed_by=None, refused_by=None)
        spans = set(decided.values_list("span_id", flat=True))
        return {
            (response, answer.unit)
            for response, answers in answered.items()
            for answer in answers
            if answer.unit in spans
        }

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        proposed_of(judge, answered).filter(confirmed_by=None, refused_by=None).delete()


def is_few_shot(judge: Judge) -> bool:
    return SHOTS_OF_CATEGORIES.of(judge) == Shots.FEW


def examples_for(over: Pass, own: Collection[int], span: int, response: int) -> tuple[str, ...]:
    """Names of the examples for an error; none of a judge that is shown none."""
    judge = over.judge
    if not is_few_shot(judge):
        return ()
    if "coded" not in over.cache:
        offered = ErrorCategory.objects.offered().filter(project=judge.project_id)
        over.cache["coded"] = coded_pool(judge.project, own), list(offered.values_list("slug", flat=True))
    pool, categories = over.cache["coded"]
    return drawn(pool, categories, seeded(judge, str(span)), response)


def example(template: str, number: int, shown: ShownExample, nonce: str) -> str:
    """An error that people coded: its words, its explanation and its category stand in a `ShownExample` as prompt,
    response and preference."""
    values = {
        "number": str(number),
        "language": shown.language,
        "category": shown.preference,
        "words": shown.prompt,
        "explanation": shown.responses[0],
        "nonce": nonce,
    }
    return fill(template, values)


def proposed_of(judge: Judge, answered: AnswersByResponse) -> QuerySet[Classification]:
    """The judge's proposals for the errors that these answers are about."""
    spans = [answer.unit for answers in answered.values() for answer in answers]
    return Classification.objects.filter(rater=judge.rater_id, span__in=Among(spans))
