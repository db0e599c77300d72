"""The generated study at the size of JuICE begins from prompts: collected, corrected, then marked and so on."""

from collections import Counter

import pytest
from django.db.models import Count

from annotation.models import GoldError, Marking, Span
from demo.juice import EDITING
from judging.collecting.summaries import overview
from judging.models import Call, CollectionCall
from projects.derived import collected, steps_of, taken
from projects.differences import laid_side_by_side
from projects.models import Derivation, Prompt, Response
from tests.demo.test_generated_juice import ERRORS

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("juice at full size")]
# 50 prompts in six settings; in Bengali 45, of which 5 are asked twice.
PROMPTS = 6 * 50 + 45


@pytest.fixture
def project(juice):
    return juice


def test_three_models_answered_every_prompt_and_some_twice(project):
    assert Prompt.objects.filter(project=project).count() == PROMPTS
    calls = CollectionCall.objects.filter(endpoint__project=project)
    assert Counter(calls.values_list("state", flat=True)) == {"collected": 1050}
    assert Counter(calls.values_list("replicate", flat=True)) == {1: 3 * PROMPTS, 2: 3 * 5}
    second = calls.filter(replicate=2).values_list("prompt__variety__tag", "prompt__task").distinct()
    assert list(second) == [("bn-BD", "how-to advice")]
    for endpoint in overview(project).endpoints:
        assert (endpoint.left, endpoint.without_response) == (0, [])


def test_the_grammar_pass_kept_source_and_difference_of_every_text_that_it_changed(project):
    assert set(Call.objects.filter(judge__model=EDITING).values_list("state", flat=True)) == {"scored"}
    [step] = steps_of(project)
    assert step.made + step.same == 1050
    assert 300 < step.made < 400
    assert collected(Response.objects.filter(project=project)).count() == 1050
    for made in Derivation.objects.filter(response__isnull=False).select_related("source", "response")[::40]:
        parts = list(laid_side_by_side(made.source.text, made.response.text, made.edits))
        assert "".join(part.same + part.before for part in parts) == made.source.text
        assert "".join(part.same + part.after for part in parts) == made.response.text
        assert [part.after for part in parts if part.before] == [""]  # a word that stood twice is taken out


def test_everything_that_follows_rests_on_the_corrected_texts(project):
    there = set(taken(Response.objects.filter(project=project)).values_list("pk", flat=True))
    assert len(there) == 1050
    assert set(Marking.objects.filter(response__project=project).values_list("response", flat=True)) == there
    for span in Span.objects.filter(response__project=project, anchor="words").select_related("response")[::500]:
        assert span.response.text[span.start : span.end] == span.quote


def test_errors_of_the_gold_are_the_published_ones_in_every_setting(project):
    rows = GoldError.objects.filter(spans__response__project=project).values("spans__response__prompt__key")
    found: Counter[str] = Counter()
    for row in rows.annotate(n=Count("pk", distinct=True)):
        found["-".join(row["spans__response__prompt__key"].split("-")[:2])] += row["n"]
    assert found == ERRORS
