"""Rubrics in every state, for whoever walks through all pages: begun, frozen twice, discarded, waiting for a review."""

from projects.models import Project
from rubrics.authoring import reviewing
from rubrics.authoring.revising import revise
from rubrics.models import Rubric
from tests.people import join, person, signed_in
from tests.rubrics.rubrics import make_rubrics_project
from tests.rubrics.writing import begun_by, call, criterion, draft, freeze, frozen_by, tried
from tests.workflow.working import put_draft
from workflow.models import Stage

KEPT = [{"code": "band-weight", "criterion": criterion(1)["key"], "words": "core-term 3", "reason": "كلمة معروفة."}]
# Too light for its band, and kept so with a reason.
LIGHT = draft(
    criteria=[criterion(1, text="بيذكر الرز.", weight=3, band="core-term"), draft()["criteria"][1]], accepted=KEPT
)


def rubrics_to_show(project: Project) -> dict[str, object]:
    """Arguments of the addresses of rubrics, in a project that does other work too. Salma wrote them, Zaid another."""
    areas = project.areas
    make_rubrics_project(project)
    Project.objects.filter(pk=project.pk).update(areas=[*areas, "rubrics"])
    stage = Stage.objects.create(project=project, kind="authoring", name="Authoring", overlap=1, position=9)
    salma = join(person("salma@example.org", "Salma Fathy"), project, "author", varieties=("ar-EG",))
    zaid = join(person("zaid@example.org", "Zaid Kareem"), project, "author", varieties=("ar-EG",))
    client = signed_in(salma)
    own, given_up, theirs = begun_by(salma, stage), begun_by(salma, stage), begun_by(zaid, stage)
    put_draft(client, own, 0, draft(criteria=[criterion(1, weight=None, objectivity="")]))
    put_draft(client, given_up, 0, draft())
    call(client, given_up, "skip", reason="other", note="It is eaten everywhere by now.")
    first = frozen_by(client, begun_by(salma, stage), LIGHT)
    second = revise(first, salma.raters.get())
    freeze(client, second, LIGHT)
    put_draft(signed_in(zaid), theirs, 0, draft())
    tried(theirs)
    return {
        "rubric": first.uuid,
        "rubric-draft.assignment": given_up.uuid,
        "rubric-begin.stage": stage.pk,
        "review": reviewing.ask(theirs).pk,
        "rubric in the making": own.uuid,
        "newest rubric": Rubric.objects.get(supersedes=first).uuid,
    }
