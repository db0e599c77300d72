"""Lines of ratings: what one rater says of one response, or of two side by side, on one question type."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Part
from annotation.importing.renewing import Settled
from annotation.models import Rating
from annotation.pairs import storing
from annotation.pairs.checking import check_probabilities, check_rating
from formats.importing.prompts import unknown_question
from formats.problems import ProblemLog
from formats.reading import Record
from projects.among import Among
from projects.insertion import as_json, column_of, insert_rows
from projects.models import QuestionType, Rater, RaterKind, Response, ResponsePair, TargetModel

# In the order of `rating_row`.
STORED_FIELDS = tuple(field for field in storing.FIELDS if field != "assignment")
# A rater's answers, by what they are about (pair id or None, response id or None), question type, rater and round:
# the orders in which they were given, each with the line it stands on, 0 for those stored before.
Answer = tuple[int | None, int | None, int, int, int]


@dataclass(slots=True)
class Order:
    is_swapped: bool
    is_of_both: bool
    line: int = 0
    rating: int = 0  # id of the stored one


@dataclass(slots=True)
class Subject:
    """A pair or a response, of which one id is None: what a rating needs to know of it, and no text."""

    pair: int | None
    response: int | None
    question: int | None  # of its prompt
    models: tuple[TargetModel, ...]
    variety: int = 0  # asked for where gold is made, by rules that weigh raters


@dataclass(slots=True)
class RatedLine:
    """A checked record, and the response or the pair that it is about."""

    number: int
    fields: dict
    about: Subject
    place: str = ""  # put before the field in problems, where the line holds several ratings

    @property
    def is_pair(self) -> bool:
        return self.about.pair is not None


class RatingLines(Part):
    kind = "ratings"

    def take(self, records: Sequence[Record], batch: Batch) -> None:
        lines = with_subjects(records, batch)
        raters = [rater_of(line, batch) for line in lines]
        known = [(line, rater) for line, rater in zip(lines, raters, strict=True) if rater is not None]
        given = answers_given([line for line, _rater in known], {rater.pk for _line, rater in known})
        stored = stored_ratings(given)
        rows, settled = [], Settled[tuple](batch)
        for line, rater in known:
            question = question_of(line, batch.questions, batch.problems)
            if question is None or not is_well_formed(line, question, batch.problems):
                continue
            row, before = rating_row(line, question, rater, batch.now), said_before(line, question, rater, given)
            if before is not None and before.rating in stored:
                rating = stored[before.rating]
                place = line.place.rstrip(".") or ("pair" if line.is_pair else "item")
                settled.settle(rating, (*row, rating.assignment_id), is_said(rating, row), line.number, place)
                before.line = line.number
            elif is_first(line, question, rater, given, batch.problems):
                rows.append((*row, None))
                if rater.user_id is not None:
                    note(line, batch)
            if rater.kind == RaterKind.HUMAN:
                answer = (line.about.pair, line.about.response, rater.pk, line.fields.get("round") or 1)
                batch.touched.rated.setdefault(answer, line.number)
        coming = [*rows, *settled.renewed(Rating)]
        insert_rows(Rating, (*STORED_FIELDS, "assignment", "came_with"), [(*row, batch.came_with()) for row in coming])
        batch.counts["ratings"] += len(rows)


def with_subjects(records: Sequence[Record], batch: Batch) -> list[RatedLine]:
    """The records whose response or pair is in the project; of the others it is said that it is not."""
    pairs = _pairs({record.fields["pair"] for record in records if record.fields.get("pair") is not None}, batch)
    items = {record.fields["item"] for record in records if record.fields.get("item") is not None}
    responses = _responses(items, batch)
    lines = []
    for record in records:
        key = record.fields.get("pair")
        about = pairs.get(key) if key is not None else responses.get(record.fields["item"])
        if about is not None:
            lines.append(RatedLine(record.line, record.fields, about))
        elif key is not None:
            message = _("The project has no pair with this id.")
            batch.problems.say(record.line, "unknown_pair", message, "pair")
        else:
            message = _("The project has no response with this id.")
            batch.problems.say(record.line, "unknown_item", message, "item")
    return lines


def _pairs(keys: Collection[str], batch: Batch) -> dict[str, Subject]:
    if not keys:
        return {}
    rows = ResponsePair.objects.filter(project=batch.project, key__in=keys)
    pairs = list(rows.values_list("key", "id", "prompt__question", "first__target_model", "second__target_model"))
    models = TargetModel.objects.in_bulk({model for row in pairs for model in row[3:]})
    return {
        key: Subject(pk, None, question, (models[first], models[second])) for key, pk, question, first, second in pairs
    }


def _responses(keys: Collection[str], batch: Batch) -> dict[str, Subject]:
    if not keys:
        return {}
    rows = Response.objects.filter(project=batch.project, key__in=keys)
    responses = list(rows.values_list("key", "id", "prompt__question", "target_model"))
    models = TargetModel.objects.in_bulk({model for *_row, model in responses})
    return {key: Subject(None, pk, question, (models[model],)) for key, pk, question, model in responses}


def rater_of(line: RatedLine, batch: Batch) -> Rater | None:
    """The line's rater, an expert from here on where the line says so."""
    rater = batch.raters.rater(line.number, line.fields)
    if rater is None:
        return None
    batch.raters.counts_as_own(rater, line.about.models)
    if line.fields.get("expert") and not rater.is_expert:
        rater.is_expert = True
        rater.save(update_fields=["is_expert"])
    return rater


