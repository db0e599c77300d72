"""Gold files of ratings: what the export writes is read back, so that exporting again gives the same bytes.

The lines are declared in formats/rating_gold.py. The file begins with how its gold was made, the question types
and the templates; then every pair and every single response brings its texts as items and all ratings of it. Raters
appear by pseudonym and keep it. Gold is made anew from the ratings, and a line that says another is refused.
"""

from collections.abc import Hashable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.weighed_gold import MODELS
from annotation.consensus import ConsensusAnswer, RatedAnswer, Rule, as_number, consensus_of, latest_rounds
from annotation.fitted_rules import fitted_rule
from annotation.importing.gold_questions import QuestionBook
from annotation.importing.gold_texts import Experts, TextsOfGold
from annotation.importing.ratings import (
    STORED_FIELDS,
    RatedLine,
    Subject,
    answers_given,
    is_first,
    is_well_formed,
    question_of,
    rating_row,
)
from annotation.models import Rating, RatingSettings
from annotation.questions.settings import gold_rule
from formats.importing.items import Items
from formats.importing.origins import OWN_LABORATORY
from formats.importing.pairs import SIDES
from formats.importing.pseudonyms import PseudonymBook
from formats.importing.registry import Importer
from formats.kinds import moment_of
from formats.problems import ProblemLog
from formats.rating_gold import FORMAT, GoldOfPair, GoldOfResponse
from formats.reading import Record
from projects.insertion import insert_rows
from projects.models import Project, QuestionType, Rater, RaterKind, Response, ResponsePair, TargetModel

SUBJECTS = ("pair", "response")
#: Of a line: its number, kind and subject, and the gold it says.
Said = tuple[int, str, int, list]
# Of a line, and of each of its responses, what a line of an items file has as well.
PROMPT_OF_ITEM = ("prompt_id", "prompt", "prompt_variety", "variety", "task", "domain", "question", "template")
SIDE_OF_ITEM = ("id", "model", "laboratory", "response", "metadata")


class RatingGold(Importer):
    """Stores question types, templates, responses, pairs and ratings, each by the importer of its kind."""

    kind = "rating-gold"
    name = gettext_lazy("Gold: rated responses and pairs")
    format = FORMAT
    fills = (*Items.fills, Rating)
    settings = (RatingSettings,)
    batch_lines = 200

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.items = Items(project, problems)
        self.items.renews = False
        self.questions = QuestionBook(project, problems, self.counts)
        self.raters = PseudonymBook(project, problems)
        self.raters.own = self.items.own
        self.texts = TextsOfGold(self.items)
        self.experts = Experts(self.raters)
        self.rule = gold_rule(project)
        self.has_ratings = Rating.objects.filter(question__project=project).exists()
        # Of a rule that weighs raters by all they said: what is checked when all of it is there.
        self.said: list[Said] = []
        self.answers: list[tuple[str, RatedAnswer]] = []

    # --- Many lines into the project ---

    def store(self, batch: Sequence[Record]) -> None:
        for record in batch:
            if record.fields["kind"] == "settings":
                self._store_rule(record)
        self.questions.store_questions([each for each in batch if each.fields["kind"] == "question"])
        self.questions.store_templates([each for each in batch if each.fields["kind"] == "template"])
        self.items.prompts.questions = self.questions.by_slug
        subjects = [each for each in batch if each.fields["kind"] in SUBJECTS]
        self._store_items(subjects)
        if self.problems.total or not subjects:
            return  # nothing will be stored, so the rest need not be tried
        self._store_ratings(subjects)

    def _store_rule(self, record: Record) -> None:
        rule = record.fields["gold_rule"]
        if rule != self.rule and self.has_ratings:
            message = _("The gold of this project is made by another rule, and it has ratings already.")
            self.problems.say(record.line, "rule_differs", message, "gold_rule")
        elif rule != self.rule:
            RatingSettings.objects.update_or_create(project=self.project, defaults={"gold_rule": rule})
            self.rule = rule

    def _store_items(self, batch: Sequence[Record]) -> None:
        pairs = []
        for record in batch:
            if record.fields["kind"] == "pair":
                sides = {side: record.fields[side]["id"] for side in SIDES}
                pairs.append(Record(record.line, {"kind": "pair", "id": record.fields["id"], **sides}))
        self.texts.store([(record.line, items_of(record)) for record in batch], pairs)
        self.counts |= self.items.counts

    def _store_ratings(self, batch: Sequence[Record]) -> None:
        lines = self._rated_lines(batch)
        given = answers_given([line for line, _rater in lines], {rater.pk for _line, rater in lines})
        stored: list[tuple] = []
        by_people: list[tuple[RatedLine, QuestionType, Rater]] = []
        for line, rater in lines:
            question = question_of(line, self.questions.by_slug, self.problems)
            if question is None or not is_well_formed(line, question, self.problems):
                continue
            if is_first(line, question, rater, given, self.problems):
                stored.append(rating_row(line, question, rater, moment_of(line.fields["rated_at"])))
                if rater.kind == RaterKind.HUMAN:
                    by_people.append((line, question, rater))
        insert_rows(Rating, STORED_FIELDS, stored)
        self.counts["ratings"] += len(stored)
        self.counts["new raters"] = self.raters.created
        self.counts[OWN_LABORATORY] = self.raters.own_answers
        if not self.problems.total:
            latest = latest_rounds(by_people, round_of)
            self._check_gold(batch, [(subject_kind(rated[0]), rated_answer(*rated)) for rated in latest])

    def _rated_lines(self, batch: Sequence[Record]) -> list[tuple[RatedLine, Rater]]:
        subjects = self._subjects(batch)
        lines = []
        for record in batch:
            about = subjects[record.fields["kind"], record.fields["id"]]
            for index, rating in enumerate(record.fields["ratings"]):
                place = f"ratings[{index}]."
                rater = self.raters.rater(record.line, rating, about.models, place)
                if rater is not None and self.experts.are_as_before(record.line, rating, rater, place):
                    lines.append((RatedLine(record.line, rating, about, place), rater))
        return lines

    def _subjects(self, batch: Sequence[Record]) -> dict[tuple[str, str], Subject]:
        """What the records are about, by kind and id; all of it is in the project by now."""
        keys = {kind: [each.fields["id"] for each in batch if each.fields["kind"] == kind] for kind in SUBJECTS}
        pairs = ResponsePair.objects.filter(project=self.project, key__in=keys["pair"])
        responses = Response.objects.filter(project=self.project, key__in=keys["response"])
        columns = ("key", "id", "prompt__question", "variety")
        of_pairs = list(pairs.values_list(*columns, "first__target_model", "second__target_model"))
        of_responses = list(responses.values_list(*columns, "target_model"))
        ids = {model for row in (*of_pairs, *of_responses) for model in row[4:]}
        models = TargetModel.objects.in_bulk(ids)
        subjects = {
            ("pair", key): Subject(pk, None, question, (models[first], models[second]), variety)
            for key, pk, question, variety, first, second in of_pairs
        }
        for key, pk, question, variety, model in of_responses:
            subjects["response", key] = Subject(None, pk, question, (models[model],), variety)
        return subjects

    def finish(self) -> None:
        """Where raters are weighed by all they said, gold is checked at the end. Where the project had ratings before,
        these weigh too, and the gold of the file is none of this project's."""
        if self.said and not self.has_ratings:
            self._compare(self.said, self.answers, fitted_rule(self.project))

    def _check_gold(self, batch: Sequence[Record], answers: Sequence[tuple[str, RatedAnswer]]) -> None:
        """The gold that the ratings make is that of the file."""
        subjects = self._subjects(batch)
        said: list[Said] = []
        for record in batch:
            about = subjects[record.fields["kind"], record.fields["id"]]
            subject = about.pair if about.pair is not None else about.response
            assert subject is not None
            said.append((record.line, record.fields["kind"], subject, record.fields["gold"]))
        if self.rule in MODELS:
            self.said += said
            self.answers += answers
        else:
            self._compare(said, answers, Rule(self.rule))

    def _compare(self, said: Sequence[Said], answers: Sequence[tuple[str, RatedAnswer]], rule: Rule) -> None:
        entry_of = {"pair": gold_of_pair, "response": gold_of_response}
        scales = self.questions.scales()
        for kind in SUBJECTS:
            consensus = consensus_of([answer for of_kind, answer in answers if of_kind == kind], rule, scales)
            for line, of_kind, subject, gold in said:
                if of_kind != kind:
                    continue
                made = [
                    entry_of[kind](question, consensus[subject, question])
                    for question in self.questions.by_slug
                    if (subject, question) in consensus
                ]
                if made != gold:
                    message = _("The ratings of this line make another gold than it says.")
                    self.problems.say(line, "gold_differs", message, "gold")


