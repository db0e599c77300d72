"""A lead asks how many prompts of which kind there are, and how long texts and judges' replies are."""

import numpy as np
import pytest
from django.urls import reverse

from agreement.figures import Figure
from jobs.models import Job
from judging.models import Call, Judge, PromptVersion, Run, Shard
from projects.models import LanguageVariety, Prompt, Rater, Response
from providers.models import Provider
from reports.dashboard.tables import Table, by_id
from reports.texts.dashboard import TEXTS
from tests.annotation.rated import question_type
from tests.people import add_response, signed_in
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

EGYPT, KOREA = "ar-EG", "ko-KR"


@pytest.fixture
def texts(project):
    """Two prompts in Egypt ("Question of a", "Question of b": three words each), one in Korea; responses of 2, 4, 6 and
    5 words, of which the first two say what their provider counted."""
    for key, words, tag, model, tokens in (
        ("a", 2, EGYPT, "Muse", (12, 8)),
        ("b", 4, EGYPT, "Muse", (14, 10)),
        ("c", 6, EGYPT, "Grok", None),
        ("d", 5, KOREA, "Muse", None),
    ):
        response = add_response(project, key, " ".join(["word"] * words), tag, model)
        if tokens:
            counted = dict(zip(("prompt_tokens", "completion_tokens"), tokens, strict=True))
            Response.objects.filter(pk=response.pk).update(metadata={"collected": counted})
    # The third response is to the second prompt, and the prompt it came with is no longer asked.
    third = Response.objects.get(key="c")
    Response.objects.filter(pk=third.pk).update(prompt=Prompt.objects.get(key="p-b"))
    Prompt.objects.filter(key="p-a").update(domain="food")
    Prompt.objects.filter(key="p-b").update(domain="faith", question=question_type(project))
    return project


def table(project, table_id: str, **filters) -> Table:
    found = by_id(TEXTS.tables(project, filters), table_id)
    assert found is not None, table_id
    return found


def of(found: Table, *labels: str) -> list[Figure]:
    [row] = [row for row in found.rows if set(labels) <= set(row.labels)]
    return list(row.figures)


def label(tag: str) -> str:
    return LanguageVariety.objects.get(tag=tag).label


def test_words_and_tokens_of_prompts_and_responses(texts):
    found = table(texts, "text-lengths")
    n, words, spread, tokens, of_tokens = of(found, "Muse", label(EGYPT))
    assert (n.value, words.value, spread.value) == (2, 3.0, pytest.approx(np.std([2, 4], ddof=1)))
    assert (tokens.value, tokens.n, of_tokens.value) == (9.0, 2, pytest.approx(np.std([8, 10], ddof=1)))
    grok = of(found, "Grok", label(EGYPT))
    assert (grok[1].value, grok[2].undefined, grok[3].undefined) == (6.0, "n < 2", "the provider counted no tokens")
    prompts = of(found, "Prompts", label(EGYPT))
    assert [one.value for one in prompts[:4]] == [2, 3.0, 0.0, 13.0]
    everything = of(found, "All target models", "All varieties")
    assert (everything[0].value, everything[1].value) == (4, 17 / 4)
    of_grok = [row.labels for row in table(texts, "text-lengths", model="Grok").rows]
    assert of_grok == [(text, variety) for variety in (label(EGYPT), "All varieties") for text in ("Prompts", "Grok")]


def test_prompts_are_counted_by_what_the_project_says_of_them(texts):
    found = table(texts, "prompts-per-cell")
    prompts, share, responses, asked, long, *_tokens = of(found, "Domain", "faith", label(EGYPT))
    assert [one.value for one in (prompts, share, responses, asked, long)] == [1, 0.5, 2, 3.0, 5.0]
    assert of(found, "Domain", "not said", "All varieties")[0].value == 1
    assert of(found, "Dimension", "Tone", label(EGYPT))[0].value == 1
    assert of(found, "Question type", "Formality", "All varieties")[1].value == pytest.approx(1 / 3)
    # Nothing is said of tasks, skills or scopes, so no row is about them.
    assert {row.labels[0] for row in found.rows} == {"Domain", "Dimension", "Question type"}


def test_another_domain_of_a_prompt_makes_the_figures_anew(texts):
    assert of(table(texts, "prompts-per-cell"), "food", label(EGYPT))[0].value == 1
    Prompt.objects.filter(key="p-a").update(domain="faith")
    assert of(table(texts, "prompts-per-cell"), "faith", label(EGYPT))[0].value == 2


def test_lengths_of_what_judges_reply(texts):
    assert table(texts, "judge-output-lengths").rows == ()
    rater = Rater.objects.create(project=texts, kind="judge", name="Simba", model="simba-1")
    provider = Provider.objects.create(name="Local", base_url="http://127.0.0.1:9/v1")
    judge = Judge.objects.create(project=texts, rater=rater, provider=provider, model="simba-1")
    version = PromptVersion.objects.create(name="spans", version="v1", text="", text_sha256="")
    run = Run.objects.create(project=texts, judge=judge, prompt_version=version)
    shard = Shard.objects.create(run=run, number=1, job=Job.objects.create(kind="judge_shard", queue="calls"))
    for key, words, tokens in (("a", 10, 30), ("b", 20, None)):
        Call.objects.create(
            **{"run": run, "shard": shard, "judge": judge, "prompt_version": version, "state": "scored"},
            **{"response": Response.objects.get(key=key), "words": words, "completion_tokens": tokens, "attempts": 1},
        )
    found = table(texts, "judge-output-lengths")
    replies, words, spread, tokens, of_tokens = of(found, "Simba", label(EGYPT))
    assert [one.value for one in (replies, words, tokens)] == [2, 15.0, 30.0]
    assert spread.value == pytest.approx(np.std([10, 20], ddof=1))
    assert of_tokens.undefined == "n < 2"


def test_the_page_shows_each_table_and_its_files(texts, nour):
    client = signed_in(nour)
    page = client.get(reverse("text-results", args=[texts.slug])).content.decode()
    assert "Prompts of each kind" in page
    finding = client.get(reverse("text-results-finding", args=[texts.slug, "text-lengths"]))
    assert finding.status_code == 200
    rows = client.get(reverse("text-results-json", args=[texts.slug, "text-lengths"])).json()
    assert figure(table(texts, "text-lengths"), "Grok", label(EGYPT), measure="mean words").value == 6.0
    assert rows["id"] == "text-lengths"


def test_it_costs_the_same_however_many_texts_there_are(texts, django_assert_max_num_queries):
    for number in range(30):
        add_response(texts, f"more-{number}", "word word", EGYPT, "Muse")
    with django_assert_max_num_queries(30):
        TEXTS.tables(texts)
