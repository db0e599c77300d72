"""Which key each act of a task screen has, for everybody and for a person.

Keys are letters, alone or with Shift: digits choose what they are printed on, and all else belongs to the text, the
browser or a screen reader. The screens hold their tables of keys (static/src/); what is declared here beside each task
type are the same letters with the same labels, which a test holds together.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

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
SHARED = ScreenActs.of(
    EVERYWHERE,
    skip=("S", "Skip"),
    ask=("Q", "Ask about this item"),
    bookmark=("K", "Bookmark"),
    unsure=("U", "I am unsure"),
    note=("W", "Note to yourself"),
    background=("D", "Background"),
    plain=("V", "Show the responses as they were written, unformatted"),
)
KEY = re.compile(r"(?:(Shift)\+)?([A-Z])", re.IGNORECASE)


def screens() -> dict[str, ScreenActs]:
    """Those of all task types by name, and first the acts of every screen."""
    return {EVERYWHERE: SHARED} | {kind.acts.screen: kind.acts for kind in task_types().values() if kind.acts.acts}


def label_of(act: Act) -> str:
    """As the screens call it, in the reader's language."""
    return _of_scripts(get_language() or "en").gettext(act.label)


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

    Raises Invalid: "unknown" for no such act, "reserved" for what is no letter alone or with Shift, "taken" where
    another act of a screen that has both would answer to it.
    """
    known = screens()
    act = next((act for act in known[screen].acts if act.slug == slug), None) if screen in known else None
    if act is None:
        raise Invalid(Problem("unknown", _("There is no such act."), "act"))
    key = _read(typed) if typed.strip() else act.key
    with transaction.atomic():
        # Two tabs change two keys one after the other.
        OwnKeys.objects.get_or_create(pk=user.pk)
        row = OwnKeys.objects.select_for_update().get(pk=user.pk)
        for one in known.values() if screen == EVERYWHERE else (known[screen],):
            for other, has in _with_keys(one, row.keys):
                if other is not act and has == key:
                    message = _("“%(act)s” has this key already. Give it another one first.")
                    raise Invalid(Problem("taken", message % {"act": label_of(other)}, "key"))
        own = {name: value for name, value in row.keys.get(screen, {}).items() if name != slug}
        row.keys = row.keys | {screen: own | ({slug: key} if key != act.key else {})}
        row.save()
    return key


def _read(typed: str) -> str:
    found = KEY.fullmatch(typed.strip())
    if found is None:
        message = _("Choose a letter from A to Z, alone or with Shift: other keys have their use already.")
        raise Invalid(Problem("reserved", message, "key"))
    return f"{'Shift+' if found[1] else ''}{found[2].upper()}"


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
