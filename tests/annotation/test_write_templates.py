"""Nour writes prompt templates, sees how far they are localised, and draws their splits."""

import pytest
from django.db import IntegrityError, transaction

from projects.localising import localise
from projects.models import AuditEvent, LanguageVariety, Prompt, PromptTemplate
from tests.annotation.localising import EGYPTIAN, ORIGINAL, VALUES, template_of
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
LIST = "/p/feasts/templates/"


@pytest.fixture
def project(project):
    return make_ratings_project(project)


@pytest.fixture
def formality(project):
    return question_type(project)


def localised(template: PromptTemplate, tag: str = "ar-EG", answered: bool = False) -> Prompt:
    made = localise(template, LanguageVariety.objects.get(tag=tag), EGYPTIAN, VALUES, None)
    if answered:
        response = add_response(template.project, f"r-{template.key}", "ممكن طبق تاني؟", tag)
        type(response).objects.filter(pk=response.pk).update(prompt=made.prompt)
    return made.prompt


def form_of(template: PromptTemplate, **changes) -> dict:
    fields = {"key": template.key, "question": template.question_id, "text": template.text, "split": template.split}
    return fields | changes


# --- The list -------------------------------------------------------------------------------------------


def test_the_list_says_in_how_many_languages_each_is(project, nour, mona, rafia, formality):
    localised(template_of(project))
    page = signed_in(nour).get(LIST).content.decode()
    assert "1 / 2" in page, "of Egyptian Arabic and Bengali"
    assert '<mark class="local-place"><bdi dir="ltr">[locale_country]</bdi></mark>' in page


def test_it_costs_the_same_however_many_there_are(
    project, nour, formality, django_assert_num_queries, django_assert_max_num_queries
):
    template_of(project)
    client = signed_in(nour)
    client.get(LIST)
    with django_assert_max_num_queries(20) as few:
        client.get(LIST)
    for number in range(30):
        template_of(project, f"more-{number}")
    localised(template_of(project, "done"))
    with django_assert_num_queries(len(few)):
        client.get(LIST)


def test_it_is_narrowed_by_what_stands_in_the_filters(project, nour, formality):
    template_of(project, "tone", split="train")
    template_of(project, "humor", question=question_type(project, "humor", dimension="wit"))
    client = signed_in(nour)

    def found(query: str) -> list[str]:
        return [template.key for template, _parts in client.get(LIST + query).context["rows"]]

    assert found("?dimension=wit") == found("?question=humor") == found("?split=none") == ["humor"]
    assert found("?split=train&dimension=tone") == ["tone"]
    assert found("?split=test") == []
    assert sorted(found("?question__name=x&split=nonsense")) == ["humor", "tone"], "what is no choice is not applied"


def test_a_project_without_any_is_told_what_to_do(project, nour):
    assert "A template belongs to a question type" in signed_in(nour).get(LIST).content.decode()
    question_type(project)
    assert "Write one here, or import a file" in signed_in(nour).get(LIST).content.decode()


# --- Writing --------------------------------------------------------------------------------------------


def test_a_template_is_added_and_changed(project, nour, formality):
    client = signed_in(nour)
    form = {"key": "second-helping", "question": formality.pk, "text": ORIGINAL, "split": ""}
    assert client.post(f"{LIST}add/", form).url == LIST
    template = PromptTemplate.objects.get()
    client.post(f"{LIST}{template.pk}/", form | {"split": "test", "text": "In [locale_country]?"})
    template.refresh_from_db()
    assert (template.text, template.split) == ("In [locale_country]?", "test")
    assert AuditEvent.objects.get(action="template.changed").detail == {"fields": ["text", "split"]}


@pytest.mark.parametrize(
    "changes",
    [{"key": ""}, {"key": "a\tb"}, {"key": "x" * 161}, {"text": " "}, {"text": "x" * 10_001}, {"split": "dev"}],
)
def test_what_cannot_be_one_is_refused(project, nour, formality, changes):
    form = {"key": "t-1", "question": formality.pk, "text": ORIGINAL, "split": ""}
    assert signed_in(nour).post(f"{LIST}add/", form | changes).status_code == 422
    assert not PromptTemplate.objects.exists()


