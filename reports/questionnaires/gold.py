"""The gold export of questionnaires: an item of a stage a line, as formats/questionnaire_gold.py declares it.

A generator of bytes that holds one batch in memory at any size. The file begins with what each stage shows and asks, so
that it can be read back. Answers are those of people, without checks; of what no longer fits a part that was changed,
nothing is said.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Min, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.checking import read_draft
from annotation.questionnaires.gold import gold_entries
from annotation.questionnaires.shown import current
from annotation.questionnaires.standing import answers_of
from benchmark.held_back import canary_of
from formats import questionnaire_gold
from formats.format import encode
from formats.layout import Asked, Shown, Subject, Type, asked_of, plain_parts
from formats.questionnaire_gold import SUBJECTS
from formats.questionnaire_gold import VERSION as FORMAT
from projects.among import Among
from projects.derived import taken
from projects.laboratories import laboratory_slug
from projects.models import Project, Prompt, RaterKind, Response, ResponsePair
from projects.problems import Invalid
from reports.gold.lines import RaterRow, marked, rater_rows
from workflow.layouts import stages_with_parts
from workflow.models import Stage

BATCH = 100


def answered(project: Project) -> QuerySet[QuestionnaireAnswer]:
    """What the file rests on: people's answers to parts that are asked, without checks."""
    return answers_of(project, RaterKind.HUMAN).exclude(stage__ask=[])


def prompts(project: Project) -> QuerySet[Prompt]:
    """Those whose texts are in the file."""
    about = answered(project).annotate(about=Coalesce("prompt", "response__prompt", "pair__prompt"))
    return Prompt.objects.filter(project=project, pk__in=about.values("about"))


class AnswerRow(NamedTuple):
    about: int
    stage_id: int
    rater_id: int
    round: int
    answers: Mapping[str, Any]
    created_at: Any


class Texts(NamedTuple):
    """Of a batch of items: key, prompt and the ids of the responses of each, by the item's id; what a line says of
    prompts and responses by theirs, of the latter also whether they are shown now."""

    keys: dict[int, str]
    prompts: dict[int, int]
    sides: dict[int, list[int]]
    of_prompts: dict[int, dict[str, Any]]
    responses: dict[int, tuple[bool, questionnaire_gold.Side]]


class Study(NamedTuple):
    """What all lines share."""

    stages: Mapping[int, Stage]
    parts: Mapping[int, Sequence[Asked]]
    raters: Mapping[int, RaterRow]


def lines(project: Project) -> Iterator[bytes]:
    """The file as lines of UTF-8 JSON, each with its newline; none where nobody has answered."""
    with_answers = set(answered(project).order_by().values_list("stage", flat=True).distinct())
    stages = [stage for stage in stages_with_parts(project) if stage.pk in with_answers]
    if not stages:
        return
    for stage in stages:
        head: questionnaire_gold.Stage = {
            "format": FORMAT,
            "kind": "stage",
            "id": stage.name,
            "work": stage.kind,
            "show": stage.show,
            "ask": plain_parts(stage.ask),  # type: ignore[typeddict-item]
        }
        yield encode(head)
    study = Study({stage.pk: stage for stage in stages}, {stage.pk: asked_of(stage.ask) for stage in stages}, {})
    study = study._replace(raters=rater_rows(project))
    for subject in SUBJECTS:
        yield from _lines_about(project, subject, study)


def _lines_about(project: Project, subject: str, study: Study) -> Iterator[bytes]:
    """In the order of the first answers, which is that of the file when it is read back."""
    rows = answered(project).filter(stage__in=Among(study.stages), **{f"{subject}__isnull": False})
    firsts = rows.order_by().values_list(subject).annotate(earliest=Min("id")).order_by("earliest")
    ids = (pk for pk, _earliest in firsts.iterator(chunk_size=10 * BATCH))
    while batch := list(islice(ids, BATCH)):
        answers: dict[int, dict[int, list[AnswerRow]]] = defaultdict(lambda: defaultdict(list))
        columns = (subject, *AnswerRow._fields[1:])
        for row in map(AnswerRow._make, rows.filter(**{f"{subject}__in": batch}).values_list(*columns)):
            answers[row.about][row.stage_id].append(row)
        texts = _texts(project, subject, batch, study, answers)
        for pk in batch:
            for stage in study.stages:
                if stage in answers[pk]:
                    yield encode(_line(subject, pk, stage, answers[pk][stage], texts, study))


