"""Nour asks for marks together with other parts, in lines of a layout; Mona marks and answers in one go."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import CheckMarking, Marking, QuestionnaireAnswer, Rating, Span
from formats.importing.running import run_import
from formats.layout import type_of
from formats.project_file.applying import apply_file, create_from_file
from formats.project_file.describing import described, file_of
from formats.project_file.reading import read_yaml
from formats.reading import Source
from projects.models import Project
from projects.problems import Invalid
from reports import frames
from reports.questionnaires.at_first import answers_at_first
from tests.annotation.rated import question_type
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.workflow.working import put_draft, submit
from workflow.answer_rules import change_rules, warnings_of
from workflow.claims import claim_next
from workflow.layouts import change_layout, stages_with_parts
from workflow.models import Assignment, Draft
from workflow.planning import plan_items
from workflow.reassignment import amend
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db
STUDIES = re.findall(
    r"```yaml\n(.*?)```", (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8"), re.DOTALL
)
FILE, NAMES = (study for study in STUDIES if "{spans: " in study)
SEND, CHANGE = "would-you-send-it", "what-would-you-change"


@pytest.fixture
def study(db) -> Project:
    project = create_from_file(FILE.encode(), "letters").project
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return project


@pytest.fixture
def stage(study):
    stage = study.stages.get()
    assert plan_items(stage) == 1
    return stage


@pytest.fixture
def translator(study):
    return join(person("mona@x.org", "Mona Adel"), study, "annotator", varieties=("ar-EG",))


@pytest.fixture
def lead(study):
    return join(person("nour@x.org", "Nour Hassan"), study, "lead")


@pytest.fixture
def turn(stage, translator):
    return claim_next(translator.raters.get(), stage)


def span(quote: str, **said) -> dict:
    start = EGYPTIAN.index(quote)
    place = {"id": f"m{start}", "start": start, "end": start + len(quote), "quote": quote}
    return {**place, "explanation": "Nobody says so.", **said}


def body(*spans: dict, **answers: object) -> dict:
    return {"no_errors": not spans, "spans": list(spans), "answers": answers}


def of(**said: object) -> dict:
    return {{"send": SEND, "change": CHANGE}[name]: value for name, value in said.items()}


def codes(answer) -> list[tuple]:
    return [(problem["field"], problem["code"]) for problem in answer.json()["error"]["problems"]]


# --- What is asked ---------------------------------------------------------------------------------------


def test_ten_lines_are_the_whole_study(study):
    assert len(FILE.splitlines()) <= 10
    stage = study.stages.get()
    types = [type_of(part) for part in stage.ask]
    assert (stage.kind, stage.show, types) == ("spans", ["prompt", "response"], ["spans", "choice", "text"])
    text = file_of(study)
    assert create_from_file(text, "again").project.stages.get().ask == stage.ask
    assert not apply_file(study, text, None).changes
    assert described(study)["stages"] == read_yaml(text)[0]["stages"]


@pytest.mark.parametrize(
    ("ask", "show", "told"),
    [
        ("[{spans: Mark}, {spans: Again}]", "", ("ask[1].spans", "duplicate_id")),
        ("[{spans: Mark, key: m}]", "", ("ask[0].key", "not_with_type")),
        ("[{spans: Mark, optional: true}]", "", ("ask[0].optional", "not_with_type")),
        ("[{spans: Mark, labels: [a]}]", "", ("ask[0].labels", "unknown_field")),
        ("[{spans: Mark}, {ranking: Rank}]", "", ("ask[1].ranking", "not_together")),
        ("[{spans: Mark}]", "[prompt, pair]", ("show", "not_together")),
        ("[{spans: Mark}]", "[prompt]", ("show", "not_together")),
        ("[{spans: Mark}, {text: A, key: x}, {text: B, key: x}]", "", ("ask[2].key", "duplicate_id")),
        ("[{spans: ''}]", "", ("ask[0].spans", None)),
    ],
)
def test_what_cannot_stand_beside_marks_is_refused_at_its_place(ask, show, told):
    lines = [*FILE.splitlines()[:6], *([f"  show: {show}"] if show else []), f"  ask: {ask}"]
    with pytest.raises(Invalid) as refused:
        create_from_file("\n".join(lines).encode(), "wrong")
    found = [(problem.field.removeprefix("stages[0]."), problem.code) for problem in refused.value.problems]
    assert [field for field, _code in found] == [told[0]]
    assert told[1] in (None, found[0][1])
    assert not Project.objects.filter(slug="wrong").exists()


def test_a_questionnaire_says_which_work_asks_for_marks():
    with pytest.raises(Invalid) as refused:
        create_from_file(FILE.replace("kind: spans", "kind: questionnaire").encode(), "wrong")
    [problem] = refused.value.problems
    assert (problem.code, "kind “spans”" in str(problem.message)) == ("not_with_kind", True)


def test_parts_come_to_a_stage_that_marks_already(study, stage, lead):
    """What it showed without a layout is what it goes on to show."""
    change_layout(stage, [], [], None)
    client = signed_in(lead)
    address = f"/p/letters/stages/{stage.pk}/layout/"
    assert "spans: Mark every error." in client.get(address).content.decode()
    lines = "show: [prompt, response]\nask: [{spans: Find errors, help: All of them.}, {choice: Good?, of: [a, b]}]"
    Project.objects.update(areas=["spans"])
    assert client.post(address, {"text": lines}).status_code == 302
    stage.refresh_from_db()
    assert stage.ask[0] == {"spans": "Find errors", "help": "All of them."}
    assert "questionnaires" in Project.objects.get().areas, "the page of its results is there"
    refused = client.post(address, {"text": lines.replace("prompt, response", "source, target")})
    assert refused.status_code == 422, "it has items"


def test_names_of_people_and_places_are_labels_in_ten_lines(db):
    assert len(NAMES.splitlines()) <= 10
    study = create_from_file(NAMES.encode(), "names").project
    add_response(study, "koshari", EGYPTIAN, "ar-EG")
    stage = study.stages.get()
    plan_items(stage)
    mona = join(person("mona@x.org", "Mona Adel"), study, "annotator", varieties=("ar-EG",))
    turn = claim_next(mona.raters.get(), stage)
    task = signed_in(mona).get(f"/tasks/{turn.uuid}/").context["task"]
    assert ([each["label"] for each in task["types"]], task["criticalities"]) == (["Person", "Place"], [])
    place = {"id": "m0", "start": 0, "end": 1, "quote": EGYPTIAN[0], "type": "place"}
    assert submit(signed_in(mona), turn, 0, {"no_errors": False, "spans": [place]}).status_code == 200
    assert Span.objects.get().error_type == "place"


# --- One answer ------------------------------------------------------------------------------------------


def test_marks_and_answers_are_one_answer(turn, translator):
    sent = body(span("السحور"), **of(send="No", change="كل شيء 🙂"))
    answer = submit(signed_in(translator), turn, 0, sent)
    assert answer.status_code == 200, answer.content
    row = QuestionnaireAnswer.objects.get()
    assert row.answers == of(send="No", change="كل شيء 🙂")
    assert row.assignment == Marking.objects.get().assignment == turn
    assert row.response == turn.response
    assert claim_next(translator.raters.get(), turn.stage) is None


def test_a_required_part_is_missing_though_there_are_no_errors(turn, translator):
    client = signed_in(translator)
    assert codes(submit(client, turn, 0, body())) == [(SEND, "required")]
    nothing = {"no_errors": False, "spans": []}
    assert codes(submit(client, turn, 0, nothing)) == [("spans", "nothing"), (SEND, "required")]
    assert not Marking.objects.exists()
    assert submit(client, turn, 0, body(**of(send="Yes"))).status_code == 200
    assert (Marking.objects.get().no_errors, QuestionnaireAnswer.objects.get().answers) == (True, of(send="Yes"))


@pytest.mark.parametrize(
    "answers",
    [{SEND: "Perhaps"}, {SEND: ["Yes"]}, {"else": 1}, {CHANGE: 7}, {CHANGE: "x" * 10_001}, ["Yes"], "Yes", {"": 1}],
)
def test_what_is_no_answer_is_not_even_kept_as_a_draft(turn, translator, answers):
    answer = put_draft(signed_in(translator), turn, 0, {**body(), "answers": answers})
    assert answer.status_code == 422
    assert codes(answer)
    assert not Draft.objects.exists()


def test_a_draft_keeps_both_and_a_field_nobody_knows_is_named(turn, translator):
    client = signed_in(translator)
    half = {"no_errors": False, "spans": [], "answers": of(change="غير")}
    assert put_draft(client, turn, 0, half).status_code == 200
    assert Draft.objects.get().body == half
    assert codes(put_draft(client, turn, 1, {**half, "answer": {}})) == [("answer", "unknown_field")]


def test_an_answer_taken_back_brings_both_into_the_draft(turn, translator):
    submit(signed_in(translator), turn, 0, body(span("السحور"), **of(send="No", change="x")))
    kind, turn = task_type("spans"), Assignment.objects.get(pk=turn.pk)
    stored = kind.stored(turn)
    assert kind.reopen(turn) == stored
    assert (stored["answers"], len(stored["spans"])) == (of(send="No", change="x"), 1)
    assert not QuestionnaireAnswer.objects.exists()
    assert not Span.objects.exists()
    kind.store(turn, stored)
    assert kind.stored(turn) == stored


def test_agreement_counts_what_was_first_answered_beside_the_marks(turn, translator, study):
    submit(signed_in(translator), turn, 0, body(span("السحور"), **of(send="No", change="x")))
    amend(Assignment.objects.select_related("stage", "item__response").get(pk=turn.pk))
    submit(signed_in(translator), turn, Draft.objects.get().version, body(**of(send="Yes", change="x")))
    found = answers_at_first(study)
    assert found == {turn.pk: of(send="No", change="x")}
    assert QuestionnaireAnswer.objects.get().answers == of(send="Yes", change="x")


def test_what_was_answered_elsewhere_is_neither_given_nor_stored(turn, translator, stage):
    """Marks are not stored without their answers: both stand or fall together."""
    rater = translator.raters.get()
    QuestionnaireAnswer.objects.create(stage=stage, response=turn.response, rater=rater, answers=of(send="Yes"))
    answer = submit(signed_in(translator), turn, 0, body(span("السحور"), **of(send="No")))
    assert [code for _field, code in codes(answer)] == ["rated_before"]
    assert not Marking.objects.exists()
    turn.delete()
    stage.items.update(open_slots=1)
    assert claim_next(rater, stage) is None


def test_a_stage_that_asks_marks_alone_takes_no_answers(turn, translator, stage):
    change_layout(stage, ["prompt", "response"], [{"spans": "Mark"}], None)
    client = signed_in(translator)
    assert codes(put_draft(client, turn, 0, body(**of(send="Yes")))) == [("answers", "unknown_question")]
    assert put_draft(client, turn, 0, {"no_errors": True, "spans": []}).status_code == 200
    assert Draft.objects.get().body == {"no_errors": True, "spans": []}


def test_all_parts_may_stay_open_where_none_is_required(turn, translator, stage):
    change_layout(stage, [], [{"choices": "What?", "of": ["a", "b"], "optional": True}], None)
    assert submit(signed_in(translator), turn, 0, body()).status_code == 200
    assert QuestionnaireAnswer.objects.get().answers == {}, "nothing chosen is an answer to any of several"


def test_answers_to_a_check_stay_with_the_check(turn, translator):
    turn.item.is_check = True
    turn.item.save()
    assert submit(signed_in(translator), turn, 0, body(**of(send="No"))).status_code == 200
    assert not QuestionnaireAnswer.objects.exists()
    assert CheckMarking.objects.get().body["answers"] == of(send="No")
    assert task_type("spans").stored(Assignment.objects.get(pk=turn.pk))["answers"] == of(send="No")


def test_a_score_stands_beside_both(turn, translator, stage, study):
    stage.scored_on = question_type(study, "overall")
    stage.save()
    client = signed_in(translator)
    assert codes(submit(client, turn, 0, body())) == [("score", "required"), (SEND, "required")]
    assert submit(client, turn, 0, {**body(**of(send="No")), "score": 3}).status_code == 200
    assert (Rating.objects.get().first_grade, QuestionnaireAnswer.objects.get().answers) == (3, of(send="No"))


# --- Rules over both -------------------------------------------------------------------------------------


def test_rules_of_marks_and_rules_of_parts_hold_in_one_stage(turn, translator, stage, study):
    rules = [
        {"needs": "explanation"},
        {"most": 1},
        {"ask": [CHANGE], "after": SEND, "answer": ["No"]},
        {"least": 1, "question": [CHANGE], "warns": True, "message": "Say what you would change."},
    ]
    change_rules(stage, rules)
    client = signed_in(translator)
    two = body(span("السحور"), span("رمضان", explanation=""), **of(send="Yes", change="x"))
    assert codes(submit(client, turn, 0, two)) == [
        ("explanation", "required"),
        ("spans", "too_many"),
        (CHANGE, "not_asked"),
    ]
    task = client.get(f"/tasks/{turn.uuid}/").context["task"]
    assert [rule.get("after") for rule in task["rules"]] == [None, None, SEND, None]
    answer = submit(client, turn, 0, body(**of(send="No")))
    assert answer.status_code == 200, "one that warns lets go on, and two answers are not two marks"
    assert described(study)["stages"][0]["rules"] == rules


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ({"most": 1, "criticality": ["high"], "answer": ["No"]}, "criticality"),
        ({"ask": [CHANGE], "after": "nobody"}, "after"),
        ({"most": 1, "answer": ["Perhaps"]}, "answer"),
    ],
)
def test_a_rule_is_of_marks_or_of_parts(study, stage, rule, place):
    entry = {**described(study)["stages"][0], "rules": [rule]}
    with pytest.raises(Invalid) as refused:
        apply_file(study, json.dumps({"format": "mizan.project/1", "stages": [entry]}).encode(), None)
    assert [problem.field for problem in refused.value.problems] == [f"stages[0].rules[0].{place}"]


def test_a_rule_of_parts_is_refused_where_none_are_asked(study, stage):
    change_layout(stage, [], [], None)
    entry = {**described(study)["stages"][0], "rules": [{"most": 1, "at_least": 4}]}
    with pytest.raises(Invalid) as refused:
        apply_file(study, json.dumps({"format": "mizan.project/1", "stages": [entry]}).encode(), None)
    assert [problem.code for problem in refused.value.problems] == ["not_with_kind"]


# --- The page, files and figures -------------------------------------------------------------------------


def test_the_page_says_what_to_mark_and_asks_the_parts(turn, translator, stage):
    client = signed_in(translator)
    page = client.get(f"/tasks/{turn.uuid}/").content.decode()
    assert "Mark every error" in page
    assert f'id="question-{SEND}"' in page
    change_layout(stage, ["prompt", "response"], [{"spans": "<b>أشِر</b>"}, *stage.ask[1:]], None)
    page = client.get(f"/tasks/{turn.uuid}/").content.decode()
    assert "&lt;b&gt;أشِر" in page


def test_a_source_a_conversation_and_a_reference_stand_beside(study, translator):
    response = study.responses.get()
    response.prompt.metadata = {"reference": "المرجع هنا", "turns": [{"role": "assistant", "text": "أهلا وسهلا"}]}
    response.prompt.save()
    stage = study.stages.get()
    change_layout(stage, ["conversation", "target", "reference"], [{"spans": "Mark"}], None)
    plan_items(stage)
    page = signed_in(translator).get(f"/tasks/{claim_next(translator.raters.get(), stage).uuid}/").content.decode()
    assert "المرجع هنا" in page
    assert "أهلا وسهلا" in page


def test_answers_of_people_elsewhere_come_in_two_files(study, stage, translator):
    marks = {
        "kind": "spans",
        "item": "koshari",
        "rater": "Karim",
        "rater_kind": "human",
        "spans": [],
        "no_errors": True,
    }
    answers = {"stage": "Marking", "item": "koshari", "rater": "Karim", "answers": of(send="No")}
    for kind, line in (("answers", marks), ("questionnaire-answers", answers)):
        assert run_import(study, Source(io.BytesIO(json.dumps(line).encode())), kind).is_stored
    [marking], [row] = Marking.objects.all(), QuestionnaireAnswer.objects.all()
    assert (marking.rater, row.answers) == (row.rater, of(send="No"))


def test_answers_leave_as_rows_and_stand_in_the_results(turn, translator, stage, lead, study):
    submit(signed_in(translator), turn, 0, body(span("السحور"), **of(send="No", change="x")))
    rows = frames.questionnaires(study)
    assert list(zip(rows["question"], rows["value"], strict=True)) == [(SEND, "No"), (CHANGE, "x")]
    page = signed_in(lead).get("/p/letters/questionnaire-results/questionnaire-choices/").content.decode()
    assert "Would you send it?" in page


def test_an_archive_brings_both_to_another_place(turn, translator, study, tmp_path):
    submit(signed_in(translator), turn, 0, body(span("السحور"), **of(send="No")))
    file = tmp_path / "letters.zip"
    call_command("archive_project", "letters", to=file)
    call_command("restore_project", file, slug="again")
    again = Project.objects.get(slug="again")
    assert QuestionnaireAnswer.objects.get(stage__project=again).answers == of(send="No")
    assert Span.objects.get(response__project=again).quote == "السحور"


def test_rules_of_marks_hold_no_answers_that_come_in_a_file(study, stage):
    change_rules(stage, [{"most": 1}, {"least": 1, "question": [CHANGE]}])
    line = {"stage": "Marking", "item": "koshari", "rater": "Karim", "answers": of(send="No", change="x")}
    assert run_import(study, Source(io.BytesIO(json.dumps(line).encode())), "questionnaire-answers").is_stored
    line |= {"rater": "Other", "answers": of(send="No")}
    refused = run_import(study, Source(io.BytesIO(json.dumps(line).encode())), "questionnaire-answers")
    assert [problem.code for problem in refused.problems] == ["too_few"]


def test_a_stage_of_marks_alone_is_no_questionnaire(study, stage, lead):
    """It has an instruction and nothing that a judge, a file or a table could ask about."""
    change_layout(stage, [], [{"spans": "Mark"}], None)
    line = {"stage": "Marking", "item": "koshari", "rater": "Karim", "answers": of(send="No")}
    refused = run_import(study, Source(io.BytesIO(json.dumps(line).encode())), "questionnaire-answers")
    assert [problem.code for problem in refused.problems] == ["unknown_stage"]
    assert stages_with_parts(study) == []
    assert signed_in(lead).get("/p/letters/questionnaire-results/").status_code == 200
    assert len(frames.questionnaire_gold(study)) == 0


# --- Marks only where a part is answered so --------------------------------------------------------------

ONLY_UNSENT: list[dict] = [{"most": 0, "unless": SEND, "answer": ["No"]}]


def test_marks_only_where_a_question_is_answered_so(turn, translator, stage):
    change_rules(stage, ONLY_UNSENT)
    client = signed_in(translator)
    mark = span(EGYPTIAN.split()[0])
    refused = submit(client, turn, 0, body(mark, **of(send="Yes")))
    assert codes(refused) == [("spans", "too_many")]
    said = refused.json()["error"]["problems"][0]["message"]
    assert said == "Marks of this kind are asked for only after another answer."
    assert submit(client, turn, 0, body(mark, **of(send="No"))).status_code == 200


def test_such_a_rule_may_only_warn(turn, translator, stage):
    change_rules(stage, [{**ONLY_UNSENT[0], "warns": True}])
    assert submit(signed_in(translator), turn, 0, body(span(EGYPTIAN.split()[0]), **of(send="Yes"))).status_code == 200
    assert [problem.code for problem in warnings_of(Assignment.objects.get(pk=turn.pk))] == ["too_many"]


def test_such_a_rule_names_a_question_and_an_answer_of_the_stage(stage, lead):
    url = f"/api/v1/projects/letters/stages/{stage.pk}/rules/"
    client = signed_in(lead)
    etag = client.get(url)["ETag"]
    wrong = [{"most": 0, "unless": "no-such-part", "answer": ["Perhaps"]}]
    refused = client.put(url, {"rules": wrong}, "application/json", headers={"If-Match": etag})
    assert {problem["field"] for problem in refused.json()["problems"]} == {"rules[0].unless", "rules[0].answer"}
    assert client.put(url, {"rules": ONLY_UNSENT}, "application/json", headers={"If-Match": etag}).status_code == 200


def test_a_part_that_is_asked_no_more_holds_nobody(turn, translator, stage):
    change_rules(stage, ONLY_UNSENT)
    change_layout(stage, [], [{"text": "Anything else?", "optional": True}], None)
    assert submit(signed_in(translator), turn, 0, body(span(EGYPTIAN.split()[0]))).status_code == 200


def test_in_files_the_answers_come_before_such_marks(study, stage):
    change_rules(stage, ONLY_UNSENT)
    marks = {"kind": "spans", "item": "koshari", "rater": "Hana", "rater_kind": "human"}
    marks |= {"spans": [{"id": "a", "quote": "السحور", "explanation": "No."}]}
    answers = {"stage": "Marking", "item": "koshari", "rater": "Hana", "answers": of(send="No")}

    def come_in(line: dict, kind: str):
        return run_import(study, Source(io.BytesIO(json.dumps(line).encode())), kind)

    assert [problem.code for problem in come_in(marks, "answers").problems] == ["too_many"]
    assert come_in(answers, "questionnaire-answers").is_stored
    assert come_in(marks, "answers").is_stored
    assert Span.objects.get().quote == "السحور"
