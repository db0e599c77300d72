"""Nour words questions of a draft otherwise and drops some; of a frozen version she changes nothing."""

import pytest
from django.db import DatabaseError, transaction

from benchmark.editing import drop, fingerprint, repair
from benchmark.freezing import freeze
from benchmark.models import Question, QuestionRevision, QuestionSet
from projects.models import AuditEvent, Prompt
from projects.problems import Invalid
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/question-sets/own/1/questions/"


def named(key: str) -> Question:
    return Question.objects.get(key=key, question_set__frozen_at=None)


def codes(act) -> list[str]:
    with pytest.raises(Invalid) as raised:
        act()
    return [problem.code for problem in raised.value.problems]


def test_another_instruction_is_another_prompt_and_the_old_one_stays(project, nour):
    set_of(project)
    old = named("tea")
    repair(old, instruction="اكتب جملتين عن الشاي.", actor=nour)
    new = named("tea")
    assert (new.instruction, new.prompt.text, new.prompt.key) == (
        "اكتب جملتين عن الشاي.",
        "اكتب جملتين عن الشاي.",
        "own/tea/v1",
    )
    assert new.reference == old.reference
    assert Prompt.objects.get(key="own/tea").text == old.instruction
    repair(new, input_text="فقرة", actor=nour)
    assert named("tea").prompt.key == "own/tea/v1.2"
    repair(named("tea"), instruction=old.instruction, input_text="", actor=nour)
    assert named("tea").prompt_id == old.prompt_id, "the first wording has its prompt back, with its answers"


def test_the_same_text_in_a_later_version_keeps_its_prompt(project, nour):
    draft = freeze(set_of(project)).new_version()
    tea = draft.questions.get(key="tea")
    repair(tea, reference="الشاي مشروب ساخن يحبه الناس.", actor=nour)
    assert draft.questions.get(key="tea").prompt.key == "own/tea"
    repair(tea, instruction="اكتب جملة واحدة عن الشاي.", actor=nour)
    assert draft.questions.get(key="tea").prompt.key == "own/tea/v2"


def test_the_audit_log_holds_the_old_words_and_the_new(project, nour):
    set_of(project)
    old = named("tea").reference
    repair(named("tea"), reference=" الشاي مشروب ساخن. ", actor=nour)
    event = AuditEvent.objects.get(action="question.repaired")
    assert (event.actor, event.subject) == (nour, "own v1: tea")
    assert (event.detail["before"]["reference"], event.detail["after"]["reference"]) == (old, "الشاي مشروب ساخن.")
    drop(named("tea"), nour)
    event = AuditEvent.objects.get(action="question.dropped")
    assert (event.detail["before"]["reference"], event.detail["after"]) == ("الشاي مشروب ساخن.", {})
    assert list(QuestionRevision.objects.values_list("key", "decision")) == [("tea", "repair"), ("tea", "drop")]


def test_a_wording_that_its_rules_cannot_score_is_refused(project, nour):
    set_of(project)
    assert codes(lambda: repair(named("capital"), reference="دمشق", actor=nour)) == ["not_an_option"]
    assert codes(lambda: repair(named("capital"), reference=" ", actor=nour)) == ["no_reference"]
    assert codes(lambda: repair(named("tea"), instruction=" ", actor=nour)) == ["required"]
    assert codes(lambda: repair(named("tea"), reference=named("tea").reference, actor=nour)) == ["unchanged"]
    assert not QuestionRevision.objects.exists()
    assert not AuditEvent.objects.filter(action="question.repaired").exists()


def test_a_dropped_question_takes_its_empty_skill_along_and_leaves_its_twin(project, nour):
    twin = open_line("coffee", category="Writing", source="Another", held_back=True, twin_of="tea")
    own = set_of(project, question_line(), open_line(), twin)
    drop(named("tea"), nour)
    assert named("coffee").twin_of is None
    drop(named("coffee"), nour)
    assert [skill.name for skill in own.skills.all()] == ["General Knowledge"]
    assert [source.name for source in own.sources.all()] == ["Own questions"]
    assert freeze(own).is_frozen
    assert Prompt.objects.filter(key="own/tea").exists(), "what was asked is never forgotten"


def test_a_frozen_version_is_refused_here_and_by_the_database(project, nour):
    question = freeze(set_of(project)).questions.get(key="tea")
    assert codes(lambda: repair(question, reference="أخرى", actor=nour)) == ["frozen_set"]
    assert codes(lambda: drop(question, nour)) == ["frozen_set"]
    for change in (lambda: question.delete(), lambda: Question.objects.filter(pk=question.pk).update(reference="")):
        with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
            change()


