"""The importer of answers: lines of five kinds, resolved against the project and stored batch by batch."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Model
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from annotation.importing.classifications import ClassificationLines
from annotation.importing.groups import GroupLines
from annotation.importing.imported_answers import assign_imported_markings, assign_imported_ratings
from annotation.importing.markings import SpanLines
from annotation.importing.parts import Batch, Part, Touched
from annotation.importing.ratings import RatingLines
from annotation.importing.reviews import ReviewLines
from annotation.importing.rules_of_ratings import hold_to_rules
from annotation.importing.taking_back import RowsOfAnswers
from annotation.models import (
    Adjudication,
    Classification,
    ErrorCategory,
    ErrorGroup,
    Marking,
    Rating,
    RatingSettings,
    Review,
    Span,
)
from annotation.receivers import answers_changed
from formats.answer import FORMAT
from formats.foreign.documents import SEVERITIES
from formats.importing.origins import OWN_LABORATORY
from formats.importing.raters import RaterBook
from formats.importing.registry import Importer
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Label, Project, QuestionType
from projects.rehearsing import Weighed
from projects.vocabularies import Words, vocabularies_of_import
from workflow.models import Stage, StageRules

# In the order in which a batch is stored: later kinds refer to what earlier ones brought.
PARTS: dict[str, Part] = {
    part.kind: part for part in (SpanLines(), ReviewLines(), GroupLines(), ClassificationLines(), RatingLines())
}
# What is said of a response, each with the way from there to it.
WEIGHED_OF_RESPONSE: dict[type[Model], str] = {
    Marking: "response",
    Span: "response",
    ErrorGroup: "response",
    Review: "span__response",
    Classification: "span__response",
    Adjudication: "span__response",
}


def make_categories(
    project: Project, batch: Sequence[Record], known: dict[str, ErrorCategory], counts: Counter[str]
) -> None:
    """Those that spans and classifications name and the project has not, by their short names; a mapping said so."""
    by_name = {category.name: category for category in known.values()}
    for record in batch:
        for entry in [*(record.fields.get("spans") or ()), *(record.fields.get("classifications") or ())]:
            name = entry.get("category")
            if not name or name in known:
                continue
            slug = slugify(name)[:60] or f"category-{len(known) + 1}"
            found = by_name.get(name) or known.get(slug)
            if found is None:
                position = len(known) + 1
                found = ErrorCategory.objects.create(project=project, slug=slug, name=name[:80], position=position)
                known[slug] = by_name[name] = found
                counts["categories"] += 1
            entry["category"] = found.slug


def in_words_of_the_project(batch: Sequence[Record], levels: Words) -> None:
    """Severities of MQM and ESA, which stand in the metadata as they came, as what stands for them where the project
    has other words for criticality."""
    for record in batch:
        for entry in record.fields.get("spans") or ():
            said = entry.get("criticality")
            severity = (entry.get("metadata") or {}).get("severity")
            if said and said not in levels and isinstance(severity, str) and severity.strip().lower() == said:
                entry["criticality"] = next((each for each in SEVERITIES.get(said, ()) if each in levels), said)


class Answers(Importer):
    """Stores spans, reviews, groups, classifications and ratings of raters who worked elsewhere."""

    kind = "answers"
    name = gettext_lazy("Answers: spans, reviews, groups, classifications, ratings")
    fills = (Marking, Span, Review, Rating)
    settings = (ErrorCategory, Label, Stage, RatingSettings)
    format = FORMAT
    rows = RowsOfAnswers()

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.raters = RaterBook(project, problems)
        self.touched = Touched()
        self.categories = {category.slug: category for category in ErrorCategory.objects.filter(project=project)}
        self.words = vocabularies_of_import(project, "spans")
        self.questions = {question.slug: question for question in QuestionType.objects.filter(project=project)}

    def store(self, batch: Sequence[Record]) -> None:
        if "categories" in self.creates:
            make_categories(self.project, batch, self.categories, self.counts)
        in_words_of_the_project(batch, self.words.criticality)
        rows = Batch(
            self.project,
            self.problems,
            self.counts,
            self.raters,
            self.categories,
            self.words,
            self.questions,
            self.touched,
            self.origin,
        )
        for kind, part in PARTS.items():
            of_kind = [record for record in batch if record.fields["kind"] == kind]
            if of_kind:
                part.take(of_kind, rows)
        self.counts["new raters"] = self.raters.created
        self.counts[OWN_LABORATORY] = self.raters.own_answers

    def finish(self) -> None:
        """Turns of people who also work here are done; the gold is up to date: in the same transaction."""
        hold_to_rules(self.project, self.touched, self.problems, self.counts)
        for stage in Stage.objects.filter(project=self.project, kind=SpanLines.kind):
            scored = self.touched.rated_responses if stage.scored_on_id is not None else set()
            assign_imported_markings(stage, self.touched.responses | scored)
        assign_imported_ratings(self.project, self.touched.rated_responses, self.touched.rated_pairs)
        answers_changed(self.touched.responses)

    def areas(self) -> Iterable[str]:
        """Spans, and what is said of them; ratings."""
        return [*(["spans"] if self.touched.responses else []), *(["ratings"] if self.counts["ratings"] else [])]

    def weighed(self) -> Iterable[Weighed]:
        """Beyond the project's settings: what others said of the same responses, which decides their gold and turns."""
        yield from super().weighed()
        yield Weighed(StageRules, "stage__project", [self.project.pk])
        for model, path in WEIGHED_OF_RESPONSE.items():
            yield Weighed(model, path, self.touched.responses)
        yield Weighed(Rating, "response", self.touched.rated_responses)
        yield Weighed(Rating, "pair", self.touched.rated_pairs)
