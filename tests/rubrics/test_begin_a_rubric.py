"""Salma begins a rubric of her own, once however often she clicks; nobody else is handed it."""

import uuid

import pytest

from projects.anchors import sha256
from projects.models import LanguageVariety, Prompt
from rubrics.models import Rubric
from tests.people import join, person, signed_in
from tests.rubrics.writing import PROMPT, authoring_stage, begun_by, draft, task_of
from tests.workflow.working import put_draft
from workflow import claims, planning
from workflow.claims import claim_next
from workflow.models import Assignment, Status, WorkItem
from workflow.planning import plan_items
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project):
    return authoring_stage(project)


def variety(tag: str) -> int:
    return LanguageVariety.objects.get(tag=tag).pk


def test_my_work_offers_to_begin_and_no_next_item(stage, salma):
    page = signed_in(salma).get("/p/feasts/my-work/").content.decode()
    assert "Begin a rubric" in page
    assert f"/p/feasts/stages/{stage.pk}/begin/" in page
    assert "Take the next item" not in page


def test_salma_begins_in_one_of_her_languages(stage, salma):
    client = signed_in(salma)
    page = client.get(f"/p/feasts/stages/{stage.pk}/begin/").content.decode()
    assert "Egyptian" in page
    assert "Iraq" not in page
    assert not Assignment.objects.exists()
    answer = client.post(f"/p/feasts/stages/{stage.pk}/begin/", {"key": uuid.uuid4(), "variety": variety("ar-EG")})
    mine = Assignment.objects.get()
    assert answer.headers["Location"] == f"/tasks/{mine.uuid}/"
    assert (mine.rater.user, mine.status, mine.item.variety.tag) == (salma, Status.CLAIMED, "ar-EG")
    assert (mine.item.response, mine.item.prompt, mine.item.open_slots) == (None, None, 0)


def test_the_same_form_sent_twice_begins_one(stage, salma):
    client, form = signed_in(salma), {"key": str(uuid.uuid4()), "variety": variety("ar-EG")}
    first = client.post(f"/p/feasts/stages/{stage.pk}/begin/", form)
    second = client.post(f"/p/feasts/stages/{stage.pk}/begin/", form)
    assert first.headers["Location"] == second.headers["Location"]
    assert WorkItem.objects.count() == 1


def test_she_may_have_several_at_once(stage, salma):
    begun_by(salma, stage)
    begun_by(salma, stage)
    assert Assignment.objects.filter(status=Status.CLAIMED).count() == 2


def test_a_language_that_is_not_hers_is_refused(stage, salma):
    form = {"key": uuid.uuid4(), "variety": variety("ar-IQ")}
    answer = signed_in(salma).post(f"/p/feasts/stages/{stage.pk}/begin/", form)
    assert answer.status_code == 422
    assert not WorkItem.objects.exists()


def test_annotators_see_nothing_of_it(stage, mona):
    client = signed_in(mona)
    assert "Authoring" not in client.get("/p/feasts/my-work/").content.decode()
    assert client.get(f"/p/feasts/stages/{stage.pk}/begin/").status_code == 404
    form = {"key": uuid.uuid4(), "variety": variety("ar-EG")}
    assert client.post(f"/p/feasts/stages/{stage.pk}/begin/", form).status_code == 404
    assert client.post(f"/p/feasts/my-work/{stage.pk}/next").status_code == 404
    assert client.get("/p/feasts/rubrics/").status_code == 404


def test_an_author_who_is_one_no_more_loses_her_rubrics(stage, salma, project):
    mine, client = begun_by(salma, stage), signed_in(salma)
    assert client.get(f"/tasks/{mine.uuid}/").status_code == 200
    salma.memberships.update(role="annotator")
    assert client.get(f"/tasks/{mine.uuid}/").status_code == 404
    assert put_draft(client, mine, 0, draft()).status_code == 404


