"""Mona gives acts of her screens keys of her own; none is given twice, and all follow her to every device."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from annotation.models import ReviewVerdict
from projects.problems import Invalid
from rubrics.models import Explicitness, Objectivity
from tests.people import signed_in
from tests.threads import at_once
from tests.workflow.working import marking_stage
from workflow import own_keys
from workflow.claims import claim_next
from workflow.models import OwnKeys
from workflow.own_keys import EVERYWHERE, set_key

pytestmark = pytest.mark.django_db

SOURCE = Path(settings.BASE_DIR) / "static" / "src"
FOLDERS = {
    EVERYWHERE: "task_kit", "spans": "spans", "reviews": "reviews", "ratings": "ratings", "scoring": "scoring",
    "questionnaires": "questionnaires", "authoring": "authoring", "question_check": "question_check",
    "answer_scoring": "answer_scoring",
}  # fmt: skip
COMMAND = re.compile(r'keys: \["(?P<key>(?:Shift\+)?[A-Z])"\], label: gettext\("(?P<label>[^"]+)"\)')
STRETCH = re.compile(r'command\("(?P<key>(?:Shift\+)?[A-Z])", gettext\("(?P<label>[^"]+)"\)')
REMARK = re.compile(r'command\("(?P<key>[A-Z])", "(?P<field>\w+)"')
KEPT = re.compile(
    r'label: gettext\("(?P<label>[^"]+)"\)(?:(?!label:).)*?matches: (?:\(event\) => )?is(?:Digit|Place|Zero)\b', re.S
)
RANGE = re.compile(r'keys: \["(?P<first>\d)(?: – (?P<last>\d))?"\], label: gettext\("(?P<label>[^"]+)"\)')
WORDS = re.compile(r'(\w+): gettext\("([^"]+)"\)')


def in_scripts(folder: str) -> set[tuple[str, str]]:
    """Keys and labels of the tables of keys in the scripts of a screen."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((SOURCE / folder).glob("*.js")))
    found = {(match["key"], match["label"]) for shape in (COMMAND, STRETCH) for match in shape.finditer(text)}
    words = dict(WORDS.findall(text))
    return found | {(match["key"], words[match["field"]]) for match in REMARK.finditer(text)}


def test_what_is_declared_is_what_the_screens_do():
    declared = own_keys.screens()
    assert set(declared) == set(FOLDERS)
    for name, screen in declared.items():
        assert {(act.key, act.label) for act in screen.acts} == in_scripts(FOLDERS[name]), name
        keys = [act.key for act, _key in own_keys._with_keys(screen, {})]
        assert len(keys) == len(set(keys)), name


def test_the_digits_that_a_screen_uses_are_those_it_keeps():
    for name, screen in own_keys.screens().items():
        text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((SOURCE / FOLDERS[name]).glob("*.js")))
        kept = {label: keys for keys, label in screen.needs if keys[0].isdigit()}
        assert set(kept) == set(KEPT.findall(text)), name
        for found in RANGE.finditer(text):
            used = range(int(found["first"]), int(found["last"] or found["first"]) + 1)
            assert {str(digit) for digit in used} <= set(kept[found["label"]]), found["label"]


def test_a_screen_keeps_a_digit_for_every_choice_it_prints_one_on():
    screens = own_keys.screens()
    assert len(screens["reviews"].needs[0][0]) == len(ReviewVerdict.choices)
    assert len(screens["authoring"].needs[0][0]) == len(Objectivity.choices) + len(Explicitness.choices)


def refused(*given) -> str:
    with pytest.raises(Invalid) as caught:
        set_key(*given)
    return caught.value.problems[0].code


def test_a_key_is_hers_on_the_screens_that_have_the_act(mona):
    assert set_key(mona, "spans", "missing", "shift+x") == "Shift+X"
    set_key(mona, EVERYWHERE, "skip", "J")
    assert own_keys.told(mona.pk, "spans") == {"M": "Shift+X", "S": "J"}
    assert own_keys.told(mona.pk, "pairs") == {"S": "J"}
    # The letter that became free is anybody's.
    set_key(mona, "spans", "letters", "S")
    assert own_keys.told(mona.pk, "spans") == {"M": "Shift+X", "S": "J", "L": "S"}
    # Nothing typed, or the usual key, is the usual key.
    set_key(mona, "spans", "missing", " ")
    set_key(mona, "spans", "letters", "L")
    assert own_keys.told(mona.pk, "spans") == {"S": "J"}


def test_a_key_that_another_act_has_is_refused_by_its_name(mona):
    with pytest.raises(Invalid, match="“Skip” has this key already"):
        set_key(mona, "spans", "missing", "S")
    # N is no act of every screen, but of one that has Skip too.
    assert refused(mona, EVERYWHERE, "skip", "N") == "taken"
    assert refused(mona, "spans", "missing", "Shift+E") == "taken"
    set_key(mona, "reviews", "comment", "X")
    assert refused(mona, EVERYWHERE, "bookmark", "X") == "taken"
    set_key(mona, "spans", "missing", "Shift+S")  # with Shift it is another key
    assert own_keys.told(mona.pk, "spans") == {"M": "Shift+S"}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (";", ";"),
        (" < ", "<"),
        ("\\", "\\"),
        ('"', '"'),
        ("f8", "F8"),
        ("F2", "F2"),
        ("9", "9"),
        ("٩", "9"),
        ("৯", "9"),
        ("９", "9"),
    ],
)
def test_a_digit_a_sign_and_a_function_key_are_hers_where_the_screen_leaves_them(typed, kept, mona):
    assert set_key(mona, "question_check", "fits", typed) == kept
    assert own_keys.told(mona.pk, "question_check") == {"Y": kept}
    assert refused(mona, "question_check", "does_not_fit", typed) == "taken"