def question_of(line: RatedLine, questions: Mapping[str, QuestionType], problems: ProblemLog) -> QuestionType | None:
    """The question type that the line answers, or None with the problem said."""
    slug, of_prompt = line.fields.get("question"), line.about.question
    if slug is not None and slug not in questions:
        message = unknown_question(slug, questions)
        problems.say(line.number, "unknown_question", message, f"{line.place}question")
        return None
    candidates = [
        question
        for question in questions.values()
        if (slug is None or question.slug == slug) and (of_prompt is None or question.pk == of_prompt)
    ]
    if len(candidates) == 1:
        return candidates[0]
    if slug is not None:
        message = _("The prompt's responses are rated on another question type.")
        problems.say(line.number, "other_question", message, f"{line.place}question")
    elif not candidates:
        problems.say(line.number, "no_question", _("The project has no question types."), f"{line.place}question")
    else:
        message = _("The project has several question types; the line names the one it answers.")
        problems.say(line.number, "missing", message, f"{line.place}question")
    return None


def is_well_formed(line: RatedLine, question: QuestionType, problems: ProblemLog) -> bool:
    """True where the line is a rating (annotation.pairs.checking); people give whole grades, and give them all."""
    fields, is_pair = line.fields, line.is_pair
    grades = {side: fields.get(side) for side in ("first", "second")} if is_pair else {"grade": fields.get("grade")}
    flaws = check_rating(
        question,
        grades["first"] if is_pair else grades["grade"],
        grades.get("second"),
        fields.get("preference") or "",
        is_pair=is_pair,
        is_unparseable=bool(fields.get("unparseable")),
    )
    flaws += check_probabilities(question, fields.get("probabilities"), is_pair=is_pair)
    faults = [
        ("grade" if each.field == "first" and not is_pair else each.field, each.code, each.message) for each in flaws
    ]
    if fields["rater_kind"] == RaterKind.HUMAN and not faults:
        for field, grade in grades.items():
            if grade is None and question.has_scale:
                faults.append((field, "required", _("A grade is missing.")))
            elif grade is not None and type(grade) is not int:
                faults.append((field, "not_whole_number", _("A grade must be a whole number.")))
    for field, code, message in faults:
        problems.say(line.number, code, message, f"{line.place}{field}")
    return not faults


# --- Once and no more ---------------------------------------------------------------------------------


