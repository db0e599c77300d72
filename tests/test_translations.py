"""The catalogs under locale/ say everything the sources say, in every language of the interface, and say it whole."""

import ast
import io
import os
import re
from collections.abc import Iterator
from gettext import c2py
from pathlib import Path

import django
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.template import templatize

from formats.project_file.presets import words_of

ROOT = Path(__file__).parent.parent
DJANGO = Path(django.__file__).parent / "conf" / "locale"
DOMAINS = ("django", "djangojs")
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[-+ 0#]*[\d.]*[a-z]|%%|%[sd]|</?\w+[^>]*>")
# "One item" and "two items" may be said without the figure.
COUNTS = {"%(n)s", "%(n)d", "%(count)s", "%(count)d"}
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# Directories with nothing a person reads in the interface, or nothing of ours.
ELSEWHERE = {"node_modules", "dist", "staticfiles", "locale", "tests", "speed"}

Key = tuple[str | None, str | tuple[str, ...]]  # context, message or (singular, plural)


def path_of(language: str, domain: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, source: bytes) -> Catalog:
    return read_po(io.BytesIO(source), locale=language)


def plural_rule(path: Path) -> tuple[int, str]:
    """The number of plural forms and the rule that chooses one, as the head of a catalog states them."""
    head = path.read_text(encoding="utf-8").split("\n\n", 1)[0].replace('"\n"', "")
    stated = re.search(r"nplurals *= *(\d+); *plural *= *([^;]+)", head)
    assert stated is not None, f"{path} states no plural forms"
    return int(stated[1]), stated[2]


def messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def key(message: Message) -> Key:
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


# --- What a translation must hold -------------------------------------------------------------------


class Anything(dict):
    """Fills every placeholder, so that formatting fails on a stray percent sign alone."""

    def __missing__(self, name: str) -> int:
        return 1


def texts(one_or_more: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """A message or a translation as a list, with one text for each plural form where it has them."""
    if isinstance(one_or_more, tuple | list):
        return [text or "" for text in one_or_more]
    return [one_or_more or ""]


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def edges(text: str) -> tuple[bool, bool]:
    return text.startswith("\n"), text.endswith("\n")


def faults_of_text(source: str, text: str, may_omit: set[str]) -> Iterator[str]:
    wanted, found = placeholders(source), placeholders(text)
    if [one for one in wanted if one not in may_omit] != [one for one in found if one not in may_omit]:
        yield f"holds {found}, the source holds {wanted}"
    elif not set(found) <= set(wanted):
        yield f"holds {found}, the source knows only {wanted}"
    elif "%(" in source:
        try:
            text % Anything()
        except (ValueError, TypeError):
            yield "cannot be filled in: a percent sign stands alone"
    if edges(source) != edges(text):
        yield "begins or ends with a line break where the source does not, or the other way round"


def faults_of(message: Message, forms_wanted: int) -> Iterator[str]:
    """What is wrong with one translation, each fault in words."""
    if message.fuzzy:
        yield "is marked as fuzzy, so it is not shown"
    source, forms = texts(message.id)[-1], texts(message.string)
    if not isinstance(message.id, str) and len(forms) != forms_wanted:
        yield f"has {len(forms)} plural forms; the language has {forms_wanted}"
    if not all(form.strip() for form in forms):
        yield "is not translated"
        return
    for at, form in enumerate(forms):
        last = at == len(forms) - 1
        yield from faults_of_text(source, form, may_omit=set() if last else COUNTS)


def faults(catalog: Catalog, forms_wanted: int) -> list[str]:
    found = [f"{message.id!r} {fault}" for message in messages(catalog) for fault in faults_of(message, forms_wanted)]
    return found + [f"{message.id!r} is obsolete" for message in catalog.obsolete.values()]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_whole(language, domain):
    catalog = read(language, path_of(language, domain).read_bytes())
    found = faults(catalog, plural_rule(path_of(language, domain))[0])
    assert not found, f"{len(found)} faults in locale/{language}/{domain}.po:\n" + "\n".join(found[:40])


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalog_counts_as_its_language_does(language, domain):
    """As Django's own catalog of the language: without the right rule "3" gets the form of another number."""
    stated, of_django = plural_rule(path_of(language, domain)), plural_rule(DJANGO / language / "LC_MESSAGES/django.po")
    assert stated[0] == of_django[0]
    choose, choose_as_django = c2py(stated[1]), c2py(of_django[1])
    assert [choose(n) for n in range(1000)] == [choose_as_django(n) for n in range(1000)]


BROKEN = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Saved"
msgstr ""

#, fuzzy
msgid "Later"
msgstr "Pozdě"

msgid "Hello %(name)s"
msgstr "Ahoj"

msgid "%(share)s is 95 %%"
msgstr "%(share)s %% je 95 % přesně"

msgid "%(n)s error"
msgid_plural "%(n)s errors"
msgstr[0] "jedna chyba"
msgstr[1] "chyby"

msgid "done\\n"
msgstr "hotovo"

#~ msgid "Gone"
#~ msgstr "Pryč"
"""


def test_a_broken_catalog_is_found_out():
    found = faults(read("en", BROKEN.encode()), forms_wanted=3)
    assert found == [
        "'Saved' is not translated",
        "'Later' is marked as fuzzy, so it is not shown",
        "'Hello %(name)s' holds [], the source holds ['%(name)s']",
        "'%(share)s is 95 %%' cannot be filled in: a percent sign stands alone",
        "('%(n)s error', '%(n)s errors') has 2 plural forms; the language has 3",
        "('%(n)s error', '%(n)s errors') holds [], the source holds ['%(n)s']",
        "'done\\n' begins or ends with a line break where the source does not, or the other way round",
        "'Gone' is obsolete",
    ]


# --- What the sources say ---------------------------------------------------------------------------


def sources() -> Iterator[Path]:
    """Programs, templates and scripts of the interface; no package, no built file, no test."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in ELSEWHERE and not name.startswith("."))
        yield from (Path(folder) / name for name in sorted(names))


def extracted(path: Path) -> Iterator[Key]:
    """The messages of one file, as `manage.py makemessages` finds them, without gettext's own tools."""
    if path.suffix == ".js":
        method, source = "javascript", path.read_bytes()
    elif path.suffix == ".py":
        method, source = "python", path.read_bytes()
    else:
        # Django turns a template into calls of gettext amid filler; indented filler would not pass for Python.
        lines = templatize(path.read_text(encoding="utf-8")).splitlines()
        method, source = "python", "\n".join(line.strip() for line in lines).encode()
    options = {"parse_template_string": True}
    for _line, message, _comments, context in extract(method, io.BytesIO(source), KEYWORDS, options=options):
        if message:
            yield context, message


@pytest.fixture(scope="module")
def said_in_the_sources() -> dict[str, dict[Key, str]]:
    """Per domain, every message and the first file it stands in."""
    found: dict[str, dict[Key, str]] = {domain: {} for domain in DOMAINS}
    for path in sources():
        if path.suffix in {".py", ".html", ".txt", ".js"} and not path.name.startswith("requirements"):
            domain = "djangojs" if path.suffix == ".js" else "django"
            for one in extracted(path):
                found[domain].setdefault(one, path.relative_to(ROOT).as_posix())
    for preset in sorted(ROOT.glob("*/presets/*.yaml")):
        for word in words_of(preset):
            found["django"].setdefault((None, word), preset.relative_to(ROOT).as_posix())
    return found


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalog_is_current(language, domain, said_in_the_sources):
    said = said_in_the_sources[domain]
    catalog = read(language, path_of(language, domain).read_bytes())
    known = {key(message) for message in messages(catalog)}
    missing = [f"{said[one]}: {one[1]!r}" for one in said if one not in known]
    gone = [repr(one[1]) for one in known if one not in said]
    told = [*(f"missing, {line}" for line in missing), *(f"no longer said, {line}" for line in sorted(gone))]
    assert not told, f"locale/{language}/{domain}.po is not current:\n" + "\n".join(told)


ALIAS = re.compile(r"\b[np]*gettext(?:_lazy|_noop)? as (\w+)")


def test_whatever_name_a_source_gives_gettext_is_known():
    """Texts behind a name of its own are found by nobody, and stay English in every language."""
    programs = [path for path in sources() if path.suffix == ".py"]
    aliases = {name: path for path in programs for name in ALIAS.findall(path.read_text(encoding="utf-8"))}
    assert {name: path for name, path in aliases.items() if name not in KEYWORDS} == {}
    assert "_" in aliases


def test_messages_are_found_in_every_kind_of_source(tmp_path):
    page, script, program = tmp_path / "page.html", tmp_path / "script.js", tmp_path / "program.py"
    page.write_text(
        "<ul>\n    <li>{% translate 'Next' %}</li>\n  <li>{% blocktranslate count n=n trimmed %}\n    {{ n }} page\n"
        "    {% plural %}{{ n }} pages{% endblocktranslate %}</li></ul>"
    )
    script.write_text("const label = `<b>${gettext('Close')}</b>`; ngettext('%(n)s span', '%(n)s spans', 2);")
    program.write_text("A = gettext_lazy('Keep')\nB = pgettext_lazy('verdict', 'Correct')\nC = gettext_noop('all')\n")
    assert list(extracted(page)) == [(None, "Next"), (None, ("%(n)s page", "%(n)s pages"))]
    assert list(extracted(script)) == [(None, "Close"), (None, ("%(n)s span", "%(n)s spans"))]
    assert list(extracted(program)) == [(None, "Keep"), ("verdict", "Correct"), (None, "all")]


#: The functions of gettext that may go by an underscore, which every tool of extraction takes for plain gettext.
PLAIN = {"gettext", "gettext_lazy", "gettext_noop"}


def hidden_calls(source: str) -> list[str]:
    """Names by which a program calls gettext that extraction does not know: their messages would never be found."""
    aliases: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            aliases += [(name.name, name.asname) for name in node.names if name.asname]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
            name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            aliases += [(name, target.id) for target in node.targets if isinstance(target, ast.Name)]
    known = set(KEYWORDS) - {"_"}
    return [
        f"{name} as {alias}"
        for name, alias in aliases
        if name in known and alias != name and not (alias == "_" and name in PLAIN)
    ]


def test_no_message_hides_behind_another_name_of_gettext():
    programs = [path for path in sources() if path.suffix == ".py"]
    assert {path: hidden for path in programs if (hidden := hidden_calls(path.read_text(encoding="utf-8")))} == {}


def test_another_name_of_gettext_is_found_out():
    hidden = (
        "from django.utils.translation import gettext_lazy as lazy, pgettext as _\n"
        "from django.utils import translation\nsay = translation.ngettext\nmark = gettext_noop\n"
    )
    known = "from django.utils.translation import gettext_lazy as _, gettext, ngettext_lazy\n_ = gettext\n"
    assert sorted(hidden_calls(hidden)) == [
        "gettext_lazy as lazy",
        "gettext_noop as mark",
        "ngettext as say",
        "pgettext as _",
    ]
    assert hidden_calls(known) == []