def responses_of(record: Record) -> dict[str, dict]:
    """The responses of a line by their ids."""
    if record.fields["kind"] == "pair":
        return {record.fields[side]["id"]: record.fields[side] for side in SIDES}
    return {record.fields["id"]: record.fields}


def items_of(record: Record) -> dict[str, dict]:
    """The line's responses as lines of an items file; what is empty is left out."""
    prompt = {key: record.fields.get(key) for key in PROMPT_OF_ITEM}
    return {
        key: {
            field: value
            for field, value in {**prompt, **{each: side.get(each) for each in SIDE_OF_ITEM}}.items()
            if value not in (None, "")
        }
        for key, side in responses_of(record).items()
    }


def subject_kind(line: RatedLine) -> str:
    return "pair" if line.is_pair else "response"


def round_of(rated: tuple[RatedLine, QuestionType, Rater]) -> tuple[Hashable, int]:
    """What was answered by whom, and in which round."""
    line, question, rater = rated
    return (line.about.pair, line.about.response, question.pk, rater.pk), line.fields.get("round") or 1


def rated_answer(line: RatedLine, question: QuestionType, rater: Rater) -> RatedAnswer:
    fields, about = line.fields, line.about
    subject = about.pair if about.pair is not None else about.response
    assert subject is not None
    first = fields.get("first") if line.is_pair else fields.get("grade")
    return RatedAnswer(
        subject,
        question.slug,
        first,
        fields.get("second"),
        fields.get("preference") or "",
        bool(rater.is_expert),
        rater.pk,
        about.variety,
    )


def gold_of_pair(question: str, answer: ConsensusAnswer) -> GoldOfPair:
    """One question type's gold as the line of a pair has it."""
    return {
        "question": question,
        "rule": answer.rule,
        "n": answer.n,
        "first": as_number(answer.first),
        "second": as_number(answer.second),
        "preference": answer.preference,
    }


def gold_of_response(question: str, answer: ConsensusAnswer) -> GoldOfResponse:
    """One question type's gold as the line of a single response has it."""
    return {"question": question, "rule": answer.rule, "n": answer.n, "grade": as_number(answer.first)}
