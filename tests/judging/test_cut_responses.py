"""Nour has every response cut after so many words; the responses stay, and people are given the cut texts."""

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Marking
from annotation.spans.task import SpansTaskType
from jobs.models import Job, JobState
from jobs.working import work_on
from judging.collecting.endpoints import add_by_hand
from judging.collecting.planning import plan
from judging.deriving import cutting
from judging.deriving.steps import add_cut, take
from judging.engine.choice import Choice
from projects.anchors import on_grapheme_boundary, sha256
from projects.derived import Made, cut, originals_of, steps_of, store, taken, to_change
from projects.differences import MOST_COMPARED, differences, laid_side_by_side
from projects.models import AuditEvent, Derivation, Laboratory, LanguageVariety, Response, TargetModel
from projects.problems import Invalid
from reports.dashboard.dashboards import as_json
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.project_contents import derived_texts
from reports.frames import texts
from reports.spans.card import SPAN_GOLD
from reports.spans.dashboard import SPANS
from tests.judging.collecting import add_prompt
from tests.people import signed_in
from tests.reports.test_a_project_moves_whole import archived, brought_in
from workflow.models import Stage

ARABIC = "الكشري أكلة مصرية.\nنعمله من الرز والعدس والمكرونة."


def write(project, key: str, text: str, tag: str = "ar-EG") -> Response:
    model = TargetModel.objects.get_or_create(
        name="atlas-1", defaults={"laboratory": Laboratory.objects.get_or_create(slug="atlas", name="Atlas")[0]}
    )[0]
    prompt = project.prompts.filter(key=f"p-{key}").first() or add_prompt(project, f"p-{key}", "سؤال", tag)
    told = {"variety": LanguageVariety.objects.get(tag=tag), "target_model": model}
    return Response.objects.create(project=project, prompt=prompt, key=key, text=text, text_sha256=sha256(text), **told)


@pytest.fixture
def koshari_text(project) -> Response:
    return write(project, "koshari", ARABIC)


# --- What a cut leaves ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "change", "limit", "left"),
    [
        ("one two  three", "words", 2, "one two"),
        ("one two", "words", 2, "one two"),
        (ARABIC, "words", 4, "الكشري أكلة مصرية.\nنعمله"),
        ("👩‍👩‍👧‍👦 family", "characters", 1, "👩‍👩‍👧‍👦"),  # seven code points, one character
        ("e\u0301tude", "characters", 1, "e\u0301"),
        ("مُحَمَّد", "characters", 2, "مُحَ"),
        ("short", "characters", 5, "short"),
    ],
)
def test_a_cut_ends_with_a_whole_word_or_character(text, change, limit, left):
    assert cut(text, change, limit) == left


def test_where_words_have_no_spaces_they_are_cut_at_their_boundaries():
    assert cut("日本語です", "words", 2, "uax29") == "日本"


@given(st.text(), st.integers(1, 20), st.sampled_from(["words", "characters"]))
def test_what_is_left_is_the_beginning_on_a_boundary(text, limit, change):
    left = cut(text, change, limit)
    assert text.startswith(left)
    assert change == "words" or on_grapheme_boundary(text, len(left))


# --- Where two texts differ -----------------------------------------------------------------------------


def test_differences_are_the_words_that_were_changed():
    first, second = "He go to the the market", "He goes to the market."
    parts = laid_side_by_side(first, second, differences(first, second))
    changed = [(part.before, part.after) for part in parts if not part.same]
    assert changed[0] == ("go", "goes")
    assert changed[-1][0].endswith("market")
    assert changed[-1][1].endswith("market.")
    assert len(changed) <= 3


@given(st.text(alphabet="ab \nم"), st.text(alphabet="ab \nم"))
def test_both_texts_are_put_together_again_from_their_pieces(first, second):
    parts = list(laid_side_by_side(first, second, differences(first, second)))
    assert "".join(part.same or part.before for part in parts) == first
    assert "".join(part.same or part.after for part in parts) == second


def test_texts_that_differ_in_too_many_words_are_one_edit():
    first = "same " + " ".join(f"a{n}" for n in range(4000)) + " end"
    second = "same " + " ".join(f"b{n}" for n in range(4000)) + " end"
    assert MOST_COMPARED < 8000 * 8000
    assert differences(first, second) == [(5, len(first) - 4, 5, len(second) - 4)]


# --- A step ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_new_text_keeps_its_source_the_rule_and_the_difference(project, koshari_text):
    step = add_cut(project, "words", 3)
    assert cutting.begin(step) is None
    made = Derivation.objects.get()
    assert made.response.text == "الكشري أكلة مصرية."
    assert (made.source, made.original, made.rater) == (koshari_text, koshari_text, None)
    assert made.edits == [[18, len(ARABIC), 18, 18]]
    assert made.response.metadata == {"derived": {"step": "3-words", "from": "koshari", "words": 3}}
    assert made.response.key == "koshari~3-words"
    assert (made.response.prompt, made.response.target_model) == (koshari_text.prompt, koshari_text.target_model)
    koshari_text.refresh_from_db()
    assert koshari_text.text == ARABIC