def answers_given(lines: Sequence[RatedLine], raters: Collection[int]) -> dict[Answer, list[Order]]:
    """What these raters have said of these responses and pairs already."""
    given: dict[Answer, list[Order]] = {}
    for subject, ids in (
        ("pair", {line.about.pair for line in lines if line.is_pair}),
        ("response", {line.about.response for line in lines if not line.is_pair}),
    ):
        if not ids:
            continue
        ratings = Rating.objects.filter(**{f"{subject}__in": ids}, rater__in=raters)
        columns = ("pair_id", "response_id", "question_id", "rater_id", "round", "is_swapped", "is_of_both_orders")
        for *answer, is_swapped, is_of_both, pk in ratings.values_list(*columns, "id"):
            given.setdefault(tuple(answer), []).append(Order(is_swapped, is_of_both, 0, pk))
    return given


def stored_ratings(given: Mapping[Answer, Sequence[Order]]) -> dict[int, Rating]:
    """The ratings that the project has among these, by id."""
    ids = [order.rating for orders in given.values() for order in orders]
    return {rating.pk: rating for rating in Rating.objects.filter(pk__in=Among(ids))}


def said_before(
    line: RatedLine, question: QuestionType, rater: Rater, given: Mapping[Answer, Sequence[Order]]
) -> Order | None:
    """The stored answer that the line says again, in the very order; None where there is none, or where an earlier
    line of this batch has said it already."""
    is_swapped, is_of_both = bool(line.fields.get("swapped")), bool(line.fields.get("both_orders"))
    orders = given.get(answer_of(line, question, rater), ())
    same = (
        order
        for order in orders
        if order.is_of_both == is_of_both and (not is_of_both or order.is_swapped == is_swapped)
    )
    order = next(same, None)
    return order if order is not None and not order.line else None


def is_said(rating: Rating, row: tuple) -> bool:
    """Whether a row is what the project has; when it was given is not compared."""
    said = dict(zip(STORED_FIELDS, row, strict=True))
    stored = {name: getattr(rating, column_of(Rating, name)) for name in said}
    for name in ("metadata", "probabilities"):
        said[name] = json.loads(said[name]) if said[name] else None
        stored[name] = stored[name] or ({} if name == "metadata" else None)
    return all(said[name] == stored[name] for name in said if name != "created_at")


def answer_of(line: RatedLine, question: QuestionType, rater: Rater) -> Answer:
    return line.about.pair, line.about.response, question.pk, rater.pk, line.fields.get("round") or 1


def is_first(
    line: RatedLine,
    question: QuestionType,
    rater: Rater,
    given: dict[Answer, list[Order]],
    problems: ProblemLog,
) -> bool:
    """True for the first answer of a rater in a round, or for its second order, which is then noted."""
    fields = line.fields
    orders = given.setdefault(answer_of(line, question, rater), [])
    order = Order(bool(fields.get("swapped")), bool(fields.get("both_orders")), line.number)
    before = next(
        (each for each in orders if not (each.is_of_both and order.is_of_both) or each.is_swapped == order.is_swapped),
        None,
    )
    if before is None:
        orders.append(order)
        return True
    if before.line:
        message = _("The rater's answer on this item in this round stands on line %(line)d already.")
        message %= {"line": before.line}
    else:
        message = _("The rater's answer on this item in this round is already in the project.")
    problems.say(line.number, "already_there", message, line.place.rstrip(".") or ("pair" if line.is_pair else "item"))
    return False


def rating_row(line: RatedLine, question: QuestionType, rater: Rater, given_at: datetime) -> tuple:
    fields: Mapping = line.fields
    return (
        question.pk,
        line.about.pair,
        line.about.response,
        rater.pk,
        fields.get("round") or 1,
        bool(fields.get("swapped")),
        bool(fields.get("both_orders")),
        fields.get("first") if line.is_pair else fields.get("grade"),
        fields.get("second"),
        fields.get("preference") or "",
        bool(fields.get("unparseable")),
        fields.get("comment") or "",
        False,
        as_json(fields.get("metadata")),
        given_at,
        as_json(fields.get("probabilities")) if fields.get("probabilities") else None,
    )


def note(line: RatedLine, batch: Batch) -> None:
    if line.about.pair is not None:
        batch.touched.rated_pairs.add(line.about.pair)
    elif line.about.response is not None:
        batch.touched.rated_responses.add(line.about.response)