def test_what_she_begins_is_nobody_elses_even_when_its_time_runs_out(stage, salma, zaid, nour):
    mine = begun_by(salma, stage)
    Assignment.objects.update(lease_expires_at="2020-01-01T00:00Z")
    claims.sweep_expired_leases()
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 1  # open again, but for Salma alone
    assert claim_next(zaid.raters.get(), stage) is None
    assert claim_next(salma.raters.get(), stage) == mine


def test_a_lead_cannot_hand_what_she_began_to_another(stage, salma, zaid, nour):
    mine, lead = begun_by(salma, stage), signed_in(nour)
    assert "Give to" not in lead.get(f"/p/feasts/stages/{stage.pk}/items/").content.decode()
    form = {"rater": zaid.raters.get().pseudonym}
    page = lead.post(f"/p/feasts/assignments/{mine.uuid}/reassign/", form, follow=True).content.decode()
    assert "not given to others" in page
    assert Assignment.objects.get().rater.user == salma


def test_she_does_not_give_back_what_nobody_could_take(stage, salma):
    mine, client = begun_by(salma, stage), signed_in(salma)
    assert "Give back" not in client.get("/p/feasts/my-work/").content.decode()
    client.post(f"/tasks/{mine.uuid}/release")
    mine.refresh_from_db()
    assert mine.status == Status.CLAIMED


def test_more_raters_an_item_means_none_for_what_she_began(stage, salma):
    mine = begun_by(salma, stage)
    planning.change_overlap(stage, 3)
    mine.item.refresh_from_db()
    assert (mine.item.slots, mine.item.open_slots) == (1, 0)


def test_a_closed_stage_takes_no_new_rubric(stage, salma):
    stage.is_open = False
    stage.save()
    with pytest.raises(Refused, match="closed"):
        begun_by(salma, stage)
    form = {"key": uuid.uuid4(), "variety": variety("ar-EG")}
    page = signed_in(salma).post(f"/p/feasts/stages/{stage.pk}/begin/", form, follow=True).content.decode()
    assert "This stage is closed for now" in page


def test_a_lead_begins_one_too(stage, salma, nour):
    client = signed_in(nour)
    form = {"key": uuid.uuid4(), "variety": variety("ar-EG")}
    answer = client.post(f"/p/feasts/stages/{stage.pk}/begin/", form)
    mine = Assignment.objects.get()
    assert mine.rater.user == nour
    assert client.get(answer.headers["Location"]).status_code == 200
    assert put_draft(client, mine, 0, draft()).status_code == 200


def test_the_screen_is_told_what_it_needs(stage, salma):
    mine, client = begun_by(salma, stage), signed_in(salma)
    task = task_of(client, mine)
    assert task["draft"] == {"scope": "", "prompt": "", "gold_answer": "", "criteria": [], "accepted": []}
    assert (task["lang"], task["dir"], task["version"], task["rubric_version"]) == ("ar-EG", "rtl", 0, 1)
    assert task["bands"][0] == {"slug": "core-term", "label": "Core term identification", "lowest": 8, "highest": 10}
    assert [scope["value"] for scope in task["scopes"]] == ["cultural", "linguistics"]
    assert task["settings"] == {"needs_difficulty_check": True, "needs_review": False}
    assert (task["difficulty"], task["checks"], task["asker"], task["review"]) == (None, [], None, None)
    assert task["urls"]["draft"] == f"/tasks/{mine.uuid}/draft"
    assert task["urls"]["lint"] == f"/tasks/{mine.uuid}/lint"
    assert {reason["value"] for reason in task["skip_reasons"]} >= {"too_easy", "other"}


# --- Prompts that were imported without a rubric ----------------------------------------------------------


def imported(project, text: str = PROMPT, key: str = "imported-1") -> Prompt:
    tag = LanguageVariety.objects.get(tag="ar-EG")
    return Prompt.objects.create(project=project, key=key, text=text, text_sha256=sha256(text), variety=tag)