@pytest.mark.django_db
def test_what_is_short_already_is_left_and_that_is_kept(project, koshari_text):
    step = add_cut(project, "words", 100)
    cutting.begin(step)
    assert Derivation.objects.get().response is None
    assert list(taken(project.responses.all())) == [koshari_text]
    row = steps_of(project).get()
    assert (row.made, row.same) == (0, 1)
    assert not to_change(step).exists()


@pytest.mark.django_db
def test_the_same_cut_again_makes_nothing_and_takes_what_came_since(project, koshari_text):
    cutting.begin(add_cut(project, "words", 3))
    cutting.begin(add_cut(project, "words", 3))
    assert Derivation.objects.count() == 1
    write(project, "later", ARABIC)
    cutting.begin(add_cut(project, "words", 3))
    assert Derivation.objects.count() == 2
    assert Response.objects.count() == 4


@pytest.mark.django_db
def test_people_and_judges_are_given_the_cut_text_unless_it_is_not_taken(project, koshari_text):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", position=9)
    step = add_cut(project, "words", 3)
    cutting.begin(step)
    given = [SpansTaskType().responses(stage), Choice().responses(project)]
    assert [[each.key for each in some] for some in given] == [["koshari~3-words"]] * 2
    assert take(step, False)
    assert not take(step, False)
    given = [SpansTaskType().responses(stage), Choice().responses(project)]
    assert [[each.key for each in some] for some in given] == [["koshari"]] * 2


@pytest.mark.django_db
def test_a_cut_of_a_cut_goes_back_to_the_response_and_the_newest_taken_counts(project, koshari_text):
    first, second = add_cut(project, "words", 5), add_cut(project, "words", 2)
    cutting.begin(first)
    cutting.begin(second)
    made = Derivation.objects.get(step=second)
    assert (made.source.key, made.original) == ("koshari~5-words", koshari_text)
    assert [each.key for each in taken(project.responses.all())] == ["koshari~5-words~2-words"]
    assert not to_change(first).exists()  # its own text is not given to it again, whoever changed it since
    take(second, False)
    assert [each.key for each in taken(project.responses.all())] == ["koshari~5-words"]
    take(first, False)
    assert [each.key for each in taken(project.responses.all())] == ["koshari"]
    assert originals_of([made.response_id]) == {made.response_id: koshari_text.pk}


@pytest.mark.django_db
def test_a_cut_text_is_no_response_that_was_collected(project, koshari_text):
    """Whether a prompt has its response does not depend on what was made of it."""
    endpoint = add_by_hand(project, "atlas-1", laboratory=Laboratory.objects.get(slug="atlas"), replicates=2)
    before = plan(endpoint)
    cutting.begin(add_cut(project, "words", 3))
    after = plan(endpoint)
    assert (before.answered, before.size) == (after.answered, after.size)


@pytest.mark.django_db
def test_a_cut_that_would_leave_nothing_but_space_is_none(project):
    write(project, "spaced", "   \n  word")
    cutting.begin(add_cut(project, "characters", 2))
    assert Derivation.objects.get().response is None


@pytest.mark.django_db
def test_many_are_cut_by_a_worker_and_a_killed_one_goes_on(project, nour, monkeypatch):
    monkeypatch.setattr(cutting, "FEW_RESPONSES", 2)
    monkeypatch.setattr(cutting, "AT_ONCE", 2)
    for number in range(5):
        write(project, f"r-{number}", ARABIC)
    step = add_cut(project, "characters", 6)
    job = cutting.begin(step, nour)

    def killed(done: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cutting.cut_all(step, on_part=killed)
    assert Derivation.objects.count() == 2
    assert cutting.begin(step, nour) == job  # asked twice, done once
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"texts": 3})
    assert Derivation.objects.count() == 5
    assert Job.objects.filter(kind=cutting.CUTTING).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("change", "limit"), [("words", 0), ("words", -1), ("words", 10**9), ("model", 3), ("", 3)])
def test_a_cut_that_is_none_is_refused(project, change, limit):
    with pytest.raises(Invalid):
        add_cut(project, change, limit)
    assert not project.derivation_steps.exists()


