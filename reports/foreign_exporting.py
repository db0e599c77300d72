"""Marks and ratings as a file of another tool, written by a worker for the page and for programs, or by the commands.

Kept for a week, as files of gold are (reports/gold/exporting.py).
"""

from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Marking, Rating
from formats.foreign.documents import Document, Loss, told
from formats.foreign.rated import Rated
from formats.foreign.registry import FOREIGN
from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, QuestionType, User
from projects.problems import Invalid, Problem
from reports.foreign_files import documents_of, ratings_of
from reports.gold.exporting import KEPT, WRITTEN_WITHIN

FOREIGN_EXPORT = "foreign_export"
EXPORTED = "gold.exported"
PERMISSION = "answers.read"
MARKS = sorted(name for name, module in FOREIGN.items() if hasattr(module, "written"))
RATINGS = sorted(name for name, module in FOREIGN.items() if hasattr(module, "ratings_written"))
#: How a file is called that is not called as its inner format is.
SUFFIXES = {"mqm": "tsv", "conll": "conll", "uima": "zip", "mt-bench": "zip"}
MEDIA_TYPES = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "conll": "text/plain; charset=utf-8",
    "zip": "application/zip",
}


# --- What is written ------------------------------------------------------------------------------------


def marks_written(project: Project, name: str, lost: Counter[str]) -> Iterator[bytes]:
    """The file in parts. `lost` counts what the format does not hold, by `Loss`."""
    module = FOREIGN[name]
    return module.written(_counted(module, documents_of(project, module.HOLDS, lost), lost))


def _counted(module: ModuleType, documents: Iterator[Document], lost: Counter[str]) -> Iterator[Document]:
    """The documents as they are, with what the format loses of each by how it is laid out."""
    for document in documents:
        lost.update(module.losses(document) if hasattr(module, "losses") else {})
        yield document


def ratings_written(question: QuestionType, name: str, lost: Counter[str]) -> Iterator[bytes]:
    """The same of everybody's ratings. Raises Invalid, once it is read, where the format holds none of them."""
    module = FOREIGN[name]
    return module.ratings_written(_held(module, ratings_of(question), lost))


def _held(module: ModuleType, ratings: Iterator[Rated], lost: Counter[str]) -> Iterator[Rated]:
    for rated in ratings:
        if module.holds(rated):
            yield rated
        else:
            lost[Loss.ANSWERS] += 1


def rated_questions(project: Project) -> QuerySet[QuestionType]:
    """The question types that anybody has answered."""
    return project.question_types.filter(Exists(Rating.objects.filter(question=OuterRef("pk"), is_check=False)))


def has_marks(project: Project) -> bool:
    whole = Marking.objects.filter(response__project=project, is_complete=True, is_evaluation=False)
    return whole.exists()


# --- By a worker ----------------------------------------------------------------------------------------


class ForeignExport(JobKind):
    """Writes the marks or ratings of a project to a file. One that broke off is swept and begun anew."""

    name = FOREIGN_EXPORT
    label = gettext_lazy("File for another tool")
    can_pause = False  # a file is written from its first row on
    makes_file = True
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare` asks for one
        lost: Counter[str] = Counter()
        name, parts = job.options["format"], _parts_of(job.project, job.options, lost)
        module = FOREIGN[name]
        suffix = SUFFIXES.get(name) or getattr(module, "WRITES", module.READS)
        file = store_file(f"{job.project.slug}-{name}.{suffix}", parts, WRITTEN_WITHIN, MEDIA_TYPES[suffix])
        result = {
            "size": file.size,
            "sha256": file.sha256,
            "left_out": {str(what): count for what, count in (+lost).items()},
        }
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            about = {"via": "file", "job": str(job.uuid), **result}
            record(EXPORTED, actor=job.asked_by, project=job.project, subject=name, **about)
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        """Which format, what it could not hold, and whether the file is still there."""
        said = [" ".join(each for each in (job.options["format"], job.options["question"]) if each)]
        if job.result and (lost := job.result.get("left_out")):
            said.append(_("the format cannot hold, so this was left out: %(what)s") % {"what": told(lost)})
        if job.state == "done" and getattr(job, "file", None) is None:
            said.append(_("the file was kept for %(days)d days") % {"days": KEPT.days})
        return "; ".join(said)


def _parts_of(project: Project, options: dict[str, Any], lost: Counter[str]) -> Iterator[bytes]:
    name = options["format"]
    if name in MARKS:
        return marks_written(project, name, lost)
    question = project.question_types.filter(slug=options["question"]).first()
    if question is None or name not in RATINGS:
        raise Invalid(Problem("no_question", _("There is no such question type.")))
    return ratings_written(question, name, lost)


def prepare(project: Project, name: str, slug: str, by: User | None) -> Job:
    """The job that writes the file; the one that is under way where there is one. `slug` of the question type whose
    ratings are wanted, "" where the project has one. Raises Invalid."""
    if name in RATINGS:
        slugs = list(project.question_types.values_list("slug", flat=True))
        slug = slug or (slugs[0] if len(slugs) == 1 else "")
        if slug not in slugs:
            message = _("Say of which question type: %(names)s.") % {"names": ", ".join(slugs) or "-"}
            raise Invalid(Problem("no_question", message, "question"))
    elif name in MARKS:
        slug = ""
    else:
        raise Invalid(Problem("no_format", _("There is no such format."), "format"))
    options = {"format": name, "question": slug}
    return add_job(FOREIGN_EXPORT, project, by, options=options, key=f"{project.pk} {name} {slug}")
