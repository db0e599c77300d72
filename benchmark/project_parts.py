"""The part of the project file about a benchmark: its question sets with their skills, and its board.

The questions themselves, with the rules that score answers to them, are texts, and have a file format of their own.
"""

from typing import Annotated, Any, NotRequired, TypedDict

from django.db.models import ProtectedError, RestrictedError
from django.utils.translation import gettext as _

from benchmark.models import Board, QuestionSet, Skill
from formats.kinds import FLAG, name, number_within, short_text, whole
from formats.project_file.part import LIST, RECORD, Findings, Part, Slug, texts
from formats.project_file.rows import Rows, Settings
from formats.records import Entries
from projects.models import Project, Rater, RaterKind
from projects.slugs import free_slug

MAX_SETS = 50
MAX_SKILLS = 200


class SkillRecord(TypedDict):
    slug: Slug
    name: Annotated[str, name(120)]
    counts_refusals: NotRequired[Annotated[bool | None, FLAG, "A refusal is an answer that is scored, not a 0"]]


class SetRecord(TypedDict):
    """The newest version of a question set."""

    slug: Slug
    name: Annotated[str, name(120)]
    licence: NotRequired[Annotated[str | None, short_text(20_000)]]
    skills: NotRequired[Annotated[list[SkillRecord] | None, LIST, Entries(most=MAX_SKILLS, unique="slug")]]


class BoardRecord(TypedDict):
    """What is ranked, and who may read it."""

    title: Annotated[str, name(200)]
    open: NotRequired[Annotated[bool | None, FLAG, "Everybody may read the board without an account"]]
    judges: NotRequired[Annotated[list[str] | None, texts(100, 120), "Names; left out: every one that may"]]
    published_judge: NotRequired[Annotated[str | None, name(120), "Name of the judge of the column as published"]]
    max_exposures: NotRequired[Annotated[int | None, whole(1)]]
    drift_limit: NotRequired[Annotated[float | None, number_within(0.01, 10), "Points of 10"]]
    takes_submissions: NotRequired[Annotated[bool | None, FLAG]]
    submission_money: NotRequired[Annotated[int | None, whole(0, 2**53), "Billionths of a dollar a month"]]
    submission_tokens: NotRequired[Annotated[int | None, whole(0, 2**53), "Tokens a month"]]


class BenchmarkRecord(TypedDict):
    question_sets: NotRequired[Annotated[list[SetRecord] | None, LIST, Entries(most=MAX_SETS, unique="slug")]]
    board: NotRequired[Annotated[BoardRecord | None, RECORD]]


SETS = Rows(QuestionSet, {name: name for name in ("slug", "name", "licence")}, {"licence": ""})
SKILLS = Rows(
    Skill,
    {name: name for name in ("slug", "name", "counts_refusals")},
    {"counts_refusals": False},
    owner="question_set",
)
BOARD = Settings(
    Board,
    {
        "title": "title",
        "open": "is_open",
        **{
            name: name
            for name in (
                *("max_exposures", "drift_limit"),
                *("takes_submissions", "submission_money", "submission_tokens"),
            )
        },
    },
)


class BenchmarkPart(Part):
    """A frozen version never changes: its next version is begun on its page. Questions keep their skills."""

    key = "benchmark"
    record = Annotated[BenchmarkRecord, RECORD]
    position = 100

    def read(self, project: Project) -> dict[str, Any]:
        newest = _newest(project)
        skills: dict[int, list[dict[str, Any]]] = {}
        rows = Skill.objects.filter(question_set__in=[each.pk for each in newest.values()])
        for skill in rows.order_by("position", "pk"):
            skills.setdefault(skill.question_set_id, []).append(SKILLS.entry(skill))
        sets = [
            SETS.entry(each) | ({"skills": skills[each.pk]} if each.pk in skills else {}) for each in newest.values()
        ]
        board = Board.objects.filter(project=project).select_related("published_judge").first()
        said = {"question_sets": sets, "board": _board(board) if board else None}
        return {key: value for key, value in said.items() if value}

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        self._write_sets(project, value.get("question_sets") or [], findings)
        self._write_board(project, value.get("board"), findings)

    def _write_sets(self, project: Project, entries: list[dict[str, Any]], findings: Findings) -> None:
        there = _newest(project)
        for index, entry in enumerate(entries):
            place = f"benchmark.question_sets[{index}]"
            row = there.pop(entry["slug"], None) or QuestionSet(project=project, slug=entry["slug"])
            if row.frozen_at is not None:
                kept = SETS.entry(row)
                if listed := [SKILLS.entry(skill) for skill in row.skills.order_by("position", "pk")]:
                    kept["skills"] = listed
                if kept != {key: given for key, given in entry.items() if given not in (None, "", [])}:
                    message = _("This version is frozen, so it stays as it is. Begin its next version on its page.")
                    findings.refuse(place, "frozen", message)
                continue
            row.name, row.licence = entry["name"], entry.get("licence") or ""
            row.save()
            skills, at = entry.get("skills") or [], f"{place}.skills"
            if len({skill["name"] for skill in skills}) < len(skills):
                findings.refuse(at, "duplicate_id", _("Two skills of a set have no name in common."))
                continue
            _rows, left_out = SKILLS.write(row, row.skills.all(), skills, at, findings)
            SKILLS.remove(left_out, at, findings)
        for row in there.values():
            try:
                if row.frozen_at is not None or row.questions.exists():
                    raise ProtectedError("", {row})
                row.delete()
            except (ProtectedError, RestrictedError):
                message = _("“%(name)s” is missing here, and answers or texts rest on it: it cannot be taken away.")
                findings.refuse("benchmark.question_sets", "in_use", message % {"name": row.slug})

    def _write_board(self, project: Project, value: dict[str, Any] | None, findings: Findings) -> None:
        row = Board.objects.filter(project=project).first()
        if value is None:
            if row is not None:
                message = _("The board is there, with what rests on it: it cannot be taken away.")
                findings.refuse("benchmark", "in_use", message)
            return
        if row is None:
            row = Board(project=project, slug=_free_slug(project))
        BOARD.set_on(row, value)
        judges = {rater.name: rater for rater in project.raters.filter(kind=RaterKind.JUDGE)}
        names = value.get("judges") or []
        row.published_judge = self._judge(judges, value.get("published_judge"), "published_judge", findings)
        row.save()
        row.judges.set([rater for each in names if (rater := self._judge(judges, each, "judges", findings))])

    def _judge(self, judges: dict[str, Rater], wanted: str | None, field: str, findings: Findings) -> Rater | None:
        if wanted and wanted not in judges:
            message = _("The project has no judge “%(name)s”, so the board does without it.")
            findings.note(f"benchmark.board.{field}", message % {"name": wanted})
        return judges.get(wanted or "")


def _newest(project: Project) -> dict[str, QuestionSet]:
    """The newest version of each set, by short name; sets whose options were shuffled are made of others."""
    rows = QuestionSet.objects.filter(project=project, shuffle=None).order_by("slug", "version")
    return {row.slug: row for row in rows}


def _board(board: Board) -> dict[str, Any]:
    said = {"title": board.title, **BOARD.entry(board)}
    if names := sorted(board.judges.values_list("name", flat=True)):
        said["judges"] = names
    if board.published_judge:
        said["published_judge"] = board.published_judge.name
    return said


def _free_slug(project: Project) -> str:
    """Boards of all projects have addresses of their own."""
    taken = Board.objects.filter(slug__startswith=project.slug).values_list("slug", flat=True)
    return free_slug(project.slug, set(taken), "board")


PARTS = (BenchmarkPart(),)