@pytest.mark.parametrize(
    ("screen", "act", "typed", "what"),
    [
        ("reviews", "next", "1", "Decide about the current error and go on to the next"),
        ("spans", "missing", "٣", "Choose the type and how critical it is"),
        ("spans", "missing", "0", "There are no errors"),
        ("scoring", "next", "8", "Choose what stands beside the digit on the current error"),
        ("spans", "missing", "/", "Find in the text"),
        ("spans", "missing", "؟", "Show this list"),
        # Of an act of every screen all of them are asked.
        (EVERYWHERE, "bookmark", "9", "Choose"),
        (EVERYWHERE, "bookmark", "?", "Show this list"),
    ],
)
def test_a_key_that_the_screen_needs_is_refused_by_what_it_does(screen, act, typed, what, mona):
    with pytest.raises(Invalid, match=f"needs this key itself: “{re.escape(what)}") as caught:
        set_key(mona, screen, act, typed)
    assert caught.value.problems[0].code == "needed"
    assert own_keys.kept(mona.pk) == {}


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "Ctrl+K",
            "F5",
            "F1",
            "F10",
            "F12",
            "F22",
            "Shift+F8",
            "Space",
            "Tab",
            "'",
            "+",
            "Shift+1",
            "Shift+;",
            ";;",
            "KK",
        ),
        *("é", "ش", "🍲", "²", "½", "Shift+", "Alt+Shift+K"),
        "\N{KELVIN SIGN}",
        "\N{LATIN SMALL LETTER LONG S}",
    ],
)
def test_keys_of_the_browser_the_screen_and_of_screen_readers_are_refused(typed, mona):
    assert refused(mona, "spans", "missing", typed) == "reserved"
    assert own_keys.told(mona.pk, "spans") == {}


def test_an_act_that_is_none_is_refused(mona):
    assert refused(mona, "spans", "nothing", "X") == "unknown"
    assert refused(mona, "nowhere", "skip", "X") == "unknown"


def test_acts_that_are_no_more_do_no_harm(mona):
    OwnKeys.objects.create(user=mona, keys={"spans": {"gone": "S"}, "gone": {"skip": "X"}})
    assert own_keys.told(mona.pk, "spans") == {}
    assert set_key(mona, "spans", "missing", "X") == "X"


def test_labels_are_those_of_the_screens_in_her_language():
    skip = own_keys.SHARED.acts[0]
    with translation.override("en"):
        assert own_keys.label_of(skip) == "Skip"
    with translation.override("ar"):
        assert own_keys.label_of(skip) == "تخطّي"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_change_two_keys_at_once(mona):
    given = [("spans", "missing", "X"), ("spans", "letters", "Z")]
    at_once(lambda one: set_key(mona, *one), given)
    assert own_keys.told(mona.pk, "spans") == {"M": "X", "L": "Z"}


@pytest.mark.django_db(transaction=True)
def test_one_key_asked_for_twice_at_once_goes_to_one_act(mona):
    def ask(slug):
        try:
            return set_key(mona, "spans", slug, "X")
        except Invalid as invalid:
            return invalid.problems[0].code

    assert sorted(at_once(ask, ["missing", "letters"])) == ["X", "taken"]


# --- The page -------------------------------------------------------------------------------------------


def test_the_page_lists_the_screens_of_her_work_and_takes_keys(project, koshari, mona):
    stage = marking_stage(project)
    client = signed_in(mona)
    page = client.get("/keys/").content.decode()
    assert "Grow the error at its end" in page
    assert "Give ten points" not in page, "she has no such work"
    answer = client.post("/keys/", {"screen": "spans", "act": "missing", "key": "x"})
    assert answer.headers["Location"] == "/keys/#spans-missing"
    assert "instead of M" in client.get("/keys/").content.decode()
    mine = claim_next(mona.raters.get(), stage)
    assert client.get(f"/tasks/{mine.uuid}/").context["task"]["own_keys"] == {"M": "X"}
    refused = client.post("/keys/", {"screen": "spans", "act": "letters", "key": "x"})
    assert refused.status_code == 422
    assert "“Something is missing” has this key already" in refused.content.decode()
    client.post("/keys/", {"reset": "1"})
    assert own_keys.told(mona.pk, "spans") == {}


def test_who_works_nowhere_yet_sees_all_screens(project, nour):
    page = signed_in(nour).get("/keys/").content.decode()
    assert "Give ten points" in page
    assert "Grow the error at its end" in page


def test_what_was_typed_is_shown_and_not_run(mona):
    page = signed_in(mona).post("/keys/", {"screen": "everywhere", "act": "skip", "key": '"><script>alert(1)</script>'})
    assert page.status_code == 422
    assert "<script>alert" not in page.content.decode()
    assert signed_in(mona).post("/keys/", {"screen": "everywhere", "act": "skip", "key": '"'}).status_code == 302
    assert 'value="&quot;"' in signed_in(mona).get("/keys/").content.decode()
