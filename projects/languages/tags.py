"""Language tags by BCP 47 (RFC 5646): read, brought into their usual letter case, and compared.

A tag is kept as it is written but for letter case and separators. What the registry prefers in its place (he for iw) is
told, never put there: two tags of one language are two varieties until somebody says otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations

from django.utils.translation import gettext as _

from projects.languages.registry import is_registered

MAX_TAG = 100
#: The Arabic of one country by its own code and as Arabic of that country.
COUNTRY_OF_ARABIC = {
    **{"arz": "EG", "ary": "MA", "arq": "DZ", "aeb": "TN", "ayl": "LY", "apd": "SD", "acm": "IQ", "acx": "OM"},
    **{"abv": "BH", "mey": "MR", "shu": "TD"},
}
#: Arabic of several countries, or one of several of a country.
SHARED_ARABIC = frozenset({"apc", "ajp", "afb", "acw", "ars", "acq", "ayh", "ayn", "adf", "aec", "arb"})
MOST_NEAR = 3


class NotATag(ValueError):
    """Not a language tag; its message says so, `near` are those that may have been meant."""

    def __init__(self, text: str, near: Iterable[str] = ()) -> None:
        self.near = tuple(near)
        values = {"tag": text[:MAX_TAG], "near": ", ".join(self.near)}
        if self.near:
            super().__init__(_("“%(tag)s” is not a language tag. Did you mean %(near)s?") % values)
        else:
            super().__init__(_("“%(tag)s” is not a language tag. Write one such as ar-EG, yo or zh-Hant.") % values)


def read_tag(text: str) -> str:
    """The tag in its usual letter case: "AR_eg" is ar-EG. Raises NotATag where a part of it is not registered."""
    tag = _in_usual_case(text)
    if not _is_registered(tag):
        raise NotATag(text, near(text))
    return tag


@lru_cache(4096)
def preferred(tag: str) -> str:
    """The registry's own way to write a tag: he for iw, sr-Latn for sh. The tag itself where there is no other."""
    from langcodes import standardize_tag

    return standardize_tag(tag)


@lru_cache(4096)
def identity(tag: str) -> tuple[str, ...]:
    """Equal of tags that mean one language in one script and region: of arz and ar-EG, cmn and zh, iw and he, zh-TW and
    zh-Hant-TW. Not of ko and ko-KR: one of them names a country, the other all of them."""
    from langcodes import Language, standardize_tag

    from projects.languages.facts import likely_script

    read = Language.get(standardize_tag(tag, macro=True), normalize=False)
    language, region = read.language or "und", read.territory or ""
    region = region or COUNTRY_OF_ARABIC.get(language, "")
    if region and (language in COUNTRY_OF_ARABIC or language in SHARED_ARABIC):
        language = "ar"
    script = read.script or likely_script(language, region)
    rest = (*sorted(read.variants or ()), *(read.extensions or ()), read.private or "")
    return (language, script, region, *rest)


def written_twice(tags: Iterable[str]) -> list[list[str]]:
    """Of these tags the groups that mean the same."""
    groups = defaultdict(list)
    for tag in sorted(set(tags)):
        groups[identity(tag)].append(tag)
    return [group for group in groups.values() if len(group) > 1]


def near(text: str) -> list[str]:
    """Tags that may have been meant: the parts in another order, the region's main language, a language by its name."""
    from projects.languages.names import tags_by_name

    parts = [part for part in re.split(r"[^0-9A-Za-z]+", text[:MAX_TAG]) if part]
    found = list(tags_by_name().get(text.strip().casefold(), ()))
    found += _in_the_registry(text) if not found else []
    if 1 <= len(parts) <= 3:
        found += _with_short_region(parts)
        orders = map(_in_usual_case, map("-".join, permutations(parts)))
        found += [tag for tag in orders if _is_registered(tag)]
    if not found and parts:
        found += _of_region(parts[-1]) + _without_the_unknown(parts)
    if not found:
        found += _alike(text)
    return list(dict.fromkeys(found))[:MOST_NEAR]


def _in_usual_case(text: str) -> str:
    """Lower case, but regions in capitals and scripts with one, wherever they are not part of an extension."""
    parts = re.split(r"[-_]", text.strip().lower())
    for index, part in enumerate(parts):
        if len(part) == 1:
            break
        if index and len(part) == 2:
            parts[index] = part.upper()
        elif index and len(part) == 4 and part.isalpha():
            parts[index] = part.title()
    if "-".join(parts) == "en-GB-oed":
        return "en-GB-oed"
    return "-".join(parts)


@lru_cache(4096)
def _is_registered(tag: str) -> bool:
    """Well-formed, with every subtag in the registry and none of them twice."""
    from langcodes import Language, tag_is_valid

    if len(tag) > MAX_TAG or not tag.isascii() or not tag_is_valid(tag):
        return False
    if is_registered("grandfathered", tag):
        return True
    read = Language.get(tag, normalize=False)
    language = read.language or "und"
    if language.startswith("x-"):
        return True
    variants, extensions = read.variants or (), [extension[0] for extension in read.extensions or ()]
    if len(set(variants)) < len(variants) or len(set(extensions)) < len(extensions):
        return False
    said = [("language", language), ("script", read.script), ("region", read.territory)]
    said += [("extlang", code) for code in read.extlangs or ()] + [("variant", code) for code in variants]
    return all(is_registered(kind, code) for kind, code in said if code)


def _in_the_registry(text: str) -> list[str]:
    """Of codes that other lists have: swa for sw, UK for GB."""
    from langcodes.tag_parser import LanguageTagError

    try:
        tag = preferred(_in_usual_case(text))
    except LanguageTagError:
        return []
    return [tag] if _is_registered(tag) else []


def _with_short_region(parts: list[str]) -> list[str]:
    """Where a region stands in three letters: ar-EG for ar-EGY."""
    from langcodes.data_dicts import TERRITORY_REPLACEMENTS

    region = TERRITORY_REPLACEMENTS.get(parts[-1].lower())
    tag = _in_usual_case("-".join([*parts[:-1], region or parts[-1]]))
    return [tag] if region and _is_registered(tag) else []


def _of_region(part: str) -> list[str]:
    """Of a region alone, or after what is no language: the languages it writes its laws in."""
    from babel.languages import get_official_languages
    from langcodes.data_dicts import TERRITORY_REPLACEMENTS

    region = TERRITORY_REPLACEMENTS.get(part.lower(), part.upper())
    return [f"{language.replace('_', '-')}-{region}" for language in get_official_languages(region, de_facto=True)]


def _without_the_unknown(parts: list[str]) -> list[str]:
    """The longest beginning that is a tag."""
    begun = (_in_usual_case("-".join(parts[:count])) for count in range(len(parts) - 1, 0, -1))
    return [tag for tag in begun if _is_registered(tag)][:1]


def _alike(text: str) -> list[str]:
    """Names and shipped tags that differ by a letter or two."""
    from difflib import get_close_matches

    from projects.languages.names import tags_by_name

    by_name = tags_by_name()
    return [
        tag for name in get_close_matches(text.strip().casefold(), by_name, n=2, cutoff=0.8) for tag in by_name[name]
    ]
