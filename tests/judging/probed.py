"""A published set whose questions a simulated model knows by heart, in part or not at all."""

import json
from typing import Any

from benchmark.models import Configuration, Probe, ProbeResult, QuestionSet
from jobs.models import Job
from jobs.working import work_on
from judging.collecting.endpoints import add_endpoint
from judging.probing.beginning import Wanted, begin_probing
from projects.models import Project
from providers.models import Provider
from tests.benchmark.boards import configuration, frozen_set
from tests.benchmark.sets import question_line

TOWNS = ("عمّان", "إربد", "العقبة", "معان", "الكرك", "مادبا", "جرش", "عجلون")
THINGS = ("سوق", "جسر", "قلعة", "مكتبة", "مدرسة", "حديقة", "محطة", "مسرح", "ميناء", "متحف")


def public_lines(n: int) -> list[dict]:
    """Multiple choices of four towns, and the same question in other words beside each."""
    lines = []
    for at in range(n):
        thing = f"{THINGS[at % 10]} {THINGS[at // 10 % 10]}"
        options = [
            {"label": "أبجد"[place], "text": f"{TOWNS[(at + place) % 8]} {THINGS[(at + 3 * place) % 10]} {900 - at}"}
            for place in range(4)
        ]
        lines.append(
            question_line(
                f"q{at:03d}",
                instruction=f"في القصة رقم {1000 + at} بنى أهل المدينة {thing} كبيرا، فأين يقع هذا البناء اليوم؟",
                options=options,
                output="ب",
                metadata={
                    "paraphrase": f"شيّد السكان {thing} ضخما كما تروي الحكاية ذات الرقم {1000 + at}، في أي بلدة نجده؟ "
                    + " ".join(f"{option['label']}. {option['text']}" for option in reversed(options))
                },
            )
        )
    return lines


def published(project: Project, n: int = 100) -> QuestionSet:
    return frozen_set(project, *public_lines(n), name="Towns")


def texts(question_set: QuestionSet) -> list[str]:
    return list(question_set.questions.order_by("position").values_list("prompt__text", flat=True))


def asked_model(project: Project, provider: Provider, model: str, **more: Any) -> Configuration:
    """A row of the board whose model is asked at the simulated provider."""
    row = configuration(project, more.pop("name", model), **more)
    endpoint = add_endpoint(project, provider, model, name=f"{model} at {provider.name}")
    Configuration.objects.filter(pk=row.pk).update(target_model=endpoint.target_model)
    row.refresh_from_db()
    return row


def probed(question_set: QuestionSet, rows: list[Configuration], **wanted: Any) -> Job:
    """A job of probes from start to end, in this process."""
    job = begin_probing(question_set, rows, Wanted(**wanted), wake=False)
    work_on(job.pk)
    job.refresh_from_db()
    return job


def figure(row: Configuration, kind: str) -> dict[str, Any]:
    return Probe.objects.filter(configuration=row, kind=kind).latest("pk").figure


def replies(kind: str) -> list[dict]:
    rows = ProbeResult.objects.filter(probe__kind=kind).order_by("question_key")
    return [part for row in rows for part in row.result.values()]


def bodies(requests: list[dict]) -> list[str]:
    return [json.dumps(request["body"], ensure_ascii=False) for request in requests]