def test_an_imported_prompt_is_taken_up_with_its_text(stage, salma, project):
    prompt = imported(project)
    assert plan_items(stage) == 1
    assert plan_items(stage) == 0
    client = signed_in(salma)
    page = client.get(f"/p/feasts/stages/{stage.pk}/begin/").content.decode()
    assert "1 imported prompt in your languages has no rubric yet" in page
    answer = client.post(f"/p/feasts/stages/{stage.pk}/take-up/")
    mine = Assignment.objects.get()
    assert answer.headers["Location"] == f"/tasks/{mine.uuid}/"
    assert mine.item.prompt == prompt
    assert task_of(client, mine)["draft"]["prompt"] == PROMPT


def test_it_is_taken_up_though_others_are_begun(stage, salma, project):
    begun_by(salma, stage)
    imported(project)
    plan_items(stage)
    signed_in(salma).post(f"/p/feasts/stages/{stage.pk}/take-up/")
    assert Assignment.objects.filter(item__prompt__key="imported-1").exists()


def test_one_author_takes_up_a_prompt(stage, salma, zaid, project):
    imported(project)
    plan_items(stage)
    signed_in(salma).post(f"/p/feasts/stages/{stage.pk}/take-up/")
    page = signed_in(zaid).post(f"/p/feasts/stages/{stage.pk}/take-up/", follow=True).content.decode()
    assert "No imported prompt is waiting for you" in page
    assert Assignment.objects.count() == 1


def test_annotators_cannot_take_up_a_prompt(stage, mona, project):
    imported(project)
    plan_items(stage)
    client = signed_in(mona)
    assert client.post(f"/p/feasts/stages/{stage.pk}/take-up/").status_code == 404
    assert client.post(f"/p/feasts/my-work/{stage.pk}/next").status_code == 404
    assert not Assignment.objects.exists()


def test_who_has_had_a_response_to_a_prompt_writes_no_rubric_for_it(stage, project, koshari):
    """The rubric comes before the responses: whoever marked one has seen it."""
    both = join(person("both@example.org", "Both"), project, "annotator", "author", varieties=("ar-EG",))
    marking = stage.__class__.objects.create(project=project, kind="spans", name="Marking")
    plan_items(marking)
    plan_items(stage)
    assert claim_next(both.raters.get(), marking) is not None
    assert claim_next(both.raters.get(), stage) is None


def test_a_prompt_with_a_rubric_is_not_planned_again(stage, salma, project):
    prompt = imported(project)
    Rubric.objects.create(
        project=project, prompt=prompt, author=salma.raters.get(), scope="cultural", gold_answer="Rice."
    )
    assert plan_items(stage) == 0


# --- Titles -----------------------------------------------------------------------------------------------


def test_lists_call_a_rubric_by_the_first_words_of_its_prompt(stage, salma, nour):
    mine, client = begun_by(salma, stage), signed_in(salma)
    assert "A rubric without a prompt yet" in client.get("/p/feasts/my-work/").content.decode()
    put_draft(client, mine, 0, draft(prompt="واحد اتنين تلاتة أربعة خمسة ستة سبعة تمنية تسعة عشرة"))
    shown = "واحد اتنين تلاتة أربعة خمسة ستة سبعة تمنية…"
    assert shown in client.get("/p/feasts/my-work/").content.decode()
    assert shown in signed_in(nour).get(f"/p/feasts/stages/{stage.pk}/items/").content.decode()


def test_titles_cost_no_query_per_row(stage, salma, nour, django_assert_num_queries, django_assert_max_num_queries):
    client, lead = signed_in(salma), signed_in(nour)
    put_draft(client, begun_by(salma, stage), 0, draft())
    pages = [(client, "/p/feasts/my-work/"), (lead, f"/p/feasts/stages/{stage.pk}/items/")]
    counted = []
    for who, address in pages:
        with django_assert_max_num_queries(60) as queries:
            who.get(address)
        counted.append(len(queries))
    for _number in range(5):
        put_draft(client, begun_by(salma, stage), 0, draft())
    for (who, address), count in zip(pages, counted, strict=True):
        with django_assert_num_queries(count):
            who.get(address)
