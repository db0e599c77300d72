"""What `make run` prints of the people of the demonstration."""

import pytest
from django.utils import translation

from demo.management.commands.load_demo import sign_ins
from judging.templatetags.judging import duration as seconds_of_a_run
from workflow.templatetags.workflow import duration


@pytest.mark.django_db
def test_each_person_stands_with_the_languages_they_work_in(project, mona, karim):
    lines = sign_ins(project, "a phrase")
    (of_mona,) = [line for line in lines if mona.email in line]
    names = ", ".join(variety.name for variety in mona.raters.get().varieties.all())
    assert names
    assert of_mona.endswith(f" · {names}")
    assert "annotator" in of_mona.partition(" · ")[0]
    assert lines[-1].endswith("a phrase")


@pytest.mark.parametrize("say", [duration, seconds_of_a_run])
def test_in_arabic_two_seconds_and_two_minutes_are_a_dual_without_a_digit(say):
    """The catalogue has the six forms of Arabic: 0, 1, 2, 3 to 10, 11 to 99, and the hundreds."""
    with translation.override("ar"):
        said = [say(seconds) for seconds in (0, 1, 2, 3, 11, 60, 120, 180, 660)]
    assert said == [
        "0 ثانية", "ثانية واحدة", "ثانيتان", "3 ثوانٍ", "11 ثانية", "دقيقة واحدة", "دقيقتان", "3 دقائق", "11 دقيقة",
    ]  # fmt: skip
