"""Which key each act of a task screen has, for everybody and for a person.

At first keys are letters, alone or with Shift. A person's own may also be a digit, a sign or a function key that is
needed neither by the screen (digits choose what they are printed on) nor by the browser or a screen reader. The screens
hold their tables of keys (static/src/); what is declared here beside each task type are the same keys with the same
labels, which a test holds together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import decimal

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import DjangoTranslation

from projects.models import User
from projects.problems import Invalid, Problem
from workflow.models import OwnKeys
from workflow.task_types import Act, ScreenActs, task_type, task_types

#: In place of a screen: acts that every one has. They have one key on all of them.
EVERYWHERE = "everywhere"
SHARED = (
    ScreenActs.of(
        EVERYWHERE,
        skip=("S", "Skip"),
        ask=("Q", "Ask about this item"),
        bookmark=("K", "Bookmark"),
        unsure=("U", "I am unsure"),
        note=("W", "Note to yourself"),
        background=("D", "Background"),
        plain=("V", "Show the responses as they were written, unformatted"),
    )
    .needing("/", "Find in the text")
    .needing("?؟", "Show this list")
)
KEY = re.compile(r"(?:(?P<shift>Shift)\+)?(?P<letter>[A-Z])|F[2489]", re.IGNORECASE | re.ASCII)
#: As in static/src/task_kit/keys.js: without "'", by which Firefox finds, and "+", which joins the names of keys.
SIGNS = frozenset('!"#$%&()*,-.:;<=>@[\\]^_`{|}~')


def screens() -> dict[str, ScreenActs]:
    """Those of all task types by name, and first the acts of every screen."""
    return {EVERYWHERE: SHARED} | {kind.acts.screen: kind.acts for kind in task_types().values() if kind.acts.acts}


def label_of(act: Act) -> str:
    """As the screens call it, in the reader's language."""
    return _in_words(act.label)


def _in_words(label: str) -> str:
    return _of_scripts(get_language() or "en").gettext(label)


@lru_cache(maxsize=16)
def _of_scripts(language: str) -> DjangoTranslation:
    return DjangoTranslation(language, domain="djangojs")


def kept(user: int) -> dict[str, dict[str, str]]:
    """The keys of a person, by their id, that are not those of everybody: by screen and act."""
    row = OwnKeys.objects.filter(pk=user).first()
    return row.keys if row else {}


def told(user: int, kind: str) -> dict[str, str]:
    """What the screen of a kind of work is told: of each act with a key of the person's own, that by its usual key."""
    own = kept(user)
    return {act.key: key for act, key in _with_keys(task_type(kind).acts, own) if key != act.key}


def _with_keys(screen: ScreenActs, own: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[Act, str]]:
    """The acts that somebody meets on a screen, those of every screen too, each with the key it has for them."""
    for each in dict.fromkeys((SHARED, screen)):
        for act in each.acts:
            yield act, own.get(each.screen, {}).get(act.slug, act.key)


def set_key(user: User, screen: str, slug: str, typed: str) -> str:
    """Give an act another key, or with nothing typed its usual one; return which it has now.

    Raises Invalid: "unknown" for no such act, "reserved" for a key of the browser's or a screen reader's, "needed" for
    one that a screen of the act's keeps for itself, "taken" where another act of such a screen would answer to it.
    """
    known = screens()
    act = next((act for act in known[screen].acts if act.slug == slug), None) if screen in known else None
    if act is None:
        raise Invalid(Problem("unknown", _("There is no such act."), "act"))
    met = list(known.values()) if screen == EVERYWHERE else [SHARED, known[screen]]
    key = _read(typed, met) if typed.strip() else act.key
    with transaction.atomic():
        # Two tabs change two keys one after the other.
        OwnKeys.objects.get_or_create(pk=user.pk)
        row = OwnKeys.objects.select_for_update().get(pk=user.pk)
        for one in met:
            for other, has in _with_keys(one, row.keys):
                if other is not act and has == key:
                    message = _("“%(act)s” has this key already. Give it another one first.")
                    raise Invalid(Problem("taken", message % {"act": label_of(other)}, "key"))
        own = {name: value for name, value in row.keys.get(screen, {}).items() if name != slug}
        row.keys = row.keys | {screen: own | ({slug: key} if key != act.key else {})}
        row.save()
    return key


def _read(typed: str, met: Iterable[ScreenActs]) -> str:
    """The key as it is kept, a digit of any script as that of ours; `met` are the screens that have the act."""
    key = typed.strip()
    if len(key) == 1 and key.isdecimal():
        key = str(decimal(key))
    for needed, label in (need for screen in met for need in screen.needs):
        if len(key) == 1 and key in needed:
            message = _("The screen needs this key itself: “%(act)s”.")
            raise Invalid(Problem("needed", message % {"act": _in_words(label)}, "key"))
    if key in SIGNS or (len(key) == 1 and key.isdecimal()):
        return key
    found = KEY.fullmatch(key)
    if found is None:
        message = _(
            "Choose a letter, alone or with Shift, a digit, a sign, F2, F4, F8 or F9: other keys have their use."
        )
        raise Invalid(Problem("reserved", message, "key"))
    return f"Shift+{found['letter'].upper()}" if found["shift"] else key.upper()


def reset(user: User) -> None:
    """Every act has its usual key again."""
    OwnKeys.objects.filter(pk=user.pk).delete()


def listed(user: User, met: set[str]) -> list[dict[str, Any]]:
    """By screen: its `title`, and its acts with label and key. Of screens those of the kinds of work in `met`, all
    where there are none."""
    own = kept(user.pk)
    titles: dict[str, Any] = {}
    for kind in task_types().values():
        if kind.acts.acts and (not met or kind.kind in met):
            titles.setdefault(kind.acts.screen, kind.name)
    chosen = [(SHARED, _("On every screen")), *((screens()[name], title) for name, title in titles.items())]
    return [
        {
            "screen": screen.screen,
            "title": title,
            "rows": [
                {
                    "act": act,
                    "label": label_of(act),
                    "key": own.get(screen.screen, {}).get(act.slug, act.key),
                }
                for act in screen.acts
            ],
        }
        for screen, title in chosen
    ]
