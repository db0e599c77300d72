"""Panels that mark errors: an error is the panel's where most of its members mark spans that match one and the same.

Spans match where the IoU of their words is above the threshold (`agreement.spans.THRESHOLD` unless the panel's
options name another); something missing matches something missing from the same place. The error lies where more
than half of those who mark it put it to the character, else on the words that more than half of them cover; where one
of them put it in several places, on each run of such words. Type and criticality are those with the most weight, and
of equals the more serious; a category stands only where it has the most by itself. Explanation and correction are those
of the member whose span is nearest, word for word.

An error that exactly half of the members mark is left out and counted in the answer. Where there is such a one and no
error of most members, the response has no answer: neither "no errors" nor the error would be what the panel says.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from agreement.figures import NO_ITEMS, Figure
from agreement.spans import THRESHOLD, f1, figure, match_counts, overlap
from agreement.words import Intervals
from annotation.models import (
    ErrorCategory,
    GoldAnswer,
    GoldError,
    Marking,
    Span,
)
from annotation.spans.parts import Part
from annotation.spans.storing import MarkingData, SpanData, parts_of_responses, store_markings
from annotation.taxonomy import mapping_of
from judging.ensembles import (
    TIE,
    TOO_FEW,
    Answer,
    PanelAnswers,
    PanelKind,
    StoredAnswer,
    VotingPanel,
    count_and_last,
    in_batches,
)
from judging.ensembles.common_errors import CommonErrors, Marked, MemberMarking, Text, placed
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import Label, Project, Rater, RaterKind, Response
from projects.own_laboratories import about_own
from projects.vocabularies import Vocabularies

# Reviewed, classified, adjudicated or grouped: deleting the span would take people's work with it.
WORKED_ON = (
    Q(reviews__isnull=False)
    | Q(classifications__isnull=False)
    | Q(adjudication__isnull=False)
    | Q(group__isnull=False)
    | Q(group_proposals__isnull=False)
)


SPAN_COLUMNS = tuple(name if name != "category" else "category_id" for name in ("marking_id", *Marked._fields[1:-1]))


class Inputs(NamedTuple):
    """What the answers of a batch are made of."""

    texts: dict[int, Text]
    markings: dict[tuple[int, int], MemberMarking]
    # As rows: two instances of a model are equal whatever they say.
    categories: Sequence[Mapping[str, Any]]
    labels: Sequence[Mapping[str, Any]]


class SpanPanels(PanelKind):
    kind = "spans"
    name = _("Error spans")
    judge_kinds = ("spans",)
    weighed_by = _("F1 of its spans with the final errors of responses that are settled")
    model = Marking

    def by_judges(self, project: Project) -> QuerySet[Marking]:
        return Marking.objects.filter(response__project=project, rater__kind=RaterKind.JUDGE)

    def gold_state(self, project: Project) -> list[int]:
        settled = GoldAnswer.objects.filter(response__project=project, open=0, pending=0).count()
        return [*count_and_last(GoldError.objects.filter(response__project=project)), settled]

    def batches(self, raters: Collection[int]) -> Iterator[list[int]]:
        markings = Marking.objects.filter(rater__in=raters).order_by()
        return in_batches(set(markings.values_list("response_id", flat=True)))

    def read(self, voting_panel: VotingPanel, batch: Sequence[int], hold: bool = False) -> Inputs:
        """Six statements."""
        project = voting_panel.panel.project_id
        categories = ErrorCategory.objects.filter(project=project).order_by("pk").values()
        labels = Label.objects.filter(project=project).order_by("position", "pk").values()
        return Inputs(texts_of(batch), markings_by_response(voting_panel.by_id, batch), list(categories), list(labels))

    def decide(self, voting_panel: VotingPanel, batch: Sequence[int], inputs: Inputs) -> PanelAnswers:
        texts, markings = inputs.texts, inputs.markings
        categories = {row["id"]: ErrorCategory(**row) for row in inputs.categories}
        mapping = mapping_of((row["id"], row["merged_into_id"], row["is_split"]) for row in inputs.categories)
        words = Vocabularies.made_of(Label(**row) for row in inputs.labels)
        threshold = float(voting_panel.panel.options.get("threshold", THRESHOLD))
        panel_answers = PanelAnswers()
        for response in batch:
            text = texts[response]
            eligible = voting_panel.eligible([text.author])
            voting = [(member, marking) for member in eligible if (marking := markings.get((response, member.rater)))]
            if not voting_panel.is_enough(voting):
                panel_answers.leave_undecided(TOO_FEW, text.key)
                continue
            common = CommonErrors(text, voting, categories, threshold, words, mapping)
            if common.is_tie:
                panel_answers.leave_undecided(TIE, text.key)
                continue
            metadata = voting_panel.provenance(voting, eligible, text.prompt, threshold=threshold, half=common.half)
            spans = common.spans(voting_panel.rater.pseudonym)
            data = MarkingData(Response(pk=response), voting_panel.rater, 1, not spans, True, spans, metadata=metadata)
            contents = (not spans, True, [content(span) for span in spans], metadata)
            panel_answers.add(response, Answer(contents, data))
        return panel_answers

    def stored(self, rater: Rater, batch: Sequence[int]) -> Mapping[Hashable, StoredAnswer]:
        spans: dict[int, list[tuple]] = defaultdict(list)
        rows = Span.objects.filter(rater=rater, response__in=batch).order_by("pk")
        more = parts_of_responses(batch)
        for row in rows.values_list(*SPAN_COLUMNS, "key", "metadata", "pk"):
            spans[row[0]].append((*row[1:-1], more.get(row[-1], ())))
        markings = Marking.objects.filter(rater=rater, response__in=batch)
        columns = ("pk", "response_id", "no_errors", "is_complete", "metadata")
        return {
            response: StoredAnswer(pk, (no_errors, is_complete, spans[pk], metadata))
            for pk, response, no_errors, is_complete, metadata in markings.values_list(*columns)
        }

    def withdraw(self, ids: Collection[int]) -> set[int]:
        worked_on = Span.objects.filter(WORKED_ON, marking__in=Among(ids))
        stay = set(worked_on.values_list("marking_id", flat=True))
        Marking.objects.filter(pk__in=Among(set(ids) - stay)).delete()
        return stay

    def store(self, data: Sequence[MarkingData], changed: Collection[Hashable]) -> None:
        store_markings(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """F1 over the settled responses that the rater has answered; n = responses."""
        settled = GoldAnswer.objects.filter(response__project=project, open=0, pending=0)
        chosen = set(prompts)
        rows = settled.order_by("response_id").values_list("response_id", "response__prompt_id")
        responses = [response for response, prompt in rows if prompt in chosen]
        pieces: list[Intervals] = []
        gold: dict[int, list[tuple]] = defaultdict(list)
        markings: dict[tuple[int, int], MemberMarking] = {}
        own = about_own(project, raters, "response__target_model")
        for batch in in_batches(responses):
            texts = texts_of(batch)
            pieces += [texts[response].words for response in batch]
            errors = GoldError.objects.filter(response__in=batch).order_by("pk")
            columns = ("response_id", "anchor", "start", "end", "provenance__more")
            for response, *place, more in errors.values_list(*columns):
                gold[response].append((*place, tuple(Part(**part) for part in more or ())))
            markings |= markings_by_response(dict.fromkeys(raters), batch)
            for of_own in Marking.objects.filter(own, response__in=batch).values_list("response", "rater"):
                markings.pop(of_own, None)
        return {rater: f1_with(rater, responses, pieces, gold, markings) for rater in raters}


def f1_with(
    rater: int,
    responses: Sequence[int],
    pieces: Sequence[Intervals],
    gold: Mapping[int, Sequence[tuple]],
    markings: Mapping[tuple[int, int], MemberMarking],
) -> Figure:
    answered = [at for at, response in enumerate(responses) if (response, rater) in markings]
    if not answered:
        return Figure.without_value(NO_ITEMS)
    texts = [pieces[at] for at in answered]
    ids = [responses[at] for at in answered]
    own = [[(*span.place[:3], span.more) for span in markings[pk, rater].spans] for pk in ids]
    counts = match_counts(overlap(placed(texts, own), placed(texts, [gold.get(pk, ()) for pk in ids])))
    return figure(counts, f1)


def texts_of(responses: Collection[int]) -> dict[int, Text]:
    author = ("target_model__name", laboratory_slug())
    columns = ("pk", "key", "prompt_id", *author, "text", "variety__segmentation")
    rows = Response.objects.filter(pk__in=responses).values_list(*columns)
    return {pk: Text(key, prompt, (model, maker), *rest) for pk, key, prompt, model, maker, *rest in rows}


def markings_by_response(
    members: Mapping[int, Any], responses: Collection[int]
) -> dict[tuple[int, int], MemberMarking]:
    """Of each member and response the latest complete marking. Three statements."""
    complete = Marking.objects.filter(rater__in=members, response__in=responses, is_complete=True)
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for pk, response, rater, round in complete.order_by("round").values_list("pk", "response_id", "rater_id", "round"):
        latest[response, rater] = (round, pk)
    spans: dict[int, list[Marked]] = defaultdict(list)
    rows = Span.objects.filter(rater__in=members, response__in=responses).order_by("pk")
    more = parts_of_responses(list(responses))
    for *row, span in rows.values_list(*SPAN_COLUMNS, "pk"):
        spans[row[0]].append(Marked(*row)._replace(more=more.get(span, ())))
    return {place: MemberMarking(round, spans[pk]) for place, (round, pk) in latest.items()}


def content(span: SpanData) -> tuple:
    """What `SpanPanels.standing` reads of a stored span, in its order."""
    category = span.category.pk if span.category else None
    return (
        str(span.anchor),
        span.start,
        span.end,
        span.quote,
        span.paragraph,
        span.error_type,
        category,
        span.criticality,
        span.explanation,
        span.correction,
        span.key,
        span.metadata,
        span.more,
    )
