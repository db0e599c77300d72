"""Prompts carry notes about what may be hard to read; Mona is not handed what she does not want, and nobody is told."""

import io
import json
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from formats.exporting_prompts import lines
from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.project_file.describing import described
from formats.reading import Source
from projects.anchors import sha256
from projects.models import AuditEvent, ContentNote, ContentNoteSet, Prompt, Response, ResponsePair
from projects.problems import Invalid
from tests.people import join, person, signed_in
from tests.workflow.working import body, post_json, put_draft, submit
from workflow import claims
from workflow.claims import claim_another, claim_next, open_items
from workflow.content_notes import sets_for
from workflow.models import Assignment, OwnLimits, Stage, Status, WorkItem
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db
NOTES = [
    {"slug": "violence", "name": "Violence", "names": {"ar": "عنف", "bn": "সহিংসতা"}},
    {"slug": "slurs", "name": "Slurs"},
]
CHOICE = "/p/feasts/my-work/notes/"


def line(number: int, notes: object = None, **more) -> dict:
    said = {
        "id": f"r-{number}",
        "prompt_id": f"p-{number}",
        "prompt": f"سؤال {number}",
        "variety": "ar-EG",
        "model": "Nile-7B",
        "laboratory": "delta-lab",
        "response": f"إجابة صعبة {number} 👩‍👧",
        **more,
    }
    return said if notes is None else {**said, "content_notes": notes}


def imported(project, *records, kind="items"):
    content = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records).encode()
    return run_import(project, Source(io.BytesIO(content)), kind, "jsonl")


@pytest.fixture
def noted(project):
    for position, note in enumerate(NOTES):
        ContentNote.objects.create(project=project, position=position, **note)
    return project


@pytest.fixture
def stage(noted):
    """Twelve items: four without notes, four with violence, four with both."""
    records = [line(n) for n in range(4)] + [line(n, ["violence"]) for n in range(4, 8)]
    outcome = imported(noted, *records, *(line(n, "slurs, violence") for n in range(8, 12)))
    assert outcome.is_stored, outcome.problems
    noted.refresh_from_db()
    stage = Stage.objects.create(project=noted, kind="spans", name="Marking")
    plan_items(stage)
    return stage


def taken(user, stage) -> list[set[str]]:
    """The notes of all that somebody is handed until nothing comes."""
    rater, client, found = user.raters.get(), signed_in(user), []
    sets = {each.number: set(each.notes) for each in ContentNoteSet.objects.all()}
    while turn := claim_next(rater, stage):
        found.append(sets.get(turn.item.note_set, set()))
        assert submit(client, turn, 0, body(no_errors=True)).status_code == 200
    return found


# --- At import ------------------------------------------------------------------------------------------


def test_prompts_hold_their_notes_and_so_do_their_items(stage):
    sets = list(ContentNoteSet.objects.values_list("number", "slugs"))
    assert sets == [(1, "violence"), (2, "slurs violence")]
    assert sorted(Prompt.objects.values_list("note_set", flat=True)) == [0] * 4 + [1] * 4 + [2] * 4
    assert sorted(stage.items.values_list("note_set", flat=True)) == [0] * 4 + [1] * 4 + [2] * 4


def test_a_note_that_the_project_does_not_have_is_refused_with_its_line(noted):
    outcome = imported(noted, line(1), line(2, ["gore"]))
    assert [(each.line, each.field, each.code) for each in outcome.problems] == [(2, "content_notes", "unknown_note")]
    assert not Prompt.objects.exists()


@pytest.mark.parametrize(
    "odd", [7, {"a": 1}, ["violence", 3], ["x" * 61], ["two words"], ["عنف 👩"], ["violence"] * 21]
)
def test_what_is_no_list_of_short_names_is_refused(noted, odd):
    outcome = imported(noted, line(1, odd))
    assert [each.field for each in outcome.problems] == ["content_notes"]
    assert not ContentNoteSet.objects.exists()


def test_a_line_that_says_nothing_of_notes_leaves_them_and_other_notes_are_refused(stage, noted):
    again = [line(4) | {"id": "other", "response": "أخرى"}]
    assert imported(noted, *again).is_stored
    assert Prompt.objects.get(key="p-4").note_set == 1
    other = imported(noted, line(5, ["slurs"]) | {"id": "another"})
    assert [each.code for each in other.problems] == ["prompt_differs"]
    same = imported(noted, line(9, ["violence", "slurs", "slurs"]) | {"id": "third"})
    assert same.is_stored, same.problems
    assert ContentNoteSet.objects.count() == 2


