"""Nour sets a study up from one file: made, exported, brought in again, cloned, compared; and what is refused."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from formats.project_file.applying import apply_file, clone, create_from_file
from formats.project_file.describing import described, file_of, project_format
from formats.project_file.part import parts
from formats.project_file.reading import read_yaml
from formats.project_file.writing import write_yaml
from projects.models import AuditEvent, Membership, Project
from projects.problems import Invalid
from providers.endpoints import simulated_provider
from tests.formats.project_files import FILES, HEAD, WHOLE, made_of
from tests.preset_parts import FILES as PRESETS

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(db) -> Project:
    simulated_provider()
    return create_from_file(WHOLE.encode(), "nile").project


# --- Out and in again ---


def test_a_file_with_something_of_every_part_comes_back_as_it_was(whole):
    """Every part that is declared has something in it, and nothing of it is lost."""
    assert set(described(whole)) - {"format"} == {part.key for part in parts()}
    assert described(whole) == read_yaml(WHOLE.encode())[0]


def test_what_was_exported_is_exported_again_byte_for_byte(whole):
    exported = file_of(whole)
    again = create_from_file(exported, "again").project
    assert file_of(again) == exported
    assert apply_file(whole, exported).changes == []
    assert file_of(whole) == exported


@given(FILES)
@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_project_goes_out_and_in_alike(db, data):
    with transaction.atomic():
        first = file_of(made_of(data, "first").project)
        second = create_from_file(first, "second").project
        assert file_of(second) == first
        assert apply_file(second, first).changes == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_a_project_file_that_comes_back_as_it_is(name):
    content = PRESETS[name].read_bytes()
    made = create_from_file(content, "made")
    assert made.notes == []
    assert described(made.project) == read_yaml(content)[0]


def test_who_makes_it_leads_it_and_the_audit_log_says_so(nour):
    made = create_from_file(HEAD.encode(), "", nour).project
    assert made.slug == "meals"
    assert Membership.objects.get(project=made).user == nour
    assert AuditEvent.objects.get(project=made, action="project.created").actor == nour


def test_a_clone_has_the_parts_and_neither_texts_nor_people(project, koshari, mona):
    copy = clone(project, "copy", name="Copied").project
    assert described(copy) == {**described(project), "project": {**described(project)["project"], "name": "Copied"}}
    assert not copy.responses.exists()
    assert not copy.raters.exists()


def test_reading_takes_as_many_statements_for_a_large_project_as_for_a_small_one(whole, django_assert_max_num_queries):
    large = described(whole)
    large["categories"] = [{"slug": f"c{at}", "name": "C"} for at in range(300)]
    large["errors"] = {}
    large["stages"] += [{"name": f"S{at}", "kind": "spans"} for at in range(50)]
    large["dimensions"][1]["questions"] = [
        {"slug": f"q{at}", "name": "Q", "lowest": 1, "highest": 5} for at in range(100)
    ]
    with django_assert_max_num_queries(40) as small:
        described(whole)
    with django_assert_max_num_queries(160):
        made = made_of({**large, "screening": {}, "judges": {}}, "large").project
    made = Project.objects.get(pk=made.pk)
    with django_assert_max_num_queries(len(small)):
        described(made)
    large["categories"] = [{**each, "name": "Changed"} for each in large["categories"]]
    large["dimensions"][0]["questions"] += large["dimensions"][1].pop("questions")
    with django_assert_max_num_queries(160):
        assert len(apply_file(made, write_yaml({**large, "screening": {}, "judges": {}})).changes) > 300


# --- By command ---


def test_by_command_from_file_to_file(whole, tmp_path, capsys):
    out, esa = tmp_path / "nile.yaml", PRESETS["esa"]
    call_command("export_project", "nile", "--to", str(out))
    assert out.read_bytes() == file_of(whole)
    call_command("import_project", str(esa), "--slug", "esa")
    assert "Made: esa." in capsys.readouterr().out
    call_command("import_project", str(esa), "--slug", "esa")
    assert "nothing changed" in capsys.readouterr().out
    call_command("clone_project", "esa", "copy", "--name", "Copy")
    call_command("compare_projects", "esa", "copy")
    assert "~ project.name: Error spans and a score (ESA) → Copy" in capsys.readouterr().out
    call_command("compare_projects", "esa", str(esa))
    assert "There is no difference." in capsys.readouterr().out
    call_command("export_project", "esa")
    assert capsys.readouterr().out.startswith("format: mizan.project/1\n")
    call_command("import_project", str(out), "--slug", "tried", "--dry-run")
    assert "Would be made: tried." in capsys.readouterr().out
    assert not Project.objects.filter(slug="tried").exists()


def test_by_command_a_short_name_that_is_taken_is_asked_for(whole, tmp_path, capsys):
    path = tmp_path / "x.yaml"
    path.write_text(HEAD.replace("Meals", "Nile"))
    with pytest.raises(CommandError, match="1 problem"):
        call_command("import_project", str(path))
    assert "There is a project “nile” already" in capsys.readouterr().err
    path.write_text(HEAD + "stages: 7\n")
    with pytest.raises(CommandError):
        call_command("import_project", str(path), "--slug", "new")
    assert "line 3, stages: A list is expected" in capsys.readouterr().err
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_project", str(tmp_path / "none.yaml"))


def test_a_file_of_many_entries_is_brought_in_at_once():
    """Five hundred categories of two kilobytes each."""
    text = (
        HEAD + "categories:\n" + "".join(f"- slug: c{n}\n  name: C\n  definition: {'x' * 2000}\n" for n in range(500))
    )
    made = create_from_file(text.encode(), "large").project
    assert made.error_categories.count() == 500
    more = text + "- {slug: one-more, name: C}\n"
    with pytest.raises(Invalid):
        create_from_file(more.encode(), "larger")


def test_every_key_is_in_the_documents():
    document = (Path(__file__).parents[2] / "docs" / "project-file.md").read_text(encoding="utf-8")
    table = document[document.index("## Every key") :]
    for part in parts():
        assert f"| `{part.key}` |" in table
    definitions = project_format().schema["$defs"]
    fields = {field for record in definitions.values() for field in record["properties"]}
    assert {field for field in fields if not re.search(rf"`{field}`", table)} == set()
