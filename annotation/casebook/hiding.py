"""What the case book hides from a person: all that is said of an item they have still to answer, or may still be given.

An item stands for its prompt, and a prompt for those with the same words and those of the same template: whatever
is known of one helps with the others. Hidden is a case while, about any of these and in a stage that is not locked,
there is an item

- that the person was given and has not handed in,
- that has room for another answer, or is a check, and was never theirs,
- that they have answered, as long as they may still amend the answer: nobody has built on it. Of a check that stays so.

Whether the person could be given an item (their language, a quiz, a part in an earlier stage) is not asked: rather too
much is hidden than too little. Rooms above name further texts that people are examined with (`register`).
"""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Adjudication, Classification, Review, Span
from annotation.reviews.planning import MARKING_KIND
from projects.chunks import in_chunks
from projects.models import Project, Prompt, Rater, Response, ResponsePair
from workflow.models import Assignment, Status, WorkItem

#: Given a project, prompts of it that nobody may read about.
Examined = Callable[[Project], QuerySet[Prompt]]
_examined: list[Examined] = []


def register(examined: Examined) -> None:
    _examined.append(examined)


class Family(NamedTuple):
    """What a prompt shares with those that stand for the same: the hash of its words, and its template's id."""

    sha256: str
    template: int | None


def hidden(rater: Rater, prompt_ids: Iterable[int]) -> set[int]:
    """Those of the prompts, a chunk of them, of which the person may read nothing. Six or so queries."""
    rows = Prompt.objects.filter(pk__in=list(prompt_ids)).values_list("pk", "text_sha256", "template_id")
    families = {pk: Family(sha256, template) for pk, sha256, template in rows}
    words = {family.sha256 for family in families.values()}
    templates = {family.template for family in families.values() if family.template}
    found = [*still_to_answer(rater, words, templates), *under_examination(rater.project, words, templates)]
    hashes, of_templates = {each.sha256 for each in found}, {each.template for each in found} - {None}
    return {pk for pk, family in families.items() if family.sha256 in hashes or family.template in of_templates}


def still_to_answer(rater: Rater, words: Collection[str], templates: Collection[int]) -> Iterable[Family]:
    """By the ids of what an item can be about: so each statement goes from a few rows to their items, whatever the
    planner knows of the tables."""
    rows = Prompt.objects.filter(akin(words, templates), project=rater.project_id)
    named = rows.values_list("pk", "text_sha256", "template_id")
    prompts = {pk: Family(sha256, template) for pk, sha256, template in named}
    items = to_come(rater)
    for chunk in in_chunks(prompts):
        for prompt in items.filter(prompt__in=chunk).values_list("prompt_id", flat=True):
            yield prompts[prompt]
        for path, model in (("response", Response), ("pair", ResponsePair)):
            answered = dict(model._default_manager.filter(prompt__in=chunk).values_list("pk", "prompt_id"))
            for some in in_chunks(answered):
                for pk in items.filter(**{f"{path}__in": some}).values_list(path, flat=True):
                    yield prompts[answered[pk]]
    for template in items.filter(template__in=list(templates)).values_list("template_id", flat=True).distinct():
        yield Family("", template)


def under_examination(project: Project, words: Collection[str], templates: Collection[int]) -> Iterable[Family]:
    for examined in _examined:
        prompts = examined(project).filter(akin(words, templates))
        yield from (Family(*row) for row in prompts.values_list("text_sha256", "template_id").distinct())


def akin(words: Collection[str], templates: Collection[int]) -> Q:
    return Q(text_sha256__in=list(words)) | Q(template__in=list(templates))


def to_come(rater: Rater) -> QuerySet[WorkItem]:
    """Items of the project that the person has still to answer, may still be given, or may amend."""
    own = Assignment.objects.filter(item=OuterRef("pk"), rater=rater)
    under_way = own.exclude(status__in=(Status.SUBMITTED, Status.SKIPPED))
    may_change = own.filter(Q(status=Status.SUBMITTED), Q(item__is_check=True) | ~built_on())
    never_theirs = Q(~Exists(own), Q(open_slots__gt=0) | Q(is_check=True))
    items = WorkItem.objects.filter(stage__project=rater.project_id, stage__locked_at=None)
    return items.filter(Exists(under_way) | Exists(may_change) | never_theirs)


def built_on() -> Q:
    """Of an answer, that others have built on it and it can be amended no more (`may_amend` of the kinds of work of
    this room); of answers of other kinds nothing is known here, and they count as open until their stage is locked."""
    marked = Span.objects.filter(marking__assignment=OuterRef("pk"))
    by_others = [Exists(model.objects.filter(span=OuterRef("pk"))) for model in (Review, Classification, Adjudication)]
    decided = Adjudication.objects.filter(span__reviews__assignment=OuterRef("pk"))
    marks = Q(Exists(marked.filter(by_others[0] | by_others[1] | by_others[2])), stage__kind=MARKING_KIND)
    return marks | Q(Exists(decided))