def test_prompts_leave_with_their_notes(stage):
    rows = [json.loads(each) for each in lines(stage.project)]
    assert {tuple(row.get("content_notes", ())) for row in rows} == {(), ("violence",), ("slurs", "violence")}


def test_the_project_file_says_them_and_keeps_those_that_prompts_carry(stage, nour):
    project = stage.project
    said = described(project)
    assert said["content_notes"] == NOTES
    with pytest.raises(Invalid) as refused:
        apply_file(project, json.dumps(said | {"content_notes": NOTES[1:]}).encode(), nour)
    assert [(each.field, each.code) for each in refused.value.problems] == [("content_notes", "in_use")]
    renamed = [NOTES[0] | {"name": "Violence and death"}, NOTES[1]]
    apply_file(project, json.dumps(said | {"content_notes": renamed}).encode(), nour)
    assert ContentNote.objects.get(slug="violence").name == "Violence and death"


# --- At claiming ----------------------------------------------------------------------------------------


def test_without_a_choice_all_of_it_comes_in_the_order_of_the_queue(stage, mona):
    rater = mona.raters.get()
    order = list(stage.items.order_by("position").values_list("pk", flat=True))
    got = []
    while turn := claim_next(rater, stage):
        got.append(turn.item_id)
        submit(signed_in(mona), turn, 0, body(no_errors=True))
    assert got == order


def test_what_she_does_not_want_is_not_handed_out(stage, mona, karim):
    client = signed_in(mona)
    assert client.post(CHOICE, {"unwanted": ["violence"]}).status_code == 302
    assert client.get("/p/feasts/my-work/").context["stages"][0].total == 4
    assert taken(mona, stage) == [set()] * 4
    assert len(taken(karim, stage)) == 12
    assert client.post(CHOICE, {}).status_code == 302
    assert len(taken(mona, stage)) == 8


def test_what_is_begun_stays_and_what_was_given_back_does_not_come_again(stage, mona):
    rater = mona.raters.get()
    begun = next(t for t in iter(lambda: claim_another(rater, stage), None) if t.item.note_set)
    OwnLimits.objects.create(rater=rater, unwanted_notes=["violence", "slurs"])
    assert claim_next(rater, stage).pk in set(Assignment.objects.values_list("pk", flat=True))
    Assignment.objects.filter(pk=begun.pk).update(status=Status.RELEASED, lease_expires_at=None)
    WorkItem.objects.filter(pk=begun.item_id).update(open_slots=2)
    assert all(not notes for notes in taken(mona, stage))


def test_a_check_with_notes_is_not_given_to_who_does_not_want_them(stage, mona, monkeypatch):
    rater = mona.raters.get()
    hard = stage.items.filter(note_set=1).first()
    monkeypatch.setattr(claims, "due_check", lambda rater, stage: hard)
    OwnLimits.objects.create(rater=rater, unwanted_notes=["violence"])
    assert claim_next(rater, stage).item.note_set == 0


def test_the_choice_is_ones_own(stage, mona, nour, rafia):
    assert signed_in(mona).post(CHOICE, {"unwanted": ["no-such-note"]}).status_code == 422
    assert signed_in(nour).get(CHOICE).status_code == 404
    assert signed_in(rafia).post(CHOICE, {"unwanted": ["slurs"]}).status_code == 302
    assert [row.rater for row in OwnLimits.objects.all()] == [rafia.raters.get()]


def test_in_a_project_without_notes_the_page_says_so_and_claims_ask_nothing(project, mona, django_assert_num_queries):
    assert "carry none" in signed_in(mona).get(CHOICE).content.decode()
    rater = mona.raters.get()
    with django_assert_num_queries(0):
        assert sets_for(rater, project) == [0]


# --- What the lead sees ---------------------------------------------------------------------------------


def test_the_lead_sees_cells_of_five_and_what_nobody_takes(stage, mona, karim, nour):
    page = signed_in(nour).get("/p/feasts/stages/")
    before = page.context["cells"]
    assert [label for label, *_ in before] == ["Violence", "Slurs"]
    assert all(lowest % 5 == 0 and highest == lowest + 4 for _label, lowest, highest in before)
    assert [nobody for _progress, nobody, _outlook in page.context["stages"]] == [0]
    for user in (mona, karim):
        OwnLimits.objects.create(rater=user.raters.get(), unwanted_notes=["slurs"])
    # Whoever else works in Egyptian Arabic takes none of it either.
    others = [r for r in stage.project.raters.filter(varieties__tag="ar-EG") if not hasattr(r, "own_limits")]
    OwnLimits.objects.bulk_create(OwnLimits(rater=rater, unwanted_notes=["slurs"]) for rater in others)
    page = signed_in(nour).get("/p/feasts/stages/")
    assert [nobody for _progress, nobody, _outlook in page.context["stages"]] == [4]
    assert "nobody who works in their language takes" in page.content.decode()


