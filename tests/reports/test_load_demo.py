"""An empty installation shows something at once: a project written by hand, or a generated one at size."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldError, Marking, Span
from judging.models import Judge
from projects.models import LanguageVariety, Project, Rater, Response, User
from workflow.claims import claim_next
from workflow.models import Assignment, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path, monkeypatch):
    monkeypatch.delenv("DEMO_PASSWORD", raising=False)
    settings.DATA_DIR = tmp_path


def load(*arguments: str) -> str:
    out = io.StringIO()
    call_command("load_demo", *arguments, stdout=out)
    return out.getvalue()


def test_the_demo_has_people_texts_marks_judges_and_gold():
    said = load("--password", "open sesame please")
    project = Project.objects.get(slug="demo")
    assert not project.is_generated
    assert "# " in project.guidelines
    assert project.guidelines_language == "en", "who reads another language is told so"
    assert Response.objects.filter(project=project).count() == 24
    spoken = LanguageVariety.objects.filter(responses__project=project).distinct()
    assert {"ar-EG", "ar-IQ", "ko-KR", "id-ID", "bn-BD", "en-US"} <= set(spoken.values_list("tag", flat=True))
    assert set(Judge.objects.values_list("rater__is_simulated", flat=True)) == {True}
    assert Rater.objects.filter(project=project, kind="judge").count() == 2
    assert GoldError.objects.filter(response__project=project).exists()
    mona = User.objects.get(email="mona@example.org")
    assert mona.check_password("open sesame please")
    assert "mona@example.org" in said
    assert "open sesame please" in said


def test_its_people_find_their_work_done_and_work_to_do():
    load()
    marking, validation = Stage.objects.filter(project__slug="demo")
    by_people = Marking.objects.filter(rater__kind="human")
    assert set(by_people.values_list("assignment__status", flat=True)) == {"submitted"}
    mona = Rater.objects.get(project__slug="demo", user__email="mona@example.org")
    given = claim_next(mona, marking)
    assert given is not None
    assert not Marking.objects.filter(rater=mona, response=given.response).exists()
    waiting = Assignment.objects.filter(stage=validation, status="reserved")
    assert waiting.exists()
    assert all(turn.rater.markings.filter(response=turn.response).exists() for turn in waiting)


def test_a_second_load_changes_nothing():
    load()
    before = User.objects.count(), Span.objects.count()
    assert "already there" in load()
    assert before == (User.objects.count(), Span.objects.count())


def test_the_password_is_made_up_and_kept_for_the_owner_alone(settings):
    load()
    path = settings.DATA_DIR / "demo-sign-ins.txt"
    password = path.read_text().rsplit(": ", 1)[1].strip()
    assert len(password) >= 12
    assert User.objects.get(email="lead@example.org").check_password(password)
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_environment_may_name_the_password(monkeypatch):
    monkeypatch.setenv("DEMO_PASSWORD", "named beforehand")
    load()
    assert User.objects.get(email="karim@example.org").check_password("named beforehand")


def test_production_gets_no_password_that_nobody_chose(settings):
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="--password"):
        load()
    assert not Project.objects.exists()


def test_a_load_that_is_interrupted_leaves_nothing(monkeypatch):
    """It is stored at once, so nobody meets half a project, and the next attempt finds nothing in its way."""

    def interrupted(project):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("demo.loading.open_stages", interrupted)
        with pytest.raises(KeyboardInterrupt):
            load()
    assert not Project.objects.exists()
    load()
    assert Assignment.objects.filter(stage__project__slug="demo").exists()
