"""A judge is set up on the page, by the programming interface and on the command line by the same options."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from judging.forms.judges import JudgeForm, options_of_kinds
from judging.judges import add_judge
from judging.kinds import judge_kinds
from judging.kinds.options import SENT, checked
from judging.management.commands.add_judge import Command
from judging.models import Judge
from projects.problems import Invalid
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def lead(nour):
    return signed_in(nour)


API = "/api/v1/projects/feasts/judges/"


def add(lead, **told):
    return lead.post(API, json.dumps({"provider": "simulated", **told}), content_type="application/json")


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("add_judge", "feasts", *arguments, stdout=out)
    return out.getvalue()


def test_nour_adds_one_from_a_program_and_lists_it(lead, provider):
    answer = add(lead, model="simulated-1", kind="pairwise", shots="few", rubric=False, examples_seed=7, seed=3)
    assert answer.status_code == 201, answer.content
    stored = {"shots": "few", "examples_seed": 7, "rubric": False, "orders": "both", "seed": 3}
    assert answer.json()["options"] == Judge.objects.get().options == stored
    assert answer.json()["name"] == "simulated-1 (pairwise, few-shot, examples seed 7, seed 3)"
    [listed] = lead.get(API).json()["results"]
    assert listed == answer.json()


def test_omar_adds_the_same_one_on_the_command_line(project, provider):
    said = command("simulated-1@simulated", "--kind", "pairwise", "--shots", "few", "--without-rubric", "--seed", "3")
    assert said.startswith("simulated-1 (pairwise, few-shot, seed 3)")
    assert Judge.objects.get().options == {"shots": "few", "rubric": False, "orders": "both", "seed": 3}


def test_a_seed_of_0_is_a_seed_on_the_command_line_too(project, provider):
    command("simulated-1@simulated", "--seed", "0", "--shots", "few", "--examples-seed", "0")
    options = Judge.objects.get().options
    assert (options["seed"], options["examples_seed"]) == (0, 0)
    with pytest.raises(CommandError, match="1 to 200000"):
        command("simulated-1@simulated", "--name", "terse", "--max-output-tokens", "0")


def test_null_is_no_number_of_tokens(lead, provider, project):
    answer = add(lead, model="simulated-1", max_output_tokens=None)
    assert (answer.status_code, list(answer.json())) == (400, ["max_output_tokens"])
    with pytest.raises(Invalid, match="1 to 200000"):
        add_judge(project, provider, "simulated-1", max_output_tokens=None)
    assert add(lead, model="simulated-1", seed=None).status_code == 201, "a seed may be none"


@pytest.mark.parametrize(
    ("told", "field", "code"),
    [
        ({"kind": "no-such"}, "kind", "unknown_kind"),
        ({"kind": "groups", "granularity": "paragraph"}, "granularity", "unknown_option"),
        ({"kind": "spans", "orders": "one"}, "orders", "unknown_option"),
        ({"kind": "spans", "asks_by": "own-9"}, "asks_by", "unknown_prompt"),
        ({"kind": "spans", "granularty": "response"}, "granularty", "unknown_option"),
        ({"kind": "spans", "temperature": 1}, "temperature", "unknown_option"),
    ],
)
def test_what_a_kind_does_not_have_is_refused_and_nothing_is_added(told, field, code, lead, provider):
    answer = add(lead, model="simulated-1", **told)
    assert answer.status_code == 422
    assert [(each["field"], each["code"]) for each in answer.json()["problems"]] == [(field, code)]
    assert not Judge.objects.exists()


def test_a_value_that_an_option_does_not_have_is_refused(lead, provider, project):
    assert add(lead, model="simulated-1", granularity="sentence").status_code == 400
    with pytest.raises(Invalid, match="paragraph, response"):
        add_judge(project, provider, "simulated-1", granularity="sentence")
    with pytest.raises(Invalid, match="0 to 2147483647"):
        add_judge(project, provider, "simulated-1", seed=-1)
    with pytest.raises(CommandError, match="such option"):
        command("simulated-1@simulated", "--kind", "rubric", "--orders", "one")
    with pytest.raises(CommandError, match="The providers: simulated"):
        command("simulated-1@nowhere")
    with pytest.raises(CommandError, match="There is no prompt"):
        command("simulated-1@simulated", "--prompt", "v9")
    assert not Judge.objects.exists()


def test_a_pasted_name_is_kept_without_the_spaces_around_it(project, provider):
    command("  simulated-1 @simulated", "--name", " Strict one ")
    judge = Judge.objects.select_related("rater").get()
    assert (judge.model, judge.rater.name, judge.rater.model) == ("simulated-1", "Strict one", "simulated-1")


@pytest.mark.parametrize(
    ("model", "name", "field"),
    [
        ("   ", "", "model"),
        ("simulated\t1", "", "model"),
        ("simulated-" + "1" * 191, "", "model"),
        ("simulated-1", "n" * 121, "name"),
        ("simulated-1", "first line\nsecond line", "name"),
        ("simulated-1", "a\0b", "name"),
        ("simulated-1", "turned \u202earound", "name"),
    ],
)
def test_what_is_no_name_is_refused_by_the_command_and_on_the_page(model, name, field, lead, project, provider):
    """SQLite would keep any length, PostgreSQL none of these lengths; a line that is broken breaks every table."""
    with pytest.raises(CommandError, match=f"^{field}: "):
        command(f"{model}@simulated", "--name", name)
    answer = lead.post("/p/feasts/judges/add/", {"provider": provider.pk, "model": model, "name": name})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert not Judge.objects.exists()


def test_every_option_stands_on_the_page_in_the_interface_and_on_the_command_line(lead, provider):
    flags = {option.flag for option in (*options_of_kinds(), *SENT)}
    shown = Command().create_parser("manage.py", "add_judge").format_help()
    assert all(flag in shown for flag in flags)
    fields = {option.field_name for option in (*options_of_kinds(), *SENT)}
    assert fields <= set(JudgeForm().fields)
    documented = lead.get("/api/v1/schema/?format=json").json()["components"]["schemas"]["NewJudge"]["properties"]
    assert {option.name for option in (*options_of_kinds(), *SENT)} <= set(documented)


def test_options_of_one_name_are_one_field_of_the_form():
    """Two kinds may keep and call an option differently; what people choose from is the same."""
    by_name: dict = {}
    for kind in judge_kinds().values():
        for option in kind.options:
            by_name.setdefault(option.name, set()).add((type(option), str(option.label), str(option.default)))
    assert all(len(forms) == 1 for forms in by_name.values()), by_name


@pytest.mark.parametrize("name", ["spans", "groups", "categories", "rubric", "pointwise", "pairwise"])
def test_the_ways_of_a_kind_are_of_its_options(name):
    kind = judge_kinds()[name]
    assert kind.ways
    for way in kind.ways:
        assert checked(kind.options, way.options)[1] == []