def test_the_page_of_stages_costs_the_same_for_many_people(stage, nour, django_assert_num_queries):
    client = signed_in(nour)
    client.get("/p/feasts/stages/")
    with CaptureQueriesContext(connection) as few:
        client.get("/p/feasts/stages/")
    for number in range(6):
        new = join(
            person(f"new{number}@example.org", f"New {number}"), stage.project, "annotator", varieties=("ar-EG",)
        )
        OwnLimits.objects.create(rater=new.raters.get(), unwanted_notes=["slurs"])
    with django_assert_num_queries(len(few)):
        client.get("/p/feasts/stages/")


# --- The veil -------------------------------------------------------------------------------------------


@pytest.fixture
def hard(stage, mona) -> Assignment:
    stage.items.filter(note_set__lt=2).update(open_slots=0)
    turn = claim_next(mona.raters.get(), stage)
    assert turn is not None
    return turn


def test_a_text_with_notes_is_sent_when_it_is_asked_for(hard, mona):
    client = signed_in(mona)
    page = client.get(f"/tasks/{hard.uuid}/").content.decode()
    assert "Violence" in page
    assert "Slurs" in page
    assert "إجابة" not in page
    assert "سؤال" not in client.get("/p/feasts/my-work/").content.decode()
    assert "إجابة" in client.get(f"/tasks/{hard.uuid}/?shown=1").content.decode()
    arabic = client.get(f"/tasks/{hard.uuid}/", headers={"accept-language": "ar"}).content.decode()
    assert "عنف" in arabic
    assert "Slurs" in arabic  # which has no name in Arabic


def test_what_is_begun_or_handed_in_stands_behind_no_veil(hard, mona):
    client = signed_in(mona)
    put_draft(client, hard, 0, body(no_errors=True))
    assert "إجابة" in client.get(f"/tasks/{hard.uuid}/").content.decode()
    submit(client, hard, 1, body(no_errors=True))
    assert "إجابة" in client.get(f"/tasks/{hard.uuid}/").content.decode()


def test_left_unread_it_goes_to_someone_else_without_a_trace(hard, mona, karim, nour):
    client = signed_in(mona)
    went = client.post(f"/tasks/{hard.uuid}/pass")
    hard.refresh_from_db()
    assert (hard.status, hard.item.open_slots) == (Status.RELEASED, 2)
    assert went.headers["Location"] != f"/tasks/{hard.uuid}/"
    assert hard.item_id not in {turn.item_id for turn in iter(lambda: again(mona, hard.stage), None)}
    listed = signed_in(nour).get(f"/p/feasts/stages/{hard.stage_id}/items/").content.decode()
    assert "Given back</span>" not in listed
    signed_in(mona).post(f"/tasks/{hard.uuid}/pass")  # twice is once
    hard.refresh_from_db()
    assert (hard.status, hard.skip_reason) == (Status.RELEASED, "unread")
    assert signed_in(karim).post(f"/tasks/{hard.uuid}/pass").status_code == 404
    assert post_json(client, hard, "draft").status_code in (404, 405)


def again(user, stage):
    turn = claim_next(user.raters.get(), stage)
    if turn is not None:
        Assignment.objects.filter(pk=turn.pk).update(status=Status.SKIPPED, lease_expires_at=None)
    return turn


def test_the_queue_of_another_set_is_another_queue(stage, mona):
    rater = mona.raters.get()
    variety = stage.items.first().variety
    for number in (0, 1, 2):
        [first] = open_items("spans", rater, stage, variety, None, number)
        assert first.note_set == number


# --- Other notes for prompts that are there -------------------------------------------------------------


def prompt_line(number: int, notes: object = None, **more) -> dict:
    said = {"prompt_id": f"p-{number}", "prompt": f"سؤال {number}", "variety": "ar-EG", **more}
    return said if notes is None else {**said, "content_notes": notes}


