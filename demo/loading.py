"""The project an installation can show before anyone has worked in it, and what loading the generated ones shares."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.importing.imported_answers import assign_imported_markings
from annotation.outcomes import BY_ANNOTATORS
from annotation.reviews.planning import reserve_for_annotators
from formats.format import encode
from formats.importing.running import Outcome, run_import
from formats.reading import Progress, Source
from judging.judges import add_judge
from projects.creation import create_project
from projects.models import LanguageVariety, Membership, Project, Rater, RaterKind, Role, User
from projects.problems import Invalid
from projects.rehearsing import stored_at_once
from providers.endpoints import simulated_provider
from workflow.planning import plan_items

DEMO = Path(__file__).resolve().parent / "by_hand"


@stored_at_once
def load_by_hand(password: str, progress: Progress | None = None) -> Project:
    """The project `demo`: written by hand, marked by two people and a simulated judge, with work left to do."""
    project = create_project(
        Project(
            slug="demo",
            name="Feasts and everyday life",
            description="A demonstration in six languages, written by hand. The judges are simulated.",
            guidelines=(DEMO / "guidelines.md").read_text(encoding="utf-8"),
            guidelines_language="en",
        ),
        None,
    )
    for person in json.loads((DEMO / "people.json").read_text(encoding="utf-8")):
        add_person(project, person, password)
    provider = simulated_provider()
    add_judge(project, provider, "simulated-judge-a", name="Simulated judge A")
    add_judge(
        project,
        provider,
        "simulated-judge-b",
        name="Simulated judge B",
        granularity="response",
        with_taxonomy=True,
    )
    for kind in ("items", "answers"):
        path = DEMO / f"{kind}.jsonl"
        with path.open("rb") as file:
            refuse_problems(run_import(project, Source(file, path.name), kind, progress=progress))
    open_stages(project)
    return project


def add_person(project: Project, person: dict, password: str) -> None:
    """An account (made where the address has none yet), the person's roles, and the person as a rater."""
    user = User.objects.filter(email=person["email"]).first()
    user = user or User.objects.create_user(person["email"], password, name=person["name"])
    Membership.objects.bulk_create(Membership(project=project, user=user, role=role) for role in person["roles"])
    if set(person["roles"]) - {Role.LEAD}:
        rater = Rater.objects.create(
            project=project, kind=RaterKind.HUMAN, name=person["name"], user=user, is_expert=person["expert"]
        )
        rater.varieties.set(LanguageVariety.objects.filter(tag__in=person["varieties"]))


def open_stages(project: Project) -> None:
    """Items are planned; what has come by import counts as done; reviews wait for those who marked."""
    for stage in project.stages.order_by("position"):
        if stage.kind == BY_ANNOTATORS:
            stage.is_open = True
            stage.save(update_fields=["is_open"])
            reserve_for_annotators(stage)
        else:
            plan_items(stage)
            assign_imported_markings(stage)


def share_with_leads(project: Project) -> None:
    """Who leads the demonstration sees this one too; without it, administrators do."""
    leads = User.objects.filter(memberships__project__slug="demo", memberships__role=Role.LEAD)
    Membership.objects.bulk_create(Membership(project=project, user=user, role=Role.LEAD) for user in leads)


def refuse_problems(outcome: Outcome) -> None:
    if not outcome.is_clean:
        raise Invalid(outcome.problems)


class Encoded(io.RawIOBase):
    """Lines as a binary file that is written while it is read."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]):
        self.encoded: Iterator[bytes] = map(encode, lines)
        self.rest = b""

    def read(self, size: int = -1) -> bytes:
        parts = [self.rest]
        length = len(self.rest)
        while size < 0 or length < size:
            line = next(self.encoded, b"")
            if not line:
                break
            parts.append(line)
            length += len(line)
        whole = b"".join(parts)
        whole, self.rest = (whole, b"") if size < 0 else (whole[:size], whole[size:])
        return whole