def test_what_was_dropped_meanwhile_is_said(project, nour):
    set_of(project)
    one, same = named("tea"), named("tea")
    drop(one, nour)
    assert codes(lambda: drop(same, nour)) == ["dropped"]


def test_nour_sees_the_old_wording_beside_the_new(project, nour, mona):
    set_of(project)
    address = f"{ADDRESS}{named('tea').pk}/"
    lead = signed_in(nour)
    assert f"{address}edit/" in lead.get(address).content.decode()
    assert f"{address}edit/" not in signed_in(mona).get(address).content.decode()
    page = lead.get(f"{address}edit/").content.decode()
    assert page.count(named("tea").instruction) == 2
    words = {"instruction": "اكتب ثلاث جمل.", "input_text": "", "reference": ""}
    refused = lead.post(f"{address}edit/", words)
    assert refused.status_code == 422
    assert "rouge_l" in refused.content.decode()
    answer = lead.post(f"{address}edit/", words | {"reference": "الشاي مشروب دافئ."})
    assert answer.headers["Location"] == address
    assert named("tea").instruction == "اكتب ثلاث جمل."
    lead.post(f"{address}drop/")
    assert not Question.objects.filter(key="tea").exists()
    assert signed_in(mona).post(f"{ADDRESS}{named('capital').pk}/drop/").status_code == 404


def test_the_page_of_a_frozen_question_leads_back(project, nour):
    own = freeze(set_of(project))
    address = f"{ADDRESS}{own.questions.get(key='tea').pk}/"
    lead = signed_in(nour)
    assert lead.get(f"{address}edit/").headers["Location"] == address
    assert lead.post(f"{address}drop/").headers["Location"] == address
    assert QuestionSet.objects.get().questions.count() == 2


def test_a_program_words_a_question_otherwise_and_drops_it(project, nour, mona):
    draft = set_of(project, question_line(), open_line(held_back=True))
    api = "/api/v1/projects/feasts/question-sets/own/1/questions/"

    def post(user, act, **said):
        return signed_in(user).post(f"{api}{act}/", said, content_type="application/json")

    assert post(mona, "reword", question="capital", instruction="x").status_code == 404
    before = named("tea")
    worded = post(nour, "reword", question="tea", input="فقرة عن الشاي.")
    assert worded.status_code == 200, worded.content
    [listed] = [row for row in signed_in(nour).get(api).json()["results"] if row["id"] == "tea"]
    assert worded.json() == listed
    assert (listed["input"], listed["instruction"]) == ("فقرة عن الشاي.", before.instruction)
    same = post(nour, "reword", question="tea", input="فقرة عن الشاي.")
    assert (same.status_code, same.json()["problems"][0]["code"]) == (422, "unchanged")
    assert post(nour, "reword", question="tea", input="").json()["prompt_id"] == before.prompt.key
    assert post(nour, "reword", question="tea", reference="x" * 100_001).status_code == 400
    assert post(nour, "reword", question="coffee", input="x").status_code == 404
    assert post(mona, "drop", question="tea").status_code == 404
    assert post(nour, "drop", question="tea").status_code == 204
    assert list(draft.questions.values_list("key", flat=True)) == ["capital"]
    freeze(draft)
    for act, said in (("reword", {"instruction": "x"}), ("drop", {})):
        refused = post(nour, act, question="capital", **said)
        assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "frozen_set")


def test_a_program_that_has_seen_an_older_wording_changes_nothing(project, nour):
    draft = set_of(project, question_line(), open_line())
    seen = fingerprint(named("tea"))
    repair(named("tea"), instruction="ما هو الشاي؟ 🍵", actor=nour)
    api = "/api/v1/projects/feasts/question-sets/own/1/questions/"

    def post(act, **said):
        return signed_in(nour).post(f"{api}{act}/", {"question": "tea", **said}, content_type="application/json")

    for act, said in (("reword", {"instruction": "ما القهوة؟"}), ("drop", {})):
        refused = post(act, seen=seen, **said)
        assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "changed_meanwhile")
    assert named("tea").instruction == "ما هو الشاي؟ 🍵"
    assert post("reword", seen="x" * 65, instruction="x").status_code == 400
    assert post("reword", seen=fingerprint(named("tea")), instruction="ما القهوة؟").status_code == 200
    assert post("drop", seen=fingerprint(named("tea"))).status_code == 204
    assert list(draft.questions.values_list("key", flat=True)) == ["capital"]