def test_a_file_of_prompts_gives_other_notes_and_the_next_claim_heeds_them(stage, mona, nour):
    OwnLimits.objects.create(rater=mona.raters.get(), unwanted_notes=["slurs"])
    outcome = imported(stage.project, prompt_line(0, ["slurs"]), prompt_line(4, []), prompt_line(8), kind="prompts")
    assert outcome.is_stored, outcome.problems
    assert +Counter(outcome.counts) == {"prompts noted": 2}
    sets = dict(ContentNoteSet.objects.values_list("slugs", "number"))
    assert set(sets) == {"violence", "slurs violence", "slurs"}
    held = dict(stage.items.values_list("response__prompt__key", "note_set"))
    assert (held["p-0"], held["p-4"], held["p-8"]) == (sets["slurs"], 0, sets["slurs violence"])
    got = taken(mona, stage)
    assert len(got) == 7, "of twelve, four with both and the one that was given slurs are left"
    assert not any("slurs" in notes for notes in got)


def test_other_notes_are_on_record_with_those_before(stage):
    imported(stage.project, prompt_line(4, ["slurs"]), prompt_line(5, ["slurs"]), kind="prompts")
    event = AuditEvent.objects.get(action="prompts.noted")
    assert event.detail == {"before": ["violence"], "after": ["slurs"], "prompts": ["p-4", "p-5"]}
    again = imported(stage.project, prompt_line(4, ["slurs"]), prompt_line(5, ["slurs"]), kind="prompts")
    assert again.counts.get("prompts noted", 0) == 0
    assert AuditEvent.objects.filter(action="prompts.noted").count() == 1


def test_what_she_has_begun_stays_hers_and_behind_the_page(stage, mona):
    turn = claim_next(mona.raters.get(), stage)
    number = int(turn.item.response.prompt.key.removeprefix("p-"))
    imported(stage.project, prompt_line(number, ["slurs"]), kind="prompts")
    page = signed_in(mona).get(f"/tasks/{turn.uuid}/").content.decode()
    assert "Slurs" in page
    assert "إجابة صعبة" not in page


def test_a_file_that_contradicts_itself_or_names_unknown_notes_changes_nothing(stage):
    before = list(Prompt.objects.order_by("pk").values_list("note_set", flat=True))
    outcome = imported(stage.project, prompt_line(4, ["slurs"]), prompt_line(4, []), kind="prompts")
    assert [(each.line, each.code) for each in outcome.problems] == [(2, "prompt_differs")]
    outcome = imported(stage.project, prompt_line(0, ["slurs"]), prompt_line(4, ["gore"]), kind="prompts")
    assert [(each.line, each.code) for each in outcome.problems] == [(2, "unknown_note")]
    outcome = imported(stage.project, prompt_line(0, ["slurs"]) | {"prompt": "سؤال آخر"}, kind="prompts")
    assert {each.code for each in outcome.problems} == {"prompt_differs"}
    new = [prompt_line(77, ["slurs"]), prompt_line(77, ["violence"])]
    assert [each.line for each in imported(stage.project, *new, kind="prompts").problems] == [2]
    assert list(Prompt.objects.order_by("pk").values_list("note_set", flat=True)) == before
    assert set(stage.items.values_list("note_set", flat=True)) == {0, 1, 2}
    assert not AuditEvent.objects.filter(action="prompts.noted").exists()


def test_on_trial_nothing_changes(stage):
    content = json.dumps(prompt_line(0, ["slurs"])).encode() + b"\n"
    tried = run_import(stage.project, Source(io.BytesIO(content)), "prompts", "jsonl", dry_run=True)
    assert +Counter(tried.counts) == {"prompts noted": 1}
    assert not Prompt.objects.filter(key="p-0", note_set__gt=0).exists()


def test_items_about_prompts_and_pairs_follow_too(stage):
    project = stage.project
    prompt = Prompt.objects.get(key="p-0")
    twin = Response.objects.create(
        project=project,
        prompt=prompt,
        target_model=prompt.responses.get().target_model,
        variety=prompt.variety,
        key="twin",
        text="نص",
        text_sha256=sha256("نص"),
    )
    pair = ResponsePair.objects.create(
        project=project,
        key="pair",
        prompt=prompt,
        variety=prompt.variety,
        first=prompt.responses.get(key="r-0"),
        second=twin,
    )
    items = [
        WorkItem.objects.create(
            stage=Stage.objects.create(project=project, kind=kind, name=kind, position=5 + at),
            variety=prompt.variety,
            position=1,
            slots=1,
            open_slots=1,
            **about,
        )
        for at, (kind, about) in enumerate([("authoring", {"prompt": prompt}), ("pairs", {"pair": pair})])
    ]
    imported(project, prompt_line(0, ["violence"]), kind="prompts")
    assert [WorkItem.objects.get(pk=item.pk).note_set for item in items] == [1, 1]