@pytest.mark.django_db
def test_the_database_keeps_how_a_text_was_made(project, other_project, koshari_text):
    cutting.begin(add_cut(project, "words", 3))
    made = Derivation.objects.get()
    for change in ({"edits": []}, {"source": made.response}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Derivation.objects.filter(pk=made.pk).update(**change)
    elsewhere = write(other_project, "elsewhere", ARABIC)
    with pytest.raises(IntegrityError), transaction.atomic():
        store(add_cut(project, "words", 2), [Made(elsewhere, "الكشري")])


# --- What figures and files say -------------------------------------------------------------------------


@pytest.mark.django_db
def test_recipes_cards_and_tables_say_which_texts_were_made(project, koshari_text, mona):
    step = add_cut(project, "words", 3)
    cutting.begin(step)
    made = Derivation.objects.get().response
    assert derived_texts(project, revisions(project)) == {}  # nobody has answered about it
    rater = mona.raters.get(project=project)
    Marking.objects.create(response=made, rater=rater, round=1, no_errors=True, is_complete=True)
    assert derived_texts(project, revisions(project)) == {"3-words": 1}
    tables = as_json(project, SPANS.tables(project))["tables"]
    said = {table["id"]: table["recipe"]["extras"].get("texts made from responses, by step") for table in tables}
    assert said.pop("progress", None) is None  # it is of work and not of answers
    assert list(said.values()) == [{"3-words": 1}] * len(said) != []
    rows = texts(project.slug).set_index("response_key")
    assert rows.loc[made.key, ["derived_from", "step"]].tolist() == ["koshari", "3-words"]
    assert rows.loc["koshari", ["derived_from", "step"]].isna().all()
    assert "Steps made new texts from responses: 3-words (1)." in SPAN_GOLD.made(project, SPAN_GOLD.summarise(project))


@pytest.mark.django_db
def test_an_archive_takes_steps_and_sources_along(project, koshari_text, nour):
    cutting.begin(add_cut(project, "words", 3))
    again = brought_in(archived(project), "feasts-again", nour)
    made = Derivation.objects.get(step__project=again)
    assert (made.source.key, made.response.key) == ("koshari", "koshari~3-words")
    assert made.edits == [[18, len(ARABIC), 18, 18]]
    assert made.response.project == again


# --- Pages and programs ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_nour_cuts_on_the_page_and_sees_what_was_taken_out(project, koshari_text, nour, django_assert_max_num_queries):
    lead = signed_in(nour)
    page = f"/p/{project.slug}/derived/"
    assert "No derived texts yet" in lead.get(page).content.decode()
    answer = lead.post(page, {"change": "words", "limit": "3"}, follow=True)
    assert "koshari~3-words" in answer.content.decode()
    text = lead.get(f"{page}texts/{Derivation.objects.get().response.uuid}/").content.decode()
    assert 'lang="ar-EG" dir="rtl"' in text
    assert "<del>" in text
    assert "نعمله" in text
    assert AuditEvent.objects.filter(action="derivation.added").count() == 1
    step = Derivation.objects.get().step
    for act, is_taken in (("leave", False), ("take", True), ("nonsense", True), ("apply", True)):
        lead.post(f"{page}{step.pk}/", {"act": act})
        step.refresh_from_db()
        assert step.is_taken is is_taken
    for number in range(6):
        write(project, f"r-{number}", ARABIC)
    lead.post(page, {"change": "words", "limit": "3"})
    with django_assert_max_num_queries(20):
        lead.get(f"{page}{step.pk}/")


@pytest.mark.django_db
@pytest.mark.parametrize("limit", ["", "0", "-3", "many", "9" * 30])
def test_a_wrong_number_is_said_beside_the_field(project, nour, limit):
    answer = signed_in(nour).post(f"/p/{project.slug}/derived/", {"change": "words", "limit": limit})
    assert answer.status_code == 422
    assert not project.derivation_steps.exists()


@pytest.mark.django_db
def test_text_in_a_difference_is_text(project, nour):
    write(project, "markup", "<script>alert(1)</script> and & more <b>words</b>")
    cutting.begin(add_cut(project, "words", 2))
    made = Derivation.objects.get()
    page = signed_in(nour).get(f"/p/{project.slug}/derived/texts/{made.response.uuid}/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; and" in page


@pytest.mark.django_db
def test_a_step_of_another_project_is_not_there(project, other_project, nour):
    step = add_cut(other_project, "words", 3)
    assert signed_in(nour).get(f"/p/{project.slug}/derived/{step.pk}/").status_code == 404


@pytest.mark.django_db
def test_a_program_cuts_takes_and_reads_the_differences(project, koshari_text, nour):
    client = signed_in(nour)
    steps = f"/api/v1/projects/{project.slug}/derivation-steps/"
    answer = client.post(steps, {"change": "words", "limit": 3}, content_type="application/json")
    assert (answer.status_code, answer.json()["made"]) == (200, 1)
    assert client.get(steps).json()["results"][0]["name"] == "3-words"
    one = f"{steps}{answer.json()['id']}/"
    answer = client.patch(one, {"is_taken": False, "name": "other"}, content_type="application/json")
    assert (answer.json()["is_taken"], answer.json()["name"]) == (False, "3-words")
    [row] = client.get(f"/api/v1/projects/{project.slug}/derivations/").json()["results"]
    assert (row["response"], row["derived_from"], row["step"]) == ("koshari~3-words", "koshari", "3-words")
    assert row["edits"] == [[18, len(ARABIC), 18, 18]]
    refused = client.post(steps, {"change": "model", "limit": 3}, content_type="application/json")
    assert refused.status_code == 400
