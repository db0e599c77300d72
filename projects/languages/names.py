"""What a language tag is called, in any language that the CLDR knows: "العربية المصرية" in Arabic, "Egyptian Arabic" in
English, "이집트 아랍어" in Korean for ar-EG and arz alike.

A name is that of the language, or of the language in its script ("Traditional Chinese"), with what else the tag says in
brackets. Of a language that the CLDR does not name in the reader's, the English name, then the registry's description.
"""

import json
import pickle
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from projects.languages.facts import facts, general
from projects.languages.registry import description
from projects.languages.tags import COUNTRY_OF_ARABIC, preferred

SHIPPED = Path(__file__).parent.parent / "data" / "varieties.json"
OWN = Path(__file__).parent / "names.json"
ARABIC_OF = {region: language for language, region in COUNTRY_OF_ARABIC.items()}
#: How the CLDR puts what is said beside a name; elsewhere "name (this, that)".
IN_BRACKETS = {"ko": "{}({})", "zh": "{}（{}）", "ja": "{} ({})"}
COMMAS = {"ar": "، ", "fa": "، ", "ur": "، "}


@cache
def shipped() -> dict[str, dict[str, str]]:
    """The varieties that are suggested, by tag."""
    return {row["tag"]: row for row in json.loads(SHIPPED.read_text(encoding="utf-8"))}


@lru_cache(8192)
def name(tag: str, reader: str = "en") -> str:
    """What a tag that `read_tag` gave is called in the reader's language."""
    row = shipped().get(tag)
    if row and reader.split("-")[0] == "en":
        return row["name"]
    return _composed(tag, reader, says_region="(" in row["name"] if row else True)


@lru_cache(4096)
def native_name(tag: str) -> str:
    """What it is called in itself; "" where that is not known."""
    if tag in shipped():
        return shipped()[tag]["native_name"]
    known = facts(tag)
    language = preferred(tag).split("-")[0]
    if len(language) < 2:
        return ""
    for own in (f"{general(language)}-{known.script}", general(language), language):
        if _cldr(own) is not None and _of_language(own, language):
            return name(tag, own)
    return ""


@cache
def own_names() -> dict[str, str]:
    """What languages without a script or region call themselves, by tag. babel would keep all that the CLDR holds of
    each, 140 MB in the end; so its files are read here, and let go."""
    from babel import localedata

    found = {}
    for code in localedata.locale_identifiers():
        if "_" not in code and code != "root":
            with open(localedata.resolve_locale_filename(code), "rb") as file:
                called = pickle.load(file).get("languages", {}).get(code)
            if called:
                found[code] = called
    return found


@cache
def tags_by_name(reader: str = "en") -> dict[str, list[str]]:
    """Suggested tags, and other languages, by their names in the reader's language and their own, in small letters."""
    found: dict[str, list[str]] = defaultdict(list)
    for tag, row in shipped().items():
        for called in {name(tag, reader).casefold(), row["native_name"].casefold()}:
            found[called].append(tag)
    for code, called in [*languages(reader).items(), *own_names().items()]:
        tags = found[called.casefold()]
        # Under a name of its own a suggestion stands for the bare language: Korean is ko-KR.
        if not any(tag == code or tag.startswith(f"{code}-") for tag in tags):
            tags.append(code)
    return dict(found)


@cache
def languages(reader: str) -> dict[str, str]:
    """Every language that has a name in the reader's language, by tag."""
    cldr = _cldr(reader)
    called = {**(cldr.languages if cldr is not None else {}), **_own(reader)}
    return {code.replace("_", "-"): words for code, words in sorted(called.items()) if code not in ("root", "ar_001")}


@cache
def suggestions(reader: str) -> list[tuple[str, str]]:
    """Tag and names (in the reader's language, English, its own) of the shipped varieties and of every language that
    has a name in the reader's: what lists propose as somebody types. By name."""
    found = []
    for tag in dict.fromkeys([*shipped(), *(code for code in languages(reader) if "_" not in code)]):
        own = shipped()[tag]["native_name"] if tag in shipped() else own_names().get(tag, "")
        called = dict.fromkeys([name(tag, reader), name(tag), own])
        found.append((tag, " · ".join(each for each in called if each)))
    return sorted(found, key=lambda entry: entry[1].casefold())


def _composed(tag: str, reader: str, says_region: bool) -> str:
    from langcodes import Language

    read, written = (Language.get(each, normalize=False) for each in (preferred(tag), tag))
    language, region = read.language or "und", read.territory or ""
    if written.language and not written.extlangs and _of_language(reader, written.language):
        language = written.language  # tl is called Tagalog, though the registry writes fil.
    if len(language) > 3:
        return tag  # Private as a whole: nobody but its users knows what it means.
    script = read.script or ""
    if language == "ar" and region in ARABIC_OF:
        language, region = ARABIC_OF[region], ""
    elif language in COUNTRY_OF_ARABIC and region == COUNTRY_OF_ARABIC[language]:
        region = ""
    with_script = _of_language(reader, f"{language}_{script}") if script else ""
    if with_script.endswith((")", "）")):
        with_script = ""
    if language == "ar" and tag in ("ar", "ar-001"):
        called, region = _of_language(reader, "ar_001") or _of_language("en", "ar_001"), ""
    else:
        called = with_script or _of_language(reader, language) or _of_language("en", language) or description(language)
    beside = [_part("scripts", script, reader)] if script and not with_script else []
    beside += [_part("territories", region, reader)] if region and says_region else []
    beside += [*(read.variants or ()), *(read.extensions or ())]
    beside += [read.private] if read.private else []
    if not beside:
        return called
    code = reader.split("-")[0]
    return IN_BRACKETS.get(code, "{} ({})").format(called, COMMAS.get(code, ", ").join(beside))


@cache
def _cldr(code: str) -> Any:
    """The CLDR's names in a language; None where it has none."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


@cache
def _own(reader: str) -> dict[str, str]:
    return json.loads(OWN.read_text(encoding="utf-8")).get(reader.split("-")[0], {})


def _of_language(reader: str, code: str) -> str:
    own = _own(reader).get(code.replace("_", "-"))
    cldr = _cldr(reader)
    return own or (cldr.languages.get(code, "") if cldr is not None else "")


def _part(kind: str, code: str, reader: str) -> str:
    for each in (reader, "en"):
        cldr = _cldr(each)
        if cldr is not None and code in getattr(cldr, kind):
            return getattr(cldr, kind)[code]
    return code
