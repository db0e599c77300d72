"""Nour reads the results of ratings, takes their files away, and goes from a figure to what was said of a pair."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Rating
from judging.models import Judge
from projects.models import Project, Rater, ResponsePair
from providers.models import Provider
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import join, person, signed_in
from tests.reports.menlo import a_study
from tests.reports.reading import head_and_foot

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(db):
    return a_study(share=0.01)


@pytest.fixture
def nour(drawn):
    return join(person("nour@example.org", "Nour Haddad"), drawn.project, "lead")


@pytest.fixture
def farida(drawn):
    return join(person("farida@example.org", "Farida Amin"), drawn.project, "annotator", varieties=("ar-EG",))


def page_of(someone, address: str = "", slug: str = "menlo") -> str:
    response = signed_in(someone).get(f"/p/{slug}/rating-results/{address}")
    assert response.status_code == 200, address
    return response.content.decode()


def a_pair(project, **conditions) -> ResponsePair:
    return ResponsePair.objects.filter(project=project, **conditions).order_by("id")[0]


def test_every_table_has_a_card_and_a_page_with_its_recipe(nour, drawn):
    page = page_of(nour)
    for table in RATINGS.tables(drawn.project):
        assert f'href="/p/menlo/rating-results/{table.id}/"' in page.split(f'id="{table.id}"')[1].split("</article>")[0]
        finding = page_of(nour, f"{table.id}/")
        if table.rows:
            assert table.recipe.signature() in finding
    assert "Alpha of people" in page
    assert "Best preference accuracy of a judge" in page
    assert "the human ceiling" in page


def test_judges_stand_beside_the_human_ceiling(nour):
    assert "People 0." in page_of(nour).split('id="judges-against-gold"')[1].split("</article>")[0]
    section = page_of(nour, "judges-against-gold/")
    head, foot = head_and_foot(section)
    assert foot[0] == "People among themselves"
    assert "of 216 scored" in foot[head.index("Preference accuracy")]
    assert "of 36 scored" in section, "eighteen test pairs, both responses"


def test_a_sentence_on_a_card_speaks_of_nothing_that_stands_on_the_page_alone(nour):
    card = page_of(nour).split('id="judges-by-variety"')[1].split("</article>")[0]
    assert "Preference accuracy, macro-F1 and signed error of every judge in every variety." in card
    assert "above the map" not in card


def test_every_row_leads_to_the_pairs_it_counts(nour, drawn):
    client = signed_in(nour)
    links = [
        link.replace("&amp;", "&")
        for table in RATINGS.tables(drawn.project)
        for link in re.findall(r'href="(/p/menlo/rating-results/pairs/[^"]+)"', page_of(nour, f"{table.id}/?rows=all"))
    ]
    shapes = {tuple(parse_qs(urlsplit(link).query)): link for link in links}
    assert len(shapes) >= 4
    for link in shapes.values():
        answer = client.get(link)
        assert answer.status_code == 200, link
        assert "Not applied" not in answer.content.decode(), link


def test_the_list_begins_with_the_widest_miss(nour, drawn):
    page = page_of(nour, "pairs/")
    judged = {rating.pair_id or 0 for rating in Rating.objects.filter(rater__kind="judge")}
    first = re.search(r'href="/p/menlo/rating-results/pairs/(\d+)/"', page)
    assert int(first[1]) in judged


@pytest.mark.parametrize("outcome", ["missed", "swayed", "unread", "apart"])
def test_the_list_is_narrowed_by_what_became_of_the_verdicts(nour, drawn, outcome):
    pair = a_pair(drawn.project)
    swayed = Rating.objects.filter(is_of_both_orders=True, pair=pair).first()
    Rating.objects.filter(pk=swayed.pk).update(first_grade=None, second_grade=None, is_unparseable=True)
    page = page_of(nour, f"pairs/?outcome={outcome}")
    found = re.search(r"(\d+) pairs? (?:or|and)", page)
    assert found, outcome
    assert 0 < int(found[1]) < drawn.project.pairs.count()
    if outcome == "unread":
        assert int(found[1]) == 1
        assert "could not be read" in page


def test_the_list_is_narrowed_by_judge_and_rater(nour, drawn):
    judge = Rater.objects.filter(project=drawn.project, kind="judge").first()
    assert "18 pairs" in page_of(nour, f"pairs/?judge={judge.pseudonym}")
    rater = Rating.objects.filter(rater__kind="human").first().rater
    expected = Rating.objects.filter(rater=rater).count()
    assert re.search(rf"\b{expected} pairs?\b", page_of(nour, f"pairs/?rater={rater.pseudonym}"))
    assert "Nothing is like that" in page_of(nour, f"pairs/?rater={rater.pseudonym}&outcome=unread")


def test_everything_said_of_a_pair_stands_side_by_side(nour, drawn):
    pair = a_pair(drawn.project)
    mine = Rating.objects.filter(pair=pair, rater__kind="human").first()
    Rating.objects.filter(pk=mine.pk).update(comment="Reads like a letter.", is_swapped=True, preference="tie")
    check = Rater.objects.create(project=drawn.project, kind="human", name="Checked")
    rate(pair, check, mine.question, 1, 1, is_check=True)
    page = page_of(nour, f"pairs/{pair.pk}/")
    assert pair.first.text in page
    assert pair.second.text in page
    assert mine.rater.pseudonym in page
    assert mine.rater.name not in page, "people stand here by pseudonym"
    assert "Reads like a letter." in page
    assert check.pseudonym not in page, "an answer to a check is no opinion of the pair"
    assert "first response alone" in page
    for judge in Rater.objects.filter(project=drawn.project, kind="judge"):
        assert f"<bdi>{judge.name}</bdi>" in page
    one = Rater.objects.filter(project=drawn.project, kind="judge").first()
    alone = page_of(nour, f"pairs/{pair.pk}/?judge={one.pseudonym}")
    assert alone.count("Harbor 9B") == alone.count(one.name)
    assert "Show all judges" in alone


def test_gold_of_a_pair_is_what_the_figures_take_for_it(nour, project):
    feasts = make_ratings_project(project)
    join(nour, feasts, "lead")
    formality = question_type(feasts)
    from tests.annotation.rated import pair_of

    pair = pair_of(feasts, "g1", question=formality)
    for name, first, second in (("Mona", 4, 2), ("Karim", 4, 2), ("Salma", 1, 5)):
        rate(pair, Rater.objects.create(project=feasts, kind="human", name=name), formality, first, second)
    assert "4 : 2" in page_of(nour, f"pairs/{pair.pk}/", slug="feasts")
    assert "First is better" in page_of(nour, "pairs/", slug="feasts")
    expert = Rater.objects.create(project=feasts, kind="human", name="Hana", is_expert=True)
    rate(pair, expert, formality, 1, 5)
    assert "Gold, by experts:" in page_of(nour, f"pairs/{pair.pk}/", slug="feasts")
    assert "Second is better" in page_of(nour, "pairs/", slug="feasts")


def test_a_single_response_has_a_page_too(nour, project, koshari):
    feasts = make_ratings_project(project)
    join(nour, feasts, "lead")
    rate(koshari, Rater.objects.create(project=feasts, kind="human", name="Mona"), question_type(feasts), 4)
    listed = page_of(nour, "pairs/", slug="feasts")
    assert f"/p/feasts/rating-results/responses/{koshari.uuid}/" in listed
    assert koshari.text in page_of(nour, f"responses/{koshari.uuid}/", slug="feasts")


def test_ways_of_asking_one_model_stand_in_one_table(nour, drawn):
    provider = Provider.objects.create(name="near", base_url="http://127.0.0.1:9/v1")
    for rater in Rater.objects.filter(project=drawn.project, kind="judge"):
        options = {"shots": "few" if "examples" in rater.name else "zero", "rubric": "rubric" in rater.name}
        kind = "pairwise" if "pairwise" in rater.name else "pointwise"
        Judge.objects.create(
            project=drawn.project, rater=rater, kind=kind, model="harbor-9b", provider=provider, options=options
        )
    [found] = [table for table in RATINGS.tables(drawn.project) if table.id == "judge-setups"]
    assert len(found.rows) == 8
    assert len({row.labels for row in found.rows}) == 8
    assert {row.labels[0] for row in found.rows} == {"harbor-9b"}


def test_people_stand_on_a_page_of_their_own(nour, drawn):
    page = page_of(nour, "raters/")
    assert "People beside the others" in page
    assert "Rater 3" not in page, "people stand here by pseudonym"
    lines = signed_in(nour).get("/p/menlo/rating-results/raters/raters.csv").content.decode("utf-8-sig")
    assert lines.count("severity") == Rating.objects.filter(rater__kind="human").values("rater").distinct().count()


def test_the_csv_has_a_line_per_figure(nour):
    answer = signed_in(nour).get("/p/menlo/rating-results/judge-order.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="menlo-judge-order.csv"'
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {line["measure"] for line in lines} == {"positional agreement", "first-position rate"}


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("agreement", "menlo", *arguments, stdout=out)
    return out.getvalue()


def test_command_interface_and_page_give_the_same_numbers(nour):
    printed = json.loads(said("--json", "--dimension", "tone"))
    client = signed_in(nour)
    assert client.get("/api/v1/projects/menlo/agreement/", {"dimension": "tone"}).json() == printed
    for table in printed["tables"]:
        of_raters = ("raters", "severity-separation", "rater-confusions")
        place = "raters/" if table["id"] in of_raters else ""
        assert client.get(f"/p/menlo/rating-results/{place}{table['id']}.json?dimension=tone").json() == table
    assert {"ratings-by-variety", "judges-against-gold", "wins", "raters"} <= {one["id"] for one in printed["tables"]}


def test_a_value_that_is_no_choice_is_refused_by_name(nour):
    assert "Not applied" in page_of(nour, "?split=holdout")
    with pytest.raises(CommandError, match="train, validation or test"):
        said("--split", "holdout")


def test_an_annotator_and_the_lead_of_another_project_find_nothing(farida, omar, drawn):
    pair = a_pair(drawn.project)
    places = (
        "",
        "wins/",
        "raters/raters/",
        "wins.csv",
        "wins.json",
        "raters/",
        "raters/raters.csv",
        "pairs/",
        f"pairs/{pair.pk}/",
    )
    for someone in (farida, omar):
        for address in (*places, f"responses/{pair.first.uuid}/"):
            assert signed_in(someone).get(f"/p/menlo/rating-results/{address}").status_code == 404, address


def test_a_pair_of_another_project_is_not_here(nour, drawn):
    other = a_study("other", share=0.005)
    assert signed_in(nour).get(f"/p/menlo/rating-results/pairs/{a_pair(other.project).pk}/").status_code == 404


def test_empty_pages_say_what_to_do(nour):
    empty = Project.objects.create(slug="empty", name="Empty", preset="ratings", areas=["ratings"])
    join(nour, empty, "lead")
    assert "Figures appear here once responses have been rated" in page_of(nour, slug="empty")
    assert "Nothing has been rated yet" in page_of(nour, "pairs/", slug="empty")
    assert "People appear here once" in page_of(nour, "raters/", slug="empty")


def test_the_menu_leads_a_lead_here(nour, farida):
    assert "/p/menlo/rating-results/" in signed_in(nour).get("/p/menlo/").content.decode()
    assert "/p/menlo/rating-results/" not in signed_in(farida).get("/p/menlo/").content.decode()


@pytest.mark.every_case
@pytest.mark.parametrize("address", ["", "pairs/", "raters/", "judges-against-gold/", "raters/raters/"])
@pytest.mark.parametrize("kept", [False, True])
def test_the_number_of_queries_does_not_grow_with_the_ratings(db, address, kept):
    def queries(slug: str, share: float) -> int:
        project = a_study(slug, share=share).project
        client = signed_in(join(person(f"{slug}@example.org", "Lead"), project, "lead"))
        client.get(f"/p/{slug}/rating-results/{address}")
        if not kept:
            cache.clear()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/p/{slug}/rating-results/{address}").status_code == 200
        return len(captured)

    assert queries("few", 0.008) == queries("more", 0.016)


def test_the_number_of_queries_of_a_pair_does_not_grow_with_its_answers(nour, drawn):
    few, many = a_pair(drawn.project, key="p40"), a_pair(drawn.project, key="p0")
    assert many.ratings.count() > few.ratings.count()
    client = signed_in(nour)

    def queries(pair) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/p/menlo/rating-results/pairs/{pair.pk}/").status_code == 200
        return len(captured)

    queries(few)
    assert queries(few) == queries(many)
