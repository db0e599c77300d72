"""Mona puts a template into Egyptian Arabic, which makes a prompt of it."""

import pytest

from annotation.localising.checking import read_draft
from projects.anchors import sha256
from projects.creation import create_project
from projects.localising import localise
from projects.models import LanguageVariety, Localisation, Project, Prompt
from projects.problems import Invalid
from projects.validation import not_validated
from tests.annotation.localising import ASKED, EGYPTIAN, ORIGINAL, VALUES, draft, localising_stage, template_of
from tests.people import add_response, join, person, signed_in
from tests.workflow.working import put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, WorkItem
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(project):
    return template_of(project)


@pytest.fixture
def own(project, template, mona):
    """The template as Mona's item."""
    found = claim_next(mona.raters.get(), localising_stage(project))
    assert found is not None
    return found


def codes(answer) -> list[tuple[str, str, str | None]]:
    assert answer.status_code == 422
    return [(one["code"], one["field"], one["span"]) for one in answer.json()["error"]["problems"]]


# --- Which items there are ------------------------------------------------------------------------------


def test_each_template_is_an_item_in_every_language_of_those_who_work(project, template, mona, karim, rafia, salma):
    localising_stage(project)
    assert sorted(WorkItem.objects.values_list("template__key", "variety__tag")) == [("t-1", "ar-EG"), ("t-1", "bn-BD")]


def test_languages_in_which_nobody_works_are_left_out(project, template, mona, hana, nour):
    """Hana validates in Bengali and Egyptian; nobody annotates Bengali."""
    localising_stage(project)
    assert list(WorkItem.objects.values_list("variety__tag", flat=True)) == ["ar-EG"]


def test_planning_again_adds_new_templates_alone(project, template, mona):
    stage = localising_stage(project)
    template_of(project, "t-2")
    assert plan_items(stage) == 1
    assert plan_items(stage) == 0


def test_what_came_in_a_file_is_not_handed_out(project, template, mona, own):
    signed_in(mona).post(f"/tasks/{own.uuid}/release")
    prompt = Prompt.objects.create(
        project=project, key="t-1:ar-EG", text=ASKED, text_sha256=sha256(ASKED), variety=own.item.variety
    )
    Localisation.objects.create(
        template=template, variety=own.item.variety, text=EGYPTIAN, values=VALUES, prompt=prompt
    )
    karim = join(person("karim@example.org", "Karim Samir"), project, "annotator", varieties=("ar-EG",))
    assert claim_next(karim.raters.get(), own.stage) is None
    assert plan_items(own.stage) == 0


def test_each_template_is_given_to_one_speaker(project, template, mona, karim):
    stage = localising_stage(project)
    assert claim_next(mona.raters.get(), stage) is not None
    assert claim_next(karim.raters.get(), stage) is None


def test_nobody_is_given_another_language(project, template, mona, rafia):
    stage = localising_stage(project)
    assert claim_next(rafia.raters.get(), stage).item.variety.tag == "bn-BD"


def test_a_project_begun_from_the_preset_hands_its_templates_out(nour, mona):
    """From the preset to the prompt: founded, a template, planned by the lead, taken and handed in by Mona."""
    project = create_project(Project(slug="nile", name="Nile", preset="ratings"), nour)
    join(mona, project, "annotator", varieties=("ar-EG",))
    template_of(project, question=project.question_types.get(slug="formality"))
    stage = project.stages.get(kind="localising")
    signed_in(nour).post(f"/p/nile/stages/{stage.pk}/plan/")
    client = signed_in(mona)
    taken = client.post(f"/p/nile/my-work/{stage.pk}/next").headers["Location"]
    assert "Formality and politeness" in client.get(taken).content.decode()
    assert submit(client, Assignment.objects.get(), 0, draft()).status_code == 200
    assert "All done" in client.get("/p/nile/my-work/").content.decode()
    assert signed_in(nour).get("/p/nile/stages/").status_code == signed_in(nour).get("/p/nile/").status_code == 200
    assert Prompt.objects.get().question.slug == "formality"


# --- The screen -----------------------------------------------------------------------------------------


def test_the_screen_shows_the_original_with_its_placeholders(own, mona):
    page = signed_in(mona).get(f"/tasks/{own.uuid}/")
    assert '<mark class="local-place"><bdi dir="ltr">[locale_country]</bdi></mark>' in page.content.decode()
    task = page.context["task"]
    assert (task["lang"], task["dir"], task["original"]) == ("ar-EG", "rtl", ORIGINAL)
    assert task["names"] == ["locale_nationality", "locale_country"]
    assert task["draft"] == {"text": "", "values": {"locale_nationality": "", "locale_country": ""}}