def _line(subject: str, pk: int, stage: int, rows: Sequence[AnswerRow], texts: Texts, study: Study) -> Any:
    parts = study.parts[stage]
    shows = subject != Subject.PROMPT or Shown.RESPONSES in study.stages[stage].show
    named = {key for row in rows for key in _ranked(row, parts)}
    sides = [texts.responses[one] for one in (texts.sides[pk] if shows else ())]
    # Those that were ranked, for answers rest on them; one that came or was followed since was not shown. Where nobody
    # ranked any, those that stand there now.
    shown = [side for standing, side in sides if (side["id"] in named if named else standing)]
    names = [side["id"] for side in shown]
    given = sorted(rows, key=lambda row: (study.raters[row.rater_id].pseudonym, row.round))
    said = [(row, _fitting(row, parts, names)) for row in given]
    latest = {row.rater_id: (answers, study.raters[row.rater_id].is_expert) for row, answers in said}
    prompt = texts.of_prompts[texts.prompts[pk]]
    return {
        "format": FORMAT,
        "kind": subject,
        "stage": study.stages[stage].name,
        "id": texts.keys[pk],
        **{name: value for name, value in prompt.items() if name != "canary"},
        **({} if shown else {"metadata": marked("{}", prompt["canary"])}),
        "responses": shown,
        "gold": gold_entries(parts, list(latest.values()), names),
        "answers": [
            {
                "rater": study.raters[row.rater_id].pseudonym,
                "expert": study.raters[row.rater_id].is_expert,
                "round": row.round,
                "answers": answers,
                "answered_at": row.created_at,
            }
            for row, answers in said
        ],
    }


def _ranked(row: AnswerRow, parts: Sequence[Asked]) -> Iterator[str]:
    for part in parts:
        value = row.answers.get(part.key) if part.type == Type.RANKING else None
        yield from value if isinstance(value, Mapping) else ()


def _fitting(row: AnswerRow, parts: Sequence[Asked], names: Sequence[str]) -> dict[str, Any]:
    """The answers that are such to the parts as they are asked now."""
    fitting: dict[str, Any] = {}
    for part in parts:
        try:
            fitting |= read_draft({"answers": {part.key: row.answers.get(part.key)}}, [part], names)["answers"]
        except Invalid:
            continue
    return fitting


# --- Texts ------------------------------------------------------------------------------------------------


def _texts(project: Project, subject: str, ids: Sequence[int], study: Study, answers: Any) -> Texts:
    """In four statements, whatever the number of items."""
    keys: dict[int, str] = {}
    of_items: dict[int, int] = {}
    sides: dict[int, list[int]] = defaultdict(list)
    if subject == Subject.RESPONSE:
        for pk, key, prompt in Response.objects.filter(pk__in=ids).values_list("pk", "key", "prompt"):
            keys[pk], of_items[pk], sides[pk] = key, prompt, [pk]
    elif subject == Subject.PAIR:
        columns = ("pk", "key", "prompt", "first", "second")
        for pk, key, prompt, first, second in ResponsePair.objects.filter(pk__in=ids).values_list(*columns):
            keys[pk], of_items[pk], sides[pk] = key, prompt, [first, second]
    else:
        for pk, key in Prompt.objects.filter(pk__in=ids).values_list("pk", "key"):
            keys[pk] = key
            of_items[pk] = pk
    stands: set[int] = set()
    if subject == Subject.PROMPT:
        rows = ((stage, row) for of_item in answers.values() for stage, given in of_item.items() for row in given)
        named = {key for stage, row in rows for key in _ranked(row, study.parts[stage])}
        beside = Response.objects.filter(prompt__in=ids)
        stands = set(current(taken(beside)).values_list("pk", flat=True))
        # By key: those that stand in other items as well come back in the order of these.
        for key, pk, prompt in sorted(beside.values_list("key", "pk", "prompt")):
            if pk in stands or key in named:
                sides[prompt].append(pk)
    shown = {pk for of_item in sides.values() for pk in of_item}
    responses = _responses(shown, stands if subject == Subject.PROMPT else shown)
    return Texts(keys, of_items, sides, _prompts(set(of_items.values())), responses)


def _prompts(ids: set[int]) -> dict[int, dict[str, Any]]:
    """What a line says of each prompt, and its canary."""
    columns = ("pk", "key", "text", "text_sha256", "messages", "variety__tag", "task", "domain", canary_of("pk"))
    found: dict[int, dict[str, Any]] = {}
    for pk, key, text, sha256, messages, tag, task, domain, canary in Prompt.objects.filter(
        pk__in=Among(ids)
    ).values_list(*columns):
        said = {"prompt_id": key, "prompt": text, "prompt_sha256": sha256, "messages": messages or None}
        found[pk] = {**said, "prompt_variety": tag, "task": task, "domain": domain, "canary": canary}
    return found


def _responses(ids: set[int], standing: set[int]) -> dict[int, tuple[bool, questionnaire_gold.Side]]:
    """Whether each is shown now, and what a line says of it."""
    rows = Response.objects.filter(pk__in=Among(ids)).annotate(metadata_json=Cast("metadata", TextField()))
    columns = ("pk", "key", "variety__tag", "target_model__name", laboratory_slug("target_model"), "text")
    found: dict[int, tuple[bool, questionnaire_gold.Side]] = {}
    for pk, key, tag, model, laboratory, text, sha256, metadata, canary in rows.values_list(
        *columns, "text_sha256", "metadata_json", canary_of()
    ):
        found[pk] = (
            pk in standing,
            {
                "id": key,
                "variety": tag,
                "model": model,
                "laboratory": laboratory,
                "response": text,
                "response_sha256": sha256,
                "metadata": marked(metadata, canary),
            },
        )
    return found
