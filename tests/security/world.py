"""One of everything a route can point at, so that the matrix can be walked."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from annotation.models import Classification, ErrorCategory, GroupProposal
from judging import runs
from judging.collecting import jobs
from judging.collecting.endpoints import add_endpoint
from judging.judges import add_judge
from judging.models import Provider
from projects.invitations import invite
from projects.models import Project, Rater, Response, User
from tests.annotation.marked import mark
from tests.judging.collecting import add_frozen
from tests.people import add_response, join, person
from workflow.claims import begin_own, claim_next, plan_items
from workflow.models import Stage

RUN_ROUTES = [
    *("run", "run-calls", "run-cancel", "run-resume", "run-retry"),
    *("api-run", "api-run-cancel", "api-run-resume"),
]


@dataclass
class World:
    project: Project
    other_project: Project
    # Values of a route's arguments; a key is "argument" or "route.argument".
    arguments: dict[str, Any] = field(default_factory=dict)
    people: dict[str, User] = field(default_factory=dict)
    # What a route must be sent to get past its own reading; the answer may still be that the content is wrong.
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)

    def argument(self, route: str, name: str) -> Any:
        return self.arguments.get(f"{route}.{name}", self.arguments.get(name))

    def person_with(self, role: str) -> User:
        if role not in self.people:
            self.people[role] = join(
                person(f"{role}@example.org", role.title()), self.project, role, varieties=("en-US",)
            )
        return self.people[role]


def build_world(project: Project, other_project: Project) -> World:
    world = World(project, other_project)
    response = add_response(project, "r1", "One response. With two sentences.", "en-US")
    member = world.person_with("annotator")
    invitation, token = invite(
        project, "new@example.org", roles=["annotator"], varieties=[response.variety], invited_by=member
    )
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    plan_items(stage)
    assignment = claim_next(member.raters.get(), stage)
    assert assignment is not None
    world.arguments = {
        "stage": stage.pk,
        "assignment": assignment.uuid,
        "kind": "item",
        "slug": project.slug,
        "table_id": "progress",
        "token": token,
        "pk": member.pk,
        "withdraw-invitation.pk": invitation.pk,
        **judging_arguments(project),
        **refining_arguments(response),
        **collecting_arguments(response, world.person_with("author")),
    }
    as_json = {"content_type": "application/json"}
    world.bodies = {
        "task-draft": {"data": {"body": {"no_errors": True, "spans": []}}, "headers": {"If-Match": '"0"'}, **as_json},
        "task-submit": {"data": {"submission": str(uuid4()), "version": 0, "body": {}}, **as_json},
        "difficulty-ask": {"data": {"prompt": "Too easy?"}, **as_json},
        "task-skip": {"data": {"reason": "other", "note": "Too long for me"}, **as_json},
        "reassign": {"data": {"rater": world.person_with("validator").raters.get().pseudonym}},
    }
    return world


def judging_arguments(project: Project) -> dict[str, Any]:
    """A judge whose provider nobody listens at, and a planned run of it."""
    judge = add_judge(project, Provider.objects.create(name="p", base_url="http://127.0.0.1:9/v1"), "gpt-4o")
    run = runs.create_run(judge, project.responses.all())
    return {
        "judge.pk": judge.pk,
        "judge-run.pk": judge.pk,
        "provider.pk": judge.provider_id,
        **{f"{route}.uuid": run.uuid for route in RUN_ROUTES},
    }


def collecting_arguments(response: Response, author: User) -> dict[str, Any]:
    """A target model whose provider nobody listens at, a planned collection from it, and a rubric in the making."""
    project = response.project
    rater = author.raters.get()
    prompt = add_frozen(project, "frozen", "A prompt whose rubric is frozen.", "en-US")
    endpoint = add_endpoint(project, Provider.objects.get(name="p"), "gpt-4o")
    collection = jobs.create_collection(endpoint)
    stage = Stage.objects.create(project=project, kind="authoring", name="Authoring", lease_minutes=60)
    writing = begin_own(rater, stage, response.variety, uuid4())
    routes = ("collection", *(f"collection-{verb}" for verb in ("calls", "take", "cancel", "resume", "retry")))
    return {
        **{f"{route}.pk": endpoint.pk for route in ("target", "target-collect", "target-remove", "target-paste")},
        **{f"{route}.uuid": collection.uuid for route in routes},
        "target-paste.prompt": prompt.pk,
        "collection-take.pk": collection.calls.get().pk,
        "difficulty-ask.assignment": writing.uuid,
    }


def refining_arguments(response: Response) -> dict[str, Any]:
    """A span of someone who worked elsewhere, a proposed group with it, and a category proposed for it."""
    rater = Rater.objects.create(project=response.project, kind="human", name="Elsewhere")
    [span] = mark(response, rater, "One")
    category = ErrorCategory.objects.create(project=response.project, slug="inaccuracy", name="Inaccuracy")
    proposal = GroupProposal.objects.create(response=response)
    proposal.spans.add(span)
    coding = Classification.objects.create(span=span, rater=rater, category=category)
    return {
        "response": response.uuid,
        "span": span.pk,
        "decide-group.proposal": proposal.pk,
        **{f"{act}-category.proposal": coding.pk for act in ("confirm", "change", "refuse")},
    }