# --- Handing in -----------------------------------------------------------------------------------------


def test_handing_in_makes_the_prompt(project, template, own, mona):
    answer = submit(signed_in(mona), own, 0, draft())
    assert answer.status_code == 200, answer.content
    prompt = Prompt.objects.get()
    assert (prompt.key, prompt.text, prompt.text_sha256) == ("t-1:ar-EG", ASKED, sha256(ASKED))
    assert (prompt.variety.tag, prompt.question, prompt.template) == ("ar-EG", template.question, template)
    made = Localisation.objects.get()
    assert (made.text, made.values, made.rater.user, made.prompt) == (EGYPTIAN, VALUES, mona, prompt)


def test_a_resend_makes_nothing_new(own, mona):
    client = signed_in(mona)
    key = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    assert submit(client, own, 0, draft(), submission=key).status_code == 200
    assert submit(client, own, 0, draft(), submission=key).status_code == 200
    assert Prompt.objects.count() == Localisation.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (draft(text="  "), [("required", "text", None)]),
        (
            draft(text="في عزومة في [locale_country]؟"),
            [("placeholder_missing", "text", "locale_nationality")],
        ),
        (draft(text=EGYPTIAN + " [locale_city]"), [("placeholder_unknown", "text", "locale_city")]),
        (draft(locale_country=" "), [("required", "values", "locale_country")]),
        (draft(locale_country="[locale_nationality]"), [("placeholder_in_value", "values", "locale_country")]),
        ({"text": EGYPTIAN}, [("required", "values", "locale_nationality"), ("required", "values", "locale_country")]),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_stored(own, mona, body, expected):
    assert codes(submit(signed_in(mona), own, 0, body)) == expected
    assert not Prompt.objects.exists()
    assert not Localisation.objects.exists()


def test_a_value_of_no_placeholder_is_left_out(own, mona):
    """The lead took a placeholder out of the original while she was writing."""
    assert submit(signed_in(mona), own, 0, draft(locale_city="القاهرة")).status_code == 200
    assert Localisation.objects.get().values == VALUES


def test_what_came_in_a_file_meanwhile_stays(project, template, own, mona):
    prompt = Prompt.objects.create(
        project=project, key="t-1:ar-EG", text=ASKED, text_sha256=sha256(ASKED), variety=own.item.variety
    )
    Localisation.objects.create(template=template, variety=own.item.variety, text=ASKED, prompt=prompt)
    assert codes(submit(signed_in(mona), own, 0, draft())) == [("already_localised", "template", None)]
    assert Localisation.objects.get().text == ASKED


def test_an_id_that_another_prompt_has_is_refused(project, own, mona):
    Prompt.objects.create(project=project, key="t-1:ar-EG", text="x", text_sha256=sha256("x"), variety=own.item.variety)
    assert codes(submit(signed_in(mona), own, 0, draft())) == [("prompt_there", "text", None)]
    own.refresh_from_db()
    assert own.status == "claimed"


# --- Drafts ---------------------------------------------------------------------------------------------


def test_a_draft_may_be_unfinished(own, mona):
    half = {"text": "في عزومة", "values": {"locale_country": "مصر", "locale_nationality": ""}}
    assert put_draft(signed_in(mona), own, 0, half).status_code == 200
    page = signed_in(mona).get(f"/tasks/{own.uuid}/")
    assert page.context["task"]["draft"] == half


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ([], "not_an_object"),
        ({"owner": "omar"}, "unknown_field"),
        ({"text": 1}, "not_text"),
        ({"text": "a\0"}, "unstorable"),
        ({"text": "\ud800"}, "unstorable"),
        ({"text": "x" * 10_001}, "too_long"),
        ({"values": []}, "not_an_object"),
        ({"values": {"Not a name": ""}}, "not_a_name"),
        ({"values": {"a": None, "b": ["x"]}}, "not_text"),
        ({"values": {"a": "x" * 501}}, "too_long"),
        ({"values": {f"a{n}": "" for n in range(101)}}, "too_many"),
    ],
)
def test_what_is_no_draft_is_refused(body, code):
    with pytest.raises(Invalid) as refused:
        read_draft(body)
    assert [problem.code for problem in refused.value.problems] == [code]


