"""All nine published sets come in as they were published: by command or API, with mappings of ten lines at most.

What a lead writes beside the mappings is what no file says: the questions that were asked.
"""

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db.models import Sum

from annotation.models import ErrorGroup, Marking, Rating, Review, Span
from benchmark.models import Answer, Configuration, RuleScore
from jobs.models import Job
from jobs.working import work_on
from projects.models import Response, ResponsePair
from tests.people import signed_in
from tests.real_data import booookscore, llm_rubric, llmbar, pandalm, published, recipes_likert, squality
from tests.real_data import test_ratings_arithmetic as arithmetic
from tests.real_data.rating_lines import Rated
from tests.real_data.stored_ratings import lines_of
from tests.real_data.test_import_published_ratings import add_questions

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]
MAPPINGS = Path(__file__).parent / "mappings"


@pytest.mark.parametrize("path", sorted(MAPPINGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_mapping_has_ten_lines_at_most(path):
    assert len(path.read_text(encoding="utf-8").strip().splitlines()) <= 10


Bring = Callable[..., None]
COMMANDS = {
    "items": "import_items",
    "answers": "import_answers",
    "benchmark-questions": "import_questions",
    "benchmark-answers": "import_benchmark_answers",
}


@pytest.fixture(params=["command", "api"])
def bring(request, nour, project) -> Bring:
    """Have a file imported by one of the ways there are: its kind, its path among the published, its mapping."""

    def by_command(kind: str, file: str, mapping: Path, **beside: str) -> None:
        command = COMMANDS[kind]
        call_command(command, project.slug, str(published(file)), mapping=str(mapping), quiet=True, **beside)

    def by_api(kind: str, file: str, mapping: Path, **beside: str) -> None:
        path = published(file)
        parts = {
            "file": SimpleUploadedFile(path.name, path.read_bytes()),
            "mapping": SimpleUploadedFile("mapping.yaml", mapping.read_bytes()),
            **beside,
        }
        answer = signed_in(nour).post(f"/api/v1/projects/feasts/imports/?kind={kind}", parts)
        assert answer.status_code in (201, 202), answer.content
        for job in Job.objects.filter(state="queued", kind="import"):
            work_on(job.pk)

    return {"command": by_command, "api": by_api}[request.param]


def items(bring: Bring, file: str, mapping: str) -> None:
    bring("items", file, MAPPINGS / f"{mapping}.yaml")


def answers(bring: Bring, file: str, mapping: str) -> None:
    bring("answers", file, MAPPINGS / f"{mapping}.yaml")


def test_pandalm(bring, project, tmp_path):
    numbers = arithmetic.reference_numbers("pandalm")
    add_questions(pandalm, project, tmp_path)
    items(bring, "pandalm/testset-v1.json", "pandalm-items")
    answers(bring, "pandalm/testset-v1.json", "pandalm-people")
    answers(bring, "pandalm/gpt-3.5-turbo-testset-v1.json", "pandalm-gpt")
    answers(bring, "pandalm/pandalm-7b-testset-v1.json", "pandalm-own")
    assert (ResponsePair.objects.count(), Response.objects.count()) == (numbers["items"], 2 * numbers["items"])
    assert Rating.objects.filter(is_unparseable=True).count() == numbers["gpt35_unparseable"]
    compared = Rated(list(lines_of(project)))
    people = compared.of(rater_kind="human")
    majority = arithmetic.gold(people.subject, people.preference, scale=(-1, 1))
    arithmetic.test_three_people_pair_by_pair(people, numbers)
    arithmetic.test_three_people_together(people, majority, numbers)
    for judge, policy, part in (
        (pandalm.GPT35, "tie", "gpt35_unparseable_as_tie"),
        (pandalm.PANDALM, "excluded", "pandalm7b"),
    ):
        arithmetic.test_judges_against_the_majority(compared, people, majority, numbers, judge, policy, part)


def test_recipes_whose_csv_is_set_apart_by_tabs(bring, project, tmp_path):
    add_questions(recipes_likert, project, tmp_path)
    items(bring, "recipes_likert/cleaned_data_anonymized.csv", "recipes-items")
    answers(bring, "recipes_likert/cleaned_data_anonymized.csv", "recipes-answers")
    assert Response.objects.count() == arithmetic.reference_numbers("recipes_likert")["items"]
    arithmetic.test_recipes_alpha_of_sparse_raters(Rated(list(lines_of(project))))


def test_llm_rubric(bring, project, tmp_path):
    numbers = arithmetic.reference_numbers("llm_rubric")
    add_questions(llm_rubric, project, tmp_path)
    items(bring, "llm_rubric/human_judges_real_convs_FIXED_ANON.tsv", "llm-rubric-items")
    answers(bring, "llm_rubric/human_judges_real_convs_FIXED_ANON.tsv", "llm-rubric-people")
    answers(bring, "llm_rubric/real_convs_machine_baselines.tsv", "llm-rubric-judges")
    answers(bring, "llm_rubric/real_convs_random_baseline.tsv", "llm-rubric-random")
    conversations = Rated(list(lines_of(project)))
    for judge in ("sample_llm", "argmax_llm", "random"):
        arithmetic.test_llm_rubric_overall_satisfaction(conversations, numbers, judge)


def test_llmbar(bring, project, tmp_path):
    add_questions(llmbar, project, tmp_path)
    items(bring, "llmbar/Natural/dataset.json", "llmbar-items")
    answers(bring, "llmbar/Natural/dataset.json", "llmbar-gold")
    stated = (MAPPINGS / "llmbar-judge.yaml").read_text(encoding="utf-8")
    names = ("ChatGPT/Rating", "GPT-4/Rating", "GPT-4/Vanilla", "LLaMA2/Vanilla")
    for name in names:
        model = name.partition("/")[0]
        own = tmp_path / f"{name.replace('/', '-')}.yaml"
        named = stated.replace("GPT-4/Vanilla", name).replace("model: GPT-4", f"model: {model}")
        own.write_text(named.replace("OpenAI", llmbar.LABORATORIES[model]), encoding="utf-8")
        bring("answers", f"llmbar/Natural/evaluators/{name}/result.json", own)
    both_orders = Rated(list(lines_of(project)))
    for name in names:
        arithmetic.test_llmbar_judges_in_both_orders(both_orders, name)


def test_squality(bring, project, tmp_path, monkeypatch):
    add_questions(squality, project, tmp_path)
    items(bring, "squality/all-responses.jsonl", "squality-items")
    answers(bring, "squality/all-responses.jsonl", "squality-answers")
    assert Response.objects.count() == arithmetic.reference_numbers("squality_human_eval")["responses"]
    stored = Rated(list(lines_of(project)))
    monkeypatch.setattr(squality, "answers", lambda folder: iter(stored.lines))
    arithmetic.test_squality_grades()


def test_booookscore(bring, project):
    reference = json.loads(published("reference/booookscore_validation.json").read_text(encoding="utf-8"))
    items(bring, booookscore.FILE, "booookscore-items")
    for part in ("spans", "reviews", "groups"):
        answers(bring, booookscore.FILE, f"booookscore-{part}")
    assert (Response.objects.count(), Span.objects.count()) == (reference["summaries"], reference["spans"])
    assert Span.objects.filter(group=None).count() + ErrorGroup.objects.count() == reference["annotations"]
    names = {verdict: label for label, verdict in booookscore.VERDICTS.items()}
    for detector, rater in booookscore.DETECTORS.items():
        first = Span.objects.filter(rater__name=rater["rater"], key__endswith="-a")
        verdicts = Review.objects.filter(span__in=first).values_list("verdict", flat=True)
        assert Counter(names[verdict] for verdict in verdicts) == reference[detector]["counts"]


@pytest.mark.parametrize(
    ("file", "reference"),
    [
        ("mqm_sxs2023_ende/sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv", "mqm_sxs2023_ende_sample"),
        ("mqm_ted_ende/mqm_ted_ende.tsv", "mqm_ted_ende"),
    ],
)
def test_mqm_tables_as_wmt_publishes_them(bring, project, file, reference):
    numbers = json.loads(published(f"reference/{reference}.json").read_text(encoding="utf-8"))
    items(bring, file, "mqm-items")
    answers(bring, file, "mqm-answers")
    total = Span.objects.aggregate(total=Sum("penalty"))["total"]
    if "penalty_mean" in numbers:
        assert Response.objects.count() == numbers["items"]
        assert Span.objects.filter(anchor="words").count() == numbers["target_spans"]
        assert total / Marking.objects.count() == pytest.approx(numbers["penalty_mean"], abs=1e-9)
        return
    assert Response.objects.count() == Marking.objects.count() == numbers["segments_scored"]
    penalties: dict[str, list[float]] = defaultdict(list)
    rows = Marking.objects.annotate(total=Sum("spans__penalty"))
    for model, penalty in rows.values_list("response__target_model__name", "total"):
        penalties[model].append(penalty or 0.0)
    # The reference gives six digits.
    means = {model: round(statistics.fmean(each), 6) for model, each in penalties.items()}
    assert means == numbers["system_mean_penalty"]


def test_alpaca_eval_with_its_packed_file(bring, project):
    expected = json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8"))
    expected = expected.get("models", expected)
    bring("benchmark-questions", "alpaca_eval/questions.jsonl", MAPPINGS / "alpaca-questions.yaml")
    call_command("freeze_questions", project.slug, "alpaca")
    bring("benchmark-answers", "alpaca_eval/outputs.jsonl.gz", MAPPINGS / "alpaca-answers.yaml", set="alpaca")
    call_command("score_rules", project.slug)
    assert (Configuration.objects.count(), Answer.objects.count()) == (10, 8046)
    values: dict[str, list[float]] = defaultdict(list)
    rows = RuleScore.objects.filter(rater__isnull=False)
    for model, value in rows.values_list("answer__configuration__name", "value"):
        values[model].append(value)
    for model, given in values.items():
        assert 10 * statistics.fmean(given) == pytest.approx(expected[model]["win_rate"], abs=1e-9)