def test_an_id_is_taken_once(project, nour, formality):
    form = form_of(template_of(project))
    assert signed_in(nour).post(f"{LIST}add/", form).status_code == 422


def test_a_localised_template_keeps_its_text(project, nour, formality):
    template = template_of(project)
    prompt = localised(template)
    client = signed_in(nour)
    page = client.get(f"{LIST}{template.pk}/").content.decode()
    assert "The template has been localised, so its text stays as it is." in page
    assert prompt.text in page
    client.post(f"{LIST}{template.pk}/", form_of(template, text="Something else", split="test"))
    template.refresh_from_db()
    assert (template.text, template.split) == (ORIGINAL, "test")


def test_the_database_keeps_it_too(project, formality):
    template = template_of(project)
    localised(template)
    for change in ({"text": "x"}, {"key": "x"}, {"question": question_type(project, "humor")}):
        with pytest.raises(IntegrityError), transaction.atomic():
            PromptTemplate.objects.filter(pk=template.pk).update(**change)
    PromptTemplate.objects.filter(pk=template.pk).update(split="train")


@pytest.mark.parametrize("column", ["question", "variety"])
def test_the_database_keeps_what_a_localised_template_has_none_of(project, formality, column):
    bengali, iraqi = LanguageVariety.objects.filter(tag__in=["bn-BD", "ar-IQ"]).order_by("tag")
    of = {"question": (formality, question_type(project, "humor")), "variety": (bengali, iraqi)}
    some, other = of[column]
    for key, was, becomes in (("gets", None, some), ("loses", some, None), ("swaps", some, other)):
        template = template_of(project, key)
        rows = PromptTemplate.objects.filter(pk=template.pk)
        rows.update(**{column: was})
        localised(template)
        with pytest.raises(IntegrityError, match="localised never changes"), transaction.atomic():
            rows.update(**{column: becomes})
        rows.update(**{column: was, "split": "train"})


def test_once_answered_it_keeps_its_split(project, nour, formality):
    template = template_of(project, split="train")
    localised(template, answered=True)
    client = signed_in(nour)
    assert "so its text and its split stay" in client.get(f"{LIST}{template.pk}/").content.decode()
    client.post(f"{LIST}{template.pk}/", form_of(template, split="test"))
    template.refresh_from_db()
    assert template.split == "train"


# --- Splits ---------------------------------------------------------------------------------------------

SHARES = {"train": 50, "validation": 0, "test": 50}


def test_splits_are_drawn_and_recorded(project, nour, formality):
    for number in range(4):
        template_of(project, f"t-{number}")
    client = signed_in(nour)
    client.post(f"{LIST}splits/", SHARES | {"seed": 7})
    drawn = dict(PromptTemplate.objects.values_list("key", "split"))
    assert sorted(drawn.values()) == ["test", "test", "train", "train"]
    told = AuditEvent.objects.get(action="templates.split").detail
    assert (told["seed"], told["shares"]) == (7, SHARES)
    assert told["drawn"] == {
        split: sorted(key for key in drawn if drawn[key] == split) for split in ("train", "validation", "test")
    }
    again = client.post(f"{LIST}splits/", SHARES | {"seed": 8}, follow=True).content.decode()
    assert "Every template has its split already" in again
    assert dict(PromptTemplate.objects.values_list("key", "split")) == drawn


def test_a_split_that_was_used_is_never_drawn_again(project, nour, formality):
    for number in range(6):
        localised(template_of(project, f"t-{number}", split="train"), answered=number < 2)
    signed_in(nour).post(f"{LIST}splits/", {"train": 0, "validation": 0, "test": 100, "seed": 1, "anew": "on"})
    kept = PromptTemplate.objects.filter(split="train").values_list("key", flat=True)
    assert sorted(kept) == ["t-0", "t-1"]


def test_shares_that_do_not_add_up_are_refused(project, nour, formality):
    template_of(project)
    answer = signed_in(nour).post(f"{LIST}splits/", SHARES | {"seed": 1, "train": 60})
    assert answer.status_code == 422
    assert "add up to 100 percent" in answer.content.decode()
    assert PromptTemplate.objects.get().split == ""
