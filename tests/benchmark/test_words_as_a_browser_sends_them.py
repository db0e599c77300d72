"""A browser ends every line with two characters and sends back what it was shown: that is nobody's new wording.

Were it taken for one, the question would have another prompt, and every answer to it would be lost.
"""

import pytest

from benchmark.errata import report
from benchmark.freezing import freeze
from benchmark.models import Erratum, Question, QuestionRevision
from benchmark.wording import MAX_TEXT
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/question-sets/own/1/questions/"
LINES = "اكتب ثلاثة أسطر:\nأولًا\n\nثانيًا"
NEW = "الشاي مشروب ساخن يحبه الناس."
LONG = "الشاي مشروب دافئ.\n" * 6_000  # 108,000 characters: beyond what a page takes


def as_sent(**fields: str) -> dict[str, str]:
    return {name: value.replace("\r\n", "\n").replace("\n", "\r\n") for name, value in fields.items()}


def shown(question: Question, **changes: str) -> dict[str, str]:
    """All that the form held, sent back."""
    texts = {name: getattr(question, name) for name in ("instruction", "input_text", "reference")}
    return as_sent(**{**texts, **changes})


@pytest.mark.parametrize("text", [LINES, LINES.replace("\n", "\r\n"), f"  {LINES}\n", LONG])
def test_a_new_reference_leaves_the_prompt_with_its_answers(project, nour, text):
    set_of(project, open_line(instruction=text, rules=[{"rule": "rouge_l"}]))
    tea = Question.objects.get()
    answer = signed_in(nour).post(f"{ADDRESS}{tea.pk}/edit/", shown(tea, reference=NEW))
    assert answer.status_code == 302
    after = Question.objects.get()
    assert (after.reference, after.instruction, after.prompt_id) == (NEW, tea.instruction, tea.prompt_id)
    again = signed_in(nour).post(f"{ADDRESS}{tea.pk}/edit/", shown(after))
    assert again.status_code == 422
    assert "Nothing of the question is worded otherwise" in again.content.decode()


def test_another_instruction_is_stored_with_lines_of_one_character(project, nour):
    set_of(project, open_line(rules=[{"rule": "rouge_l"}]))
    tea = Question.objects.get()
    signed_in(nour).post(f"{ADDRESS}{tea.pk}/edit/", shown(tea, instruction=LINES))
    assert Question.objects.get().instruction == LINES
    too_long = signed_in(nour).post(f"{ADDRESS}{tea.pk}/edit/", shown(tea, input_text="ش" * (MAX_TEXT + 1)))
    assert too_long.status_code == 422
    assert f"longer than {MAX_TEXT} characters" in too_long.content.decode()


def test_an_instruction_that_would_not_fit_beside_its_passage_is_refused(project, nour):
    """A part of a page has 100,000 characters at most; beside a longer passage that is more than a model is sent."""
    set_of(project, open_line(input="ش" * 150_000, rules=[{"rule": "rouge_l"}]))
    tea = Question.objects.get()
    address = f"{ADDRESS}{tea.pk}/edit/"
    too_long = signed_in(nour).post(address, shown(tea, instruction="س" * 60_000))
    assert too_long.status_code == 422
    assert "the question has 210002 characters; at most 200000 fit" in too_long.content.decode()
    assert Question.objects.get().instruction == tea.instruction
    assert signed_in(nour).post(address, shown(tea, instruction="س" * 49_998)).status_code == 302


def test_an_accepted_erratum_corrects_what_was_worded_and_nothing_else(project, nour):
    own = freeze(set_of(project, open_line(instruction=LINES, rules=[{"rule": "rouge_l"}])))
    erratum = report(own.questions.get(), nour, fault="reference", words="خطأ")
    sent = shown(own.questions.get(), reference=NEW) | {"decision": "repair"}
    assert signed_in(nour).post(f"/p/feasts/errata/{erratum.uuid}/", sent).status_code == 302
    stored = Erratum.objects.get()
    assert (stored.corrected_instruction, stored.corrected_input, stored.corrected_reference) == ("", "", NEW)


def test_an_erratum_of_a_very_long_question_can_be_decided(project, nour):
    own = freeze(set_of(project, open_line(instruction=LONG, rules=[{"rule": "rouge_l"}])))
    erratum = report(own.questions.get(), nour, fault="other", words="طويل")
    sent = shown(own.questions.get()) | {"decision": "reject", "reason": "الطول مقصود"}
    assert signed_in(nour).post(f"/p/feasts/errata/{erratum.uuid}/", sent).status_code == 302
    assert Erratum.objects.get().state == "rejected"


def test_of_two_open_pages_the_later_one_is_told(project, nour):
    """Nour has the question open in two tabs; what she wrote in the first is not overwritten unseen."""
    set_of(project, question_line(), open_line(rules=[{"rule": "rouge_l"}]))
    tea, lead = Question.objects.get(key="tea"), signed_in(nour)
    address = f"{ADDRESS}{tea.pk}/edit/"
    seen = lead.get(address).context["form"].initial["seen"]
    assert lead.post(address, shown(tea, reference=NEW) | {"seen": seen}).status_code == 302
    stale = lead.post(address, shown(tea, input_text="فقرة") | {"seen": seen})
    page = stale.content.decode()
    assert stale.status_code == 422
    assert "nothing was stored" in page
    assert "فقرة" in page
    assert Question.objects.get(key="tea").reference == NEW
    meant = lead.post(address, shown(tea, input_text="فقرة") | {"seen": stale.context["form"].data["seen"]})
    assert meant.status_code == 302
    assert Question.objects.get(key="tea").reference == tea.reference
    assert QuestionRevision.objects.count() == 2