def test_the_most_sets_hold_here_too(stage, monkeypatch):
    monkeypatch.setattr("projects.content_notes.MOST_SETS", 2)
    outcome = imported(stage.project, prompt_line(0, ["slurs"]), kind="prompts")
    assert [each.code for each in outcome.problems] == ["too_many_sets"]
    assert not Prompt.objects.filter(key="p-0", note_set__gt=0).exists()


# --- By page and by program ------------------------------------------------------------------------------

OF_PROMPTS = "/p/feasts/prompts/notes/"
OF_PROMPTS_API = "/api/v1/projects/feasts/prompts/notes/"


def test_a_lead_notes_chosen_prompts_on_the_page_and_the_next_claim_heeds_it(stage, mona, nour):
    OwnLimits.objects.create(rater=mona.raters.get(), unwanted_notes=["slurs"])
    lead = signed_in(nour)
    assert "p-5" in lead.get(OF_PROMPTS).content.decode()
    chosen = [Prompt.objects.get(key=key).pk for key in ("p-4", "p-5")]
    answer = lead.post(f"{OF_PROMPTS}?note=violence", {"prompt": chosen, "notes": ["slurs"], "act": "add"}, follow=True)
    assert "2 prompts carry other notes now." in answer.content.decode()
    assert answer.redirect_chain == [(f"{OF_PROMPTS}?note=violence", 302)], "one stays where one was"
    held = dict(stage.items.values_list("response__prompt__key", "note_set"))
    both = ContentNoteSet.objects.get(slugs="slurs violence").number
    assert (held["p-4"], held["p-5"]) == (both, both)
    assert not any("slurs" in notes for notes in taken(mona, stage))
    event = AuditEvent.objects.get(action="prompts.noted")
    assert (event.actor, event.detail["prompts"]) == (nour, ["p-4", "p-5"])


def test_notes_are_taken_away_and_nothing_chosen_changes_nothing(stage, nour):
    lead = signed_in(nour)
    before = dict(Prompt.objects.values_list("key", "note_set"))
    assert "Choose the prompts first." in lead.post(OF_PROMPTS, {"act": "add"}, follow=True).content.decode()
    one = Prompt.objects.get(key="p-4")
    assert "Choose notes" in lead.post(OF_PROMPTS, {"prompt": one.pk, "act": "add"}, follow=True).content.decode()
    assert dict(Prompt.objects.values_list("key", "note_set")) == before
    lead.post(OF_PROMPTS, {"prompt": one.pk, "notes": ["violence"], "act": "take"})
    one.refresh_from_db()
    assert one.note_set == 0
    page = lead.get(OF_PROMPTS, {"note": "-"}).content.decode()
    assert f'value="{one.pk}"' in page
    assert f'value="{Prompt.objects.get(key="p-5").pk}"' not in page


def test_a_number_that_no_prompt_can_have_is_none_of_them(stage, nour):
    lead, one = signed_in(nour), Prompt.objects.get(key="p-4")
    said = {"prompt": ["9" * 5000, "9" * 30, one.pk], "notes": ["slurs"], "act": "add"}
    assert "1 prompt carries other notes now." in lead.post(OF_PROMPTS, said, follow=True).content.decode()
    one.refresh_from_db()
    assert one.note_set == ContentNoteSet.objects.get(slugs="slurs violence").number


def test_a_program_does_the_same_and_is_told_what_is_unknown(stage, nour, mona):
    lead = signed_in(nour)

    def ask(**said):
        return lead.patch(OF_PROMPTS_API, said, "application/json")

    assert ask(prompts=["p-4", "p-5"], add=["slurs"], take=["violence"]).json() == {"changed": 2}
    assert ask(prompts=["p-4"], add=["slurs"]).json() == {"changed": 0}
    assert ContentNoteSet.objects.get(slugs="slurs").number == Prompt.objects.get(key="p-4").note_set
    for said, code in (
        ({"prompts": ["p-4", "no-such"], "add": ["slurs"]}, "unknown_prompt"),
        ({"prompts": ["p-4"], "add": ["no-such"]}, "unknown_note"),
        ({"prompts": ["p-4"], "add": ["slurs"], "take": ["slurs"]}, "not_a_choice"),
    ):
        refused = ask(**said)
        assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, code)
    assert signed_in(mona).patch(OF_PROMPTS_API, {"prompts": ["p-4"]}, "application/json").status_code in (403, 404)


def test_the_page_costs_the_same_for_many_prompts(stage, nour, django_assert_max_num_queries):
    lead = signed_in(nour)
    lead.get(OF_PROMPTS)
    with django_assert_max_num_queries(25):
        lead.get(OF_PROMPTS)
