"""Who has seen which question: written down when a call is about to be sent, for a question that was sent is seen even
where its answer is lost. What provably was not sent after all is taken back.

Whose model was asked says projects/laboratories.py, as for the board.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from benchmark.models import Answer, ConfigurationKind, Exposure, ExposureKind, Question, RuleScore
from projects.among import Among
from projects.laboratories import laboratory_id
from projects.models import Laboratory, Project, RaterKind

MAX_ENDPOINT = Exposure._meta.get_field("endpoint").max_length or 0

ROWS = {
    "sqlite": "SELECT json_extract(value, '$[0]') AS prompt, json_extract(value, '$[1]') AS times FROM json_each(%s)",
    "postgresql": (
        "SELECT (value->>0)::bigint AS prompt, (value->>1)::int AS times FROM jsonb_array_elements(%s::jsonb) AS value"
    ),
}
# WHERE TRUE: without it SQLite reads ON CONFLICT as the condition of a join. In the order of the prompts, so that two
# who write the same rows at once wait for each other and never crosswise.
UPSERT = """
    INSERT INTO benchmark_exposure (prompt_id, laboratory_id, endpoint, kind, first_at, last_at, times)
    SELECT prompt, {laboratory}, %s, %s, %s, %s, times FROM ({rows}) AS sent WHERE TRUE ORDER BY prompt
    ON CONFLICT ({columns}) WHERE laboratory_id IS {known} DO UPDATE SET
        times = benchmark_exposure.times + excluded.times,
        last_at = CASE WHEN excluded.last_at > benchmark_exposure.last_at
            THEN excluded.last_at ELSE benchmark_exposure.last_at END
"""


#: Those that were not sent as often as they are counted go whole, and before the others lose a part: in the other
#: order a row could lose both.
REMOVE = """
    DELETE FROM benchmark_exposure WHERE {place} AND prompt_id IN (SELECT prompt FROM ({rows}) AS unsent)
    AND times <= (SELECT unsent.times FROM ({rows}) AS unsent WHERE unsent.prompt = benchmark_exposure.prompt_id)
"""
LESSEN = """
    UPDATE benchmark_exposure SET times =
        times - (SELECT unsent.times FROM ({rows}) AS unsent WHERE unsent.prompt = benchmark_exposure.prompt_id)
    WHERE {place} AND prompt_id IN (SELECT prompt FROM ({rows}) AS unsent)
    AND times > (SELECT unsent.times FROM ({rows}) AS unsent WHERE unsent.prompt = benchmark_exposure.prompt_id)
"""


def record(prompts: Iterable[int], laboratory: Laboratory | None, endpoint: str, kind: ExposureKind) -> int:
    """Write down that these prompts are being sent to an endpoint; returns how many questions they are.

    prompts     ids, each as often as it is sent. Those that are no question of any set are passed over.
    laboratory  that trained the model; None where nobody knows it.
    endpoint    MODEL@PROVIDER (`endpoint_name`).

    Two statements however many they are, one where none of them is a question; commits with the caller's transaction,
    if there is one. To be called before the calls are sent.
    """
    times = Counter(map(int, prompts))
    if not times:
        return 0
    questions = Question.objects.filter(prompt__in=Among(times)).order_by().values_list("prompt_id", flat=True)
    sent = [[prompt, times[prompt]] for prompt in sorted(set(questions))]
    if sent:
        write(sent, laboratory, endpoint[:MAX_ENDPOINT], ExposureKind(kind))
    return len(sent)


def write(sent: list[list[int]], laboratory: Laboratory | None, endpoint: str, kind: ExposureKind) -> None:
    known = laboratory is not None
    columns = ("prompt_id", "laboratory_id", "endpoint", "kind") if known else ("prompt_id", "endpoint", "kind")
    statement = UPSERT.format(
        laboratory="CAST(%s AS bigint)" if known else "NULL",
        rows=ROWS[connection.vendor],
        columns=", ".join(columns),
        known="NOT NULL" if known else "NULL",
    )
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    values = [*([laboratory.pk] if laboratory else []), endpoint, kind.value, now, now, json.dumps(sent)]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def take_back(prompts: Iterable[int], laboratory: Laboratory | None, endpoint: str, kind: ExposureKind) -> None:
    """Undo `record` for calls that never left, with the same arguments; prompts that are no question are passed over.

    Two statements, in one transaction: who writes the same rows meanwhile waits for both. `last_at` stays: it says when
    sending was last begun.
    """
    times = Counter(map(int, prompts))
    if not times:
        return
    known = laboratory is not None
    of_laboratory = "laboratory_id = %s" if known else "laboratory_id IS NULL"
    place = f"{of_laboratory} AND endpoint = %s AND kind = %s"
    at: list[Any] = [*([laboratory.pk] if laboratory else []), endpoint[:MAX_ENDPOINT], ExposureKind(kind).value]
    rows, unsent = ROWS[connection.vendor], json.dumps(sorted(times.items()))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(REMOVE.format(place=place, rows=rows), [*at, unsent, unsent])
        cursor.execute(LESSEN.format(place=place, rows=rows), [unsent, *at, unsent, unsent])


def record_seen_elsewhere(project: Project) -> int:
    """Write down who must have seen questions without a call from here: models whose answers came as a file, and judges
    whose scores did. Each is written once, however often this is called; returns how many questions they are.

    Two statements, and two more for every model and judge that is new.
    """
    seen: dict[tuple[int, str, ExposureKind], list[int]] = defaultdict(list)
    known = Exposure.objects.filter(prompt=OuterRef("prompt"), kind=ExposureKind.ANSWERING)
    model = "configuration__target_model"
    answers = Answer.objects.filter(configuration__project=project, configuration__kind=ConfigurationKind.MODEL)
    answers = answers.annotate(laboratory_here=laboratory_id(model, "configuration__project"))
    answers = answers.filter(~Exists(known.filter(laboratory=OuterRef("laboratory_here"))))
    of_model = ("laboratory_here", f"{model}__name", "configuration__provider", "prompt_id")
    for laboratory, model, provider, prompt in answers.values_list(*of_model):
        seen[laboratory, endpoint_name(model, provider), ExposureKind.ANSWERING].append(prompt)
    known = Exposure.objects.filter(prompt=OuterRef("answer__prompt"), kind=ExposureKind.JUDGING)
    scores = RuleScore.objects.filter(
        ~Exists(known.filter(laboratory=OuterRef("rater__laboratory"))),
        answer__configuration__project=project,
        rater__kind=RaterKind.JUDGE,
        rater__laboratory__isnull=False,  # a panel's members have seen it, and are written down themselves
    )
    of_judge = ("rater__laboratory", "rater__model", "answer__prompt")
    for laboratory, model, prompt in scores.values_list(*of_judge).distinct():
        seen[laboratory, model, ExposureKind.JUDGING].append(prompt)
    laboratories = Laboratory.objects.in_bulk({laboratory for laboratory, *_rest in seen})
    return sum(
        record(set(prompts), laboratories[laboratory], endpoint, kind)
        for (laboratory, endpoint, kind), prompts in seen.items()
    )


def endpoint_name(model: str, provider: str) -> str:
    """A model as one provider serves it: whoever runs the provider has seen the question as well."""
    return f"{model}@{provider}" if provider else model
