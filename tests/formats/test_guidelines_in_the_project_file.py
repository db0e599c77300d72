"""Guidelines of a project file: one text, or a text for each language."""

import io

import pytest

from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from formats.project_file.applying import apply_file, clone, create_from_file
from formats.project_file.describing import described, file_of
from projects.guidelines import texts_of
from projects.guidelines_drafts import save
from projects.guidelines_in_languages import reading_of
from projects.models import GuidelinesVersion, Project
from projects.problems import Invalid

pytestmark = pytest.mark.django_db

HEAD = "format: mizan.project/1\nproject: {name: Feasts of the Nile, areas: [spans]}\n"
BOTH = f"{HEAD}guidelines:\n  en: Mark what is wrong.\n  bn: যা ভুল তা চিহ্নিত করুন।\n"


def made(content: str = BOTH):
    return create_from_file(content.encode(), "nile").project


def test_both_languages_come_in_and_go_out_again():
    project = made()
    assert (project.guidelines, project.guidelines_language) == ("Mark what is wrong.", "en")
    assert project.guidelines_translations == {"bn": project.guidelines_version}
    assert described(project)["guidelines"] == {"en": "Mark what is wrong.", "bn": "যা ভুল তা চিহ্নিত করুন।"}
    before, versions = file_of(project), GuidelinesVersion.objects.count()
    assert not apply_file(project, before).changes
    assert (file_of(project), GuidelinesVersion.objects.count()) == (before, versions)


def test_another_translation_leaves_the_main_text_at_its_version(nour):
    project = made()
    changed = BOTH.replace("যা ভুল তা", "সব ভুল").encode()
    [change] = apply_file(project, changed, nour).changes
    assert change.place == "guidelines.bn"
    project.refresh_from_db()
    assert (project.guidelines_version, project.guidelines_text_version) == (3, 2)
    assert project.guidelines_translations == {"bn": 3}


def test_a_language_that_is_left_out_is_taken_back():
    project = made()
    apply_file(project, f"{HEAD}guidelines: {{en: Mark what is wrong.}}\n".encode())
    project.refresh_from_db()
    assert texts_of(project) == {"en": "Mark what is wrong."}


def test_another_main_language_is_another_main_text():
    project = made()
    apply_file(project, f"{HEAD}guidelines:\n  bn: ক\n  en: Mark.\n".encode())
    project.refresh_from_db()
    assert (project.guidelines, project.guidelines_language) == ("ক", "bn")
    assert project.guidelines_translations == {"en": 3}


def test_a_text_of_no_language_stays_a_text():
    project = made(f"{HEAD}guidelines: Mark.\n")
    assert described(project)["guidelines"] == "Mark."
    assert (project.guidelines_language, GuidelinesVersion.objects.count()) == ("", 0)
    apply_file(project, f"{HEAD}guidelines: {{und: Mark., bn: ক}}\n".encode())
    project.refresh_from_db()
    assert described(project)["guidelines"] == {"und": "Mark.", "bn": "ক"}


def test_a_clone_has_them_all():
    copy = clone(made(), "delta").project
    assert texts_of(copy) == {"en": "Mark what is wrong.", "bn": "যা ভুল তা চিহ্নিত করুন।"}


def test_an_archive_moves_every_version_and_no_draft(nour):
    project = made()
    apply_file(project, BOTH.replace("what is wrong", "all of it").encode(), nour)
    project.refresh_from_db()
    save(project, "", "A draft of nobody's business.", "", "3.0", nour)
    out = io.BytesIO()
    write_archive(project, out)
    there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue()), "delta").project)
    assert texts_of(there) == texts_of(project)
    assert (there.guidelines_version, there.guidelines_text_version, there.guidelines_translations) == (3, 3, {"bn": 2})
    reading, languages = reading_of(there.guidelines_versions.get(number=3), "bn")
    assert (reading.version, reading.lags, languages) == (2, True, ["en", "bn"])
    assert not there.guidelines_drafts.exists()


@pytest.mark.parametrize(
    ("value", "place", "words"),
    [
        ("{xx-nothing: Mark.}", "guidelines.xx-nothing", "is not a language tag"),
        ("{en: Mark., mul: Mark.}", "guidelines.mul", "is not a language tag"),
        ("{en: Mark., und: Mark.}", "guidelines.und", "is not a language tag"),
        ("{zh-TW: Mark., zh-Hant-TW: Mark.}", "guidelines.zh-Hant-TW", "twice"),
        ("{en: ''}", "guidelines", "empty"),
        ("{}", "guidelines", "languages are expected"),
        ("{en: 7}", "guidelines", "text in quotes"),
        ("[en]", "guidelines", "text in quotes"),
        (f"{{en: {'x' * 200_000}}}", "guidelines", "at most 100000"),
    ],
)
def test_bad_languages_are_said_with_their_place(value, place, words):
    with pytest.raises(Invalid) as found:
        made(f"{HEAD}guidelines: {value}\n")
    problem = next(one for one in found.value.problems if one.field == place)
    assert (problem.line, words in problem.message) == (3, True)
