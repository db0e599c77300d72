"""Who has seen which question: written down when a call is about to be sent, for a question that was sent is seen even
where its answer is lost."""

import json
from collections import Counter
from collections.abc import Iterable

from django.db import connection
from django.utils import timezone

from benchmark.models import Exposure, ExposureKind, Question
from projects.among import Among
from projects.models import Laboratory

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


def endpoint_name(model: str, provider: str) -> str:
    """A model as one provider serves it: whoever runs the provider has seen the question as well."""
    return f"{model}@{provider}" if provider else model