# --- Amending -------------------------------------------------------------------------------------------


def test_it_can_be_amended_until_the_prompt_was_asked(own, mona):
    client = signed_in(mona)
    submit(client, own, 0, draft())
    assert "Amend" in client.get(f"/tasks/{own.uuid}/").content.decode()
    client.post(f"/tasks/{own.uuid}/amend")
    assert not Prompt.objects.exists()
    assert not Localisation.objects.exists()
    own = Assignment.objects.get()
    assert own.draft.body == draft()
    again = submit(client, own, own.draft.version, draft(locale_country="المحروسة"))
    assert again.status_code == 200
    assert Prompt.objects.get().text == "في عزومة عيلة مصرية في المحروسة، تطلب طبق تاني إزاي؟"


def test_once_a_model_has_answered_it_stays(project, own, mona):
    client = signed_in(mona)
    submit(client, own, 0, draft())
    response = add_response(project, "r1", "ممكن طبق تاني؟", "ar-EG")
    type(response).objects.update(prompt=Prompt.objects.get(key="t-1:ar-EG"))
    page = client.get(f"/tasks/{own.uuid}/").content.decode()
    assert "Others have begun to work with your answer" in page
    client.post(f"/tasks/{own.uuid}/amend")
    assert Localisation.objects.get().prompt.text == ASKED
    own.refresh_from_db()
    assert own.status == "submitted"


def test_once_the_prompt_is_an_item_of_other_work_it_stays(project, own, mona):
    client = signed_in(mona)
    submit(client, own, 0, draft())
    WorkItem.objects.create(
        stage=own.stage, prompt=Prompt.objects.get(), variety=own.item.variety, position=99, slots=1, open_slots=1
    )
    client.post(f"/tasks/{own.uuid}/amend")
    assert Prompt.objects.exists()


# --- What came in a file, looked at by a native speaker ---


@pytest.fixture
def nameless(project, template, mona):
    """A localisation that came without a name, in a project that asks models validated prompts alone."""
    made = localise(template, LanguageVariety.objects.get(tag="ar-EG"), EGYPTIAN, VALUES, None)
    Project.objects.filter(pk=project.pk).update(only_validated_prompts=True)
    return made


def waiting(project) -> int:
    return Prompt.objects.filter(not_validated(), project=project).count()


def test_a_native_speaker_is_shown_what_came_and_their_name_stands_for_it(project, nameless, mona):
    stage = localising_stage(project)
    own = claim_next(mona.raters.get(), stage)
    assert waiting(project) == 1
    client = signed_in(mona)
    page = client.get(f"/tasks/{own.uuid}/")
    assert "This text came with an import" in page.content.decode()
    assert page.context["task"]["draft"] == {"text": EGYPTIAN, "values": VALUES}
    assert submit(client, own, 0, draft()).status_code == 200
    nameless.refresh_from_db()
    assert (nameless.rater, nameless.prompt.text) == (mona.raters.get(), ASKED)
    assert waiting(project) == 0
    assert plan_items(stage) == 0
    assert Localisation.objects.count() == 1


def test_changed_it_is_another_prompt_and_once_asked_its_words_stay(project, nameless, mona):
    own = claim_next(mona.raters.get(), localising_stage(project))
    client, before = signed_in(mona), nameless.prompt_id
    response = add_response(project, "r1", "ممكن طبق تاني؟", "ar-EG")
    type(response).objects.update(prompt=before)
    refused = submit(client, own, 0, draft(locale_country="المحروسة"))
    assert codes(refused)[0][0] == "asked"
    assert waiting(project) == 1
    response.delete()
    assert submit(client, own, 0, draft(locale_country="المحروسة")).status_code == 200
    [prompt] = Prompt.objects.filter(template__isnull=False)
    assert prompt.pk != before
    assert "المحروسة" in prompt.text
    assert waiting(project) == 0


def test_where_every_prompt_may_be_asked_it_is_handed_to_nobody(project, nameless, mona):
    Project.objects.filter(pk=project.pk).update(only_validated_prompts=False)
    assert not localising_stage(project).items.exists()


def test_by_a_file_nobody_validates_in_passing(project, nameless, mona):
    with pytest.raises(Invalid):
        localise(nameless.template, nameless.variety, EGYPTIAN, VALUES, mona.raters.get())
