"""What follows from a language tag: its language, script and region, its direction, how its words are told apart."""

from dataclasses import dataclass
from functools import lru_cache

from projects.languages.tags import COUNTRY_OF_ARABIC, SHARED_ARABIC, preferred

#: Scripts that run from right to left, by ISO 15924. A test computes them again from the letters of each script.
RIGHT_TO_LEFT = frozenset(
    {
        "Adlm",
        "Arab",
        "Aran",
        "Armi",
        "Avst",
        "Chrs",
        "Cprt",
        "Elym",
        "Gara",
        "Hatr",
        "Hebr",
        "Hung",
        "Khar",
        "Lydi",
        "Mand",
        "Mani",
        "Mend",
        "Merc",
        "Mero",
        "Narb",
        "Nbat",
        "Nkoo",
        "Orkh",
        "Ougr",
        "Palm",
        "Phli",
        "Phlp",
        "Phlv",
        "Phnx",
        "Prti",
        "Rohg",
        "Samr",
        "Sarb",
        "Sidt",
        "Sogd",
        "Sogo",
        "Syrc",
        "Syre",
        "Syrj",
        "Syrn",
        "Thaa",
        "Yezi",
    }
)
#: Scripts that set no spaces between words: words are told apart by Unicode's boundaries.
WITHOUT_SPACES = frozenset(
    {
        "Ahom",
        "Bali",
        "Bopo",
        "Cham",
        "Hani",
        "Hans",
        "Hant",
        "Hira",
        "Hrkt",
        "Java",
        "Jpan",
        "Kana",
        "Khmr",
        "Kits",
        "Lana",
        "Laoo",
        "Mymr",
        "Nshu",
        "Phag",
        "Tale",
        "Talu",
        "Tang",
        "Tavt",
        "Thai",
        "Tibt",
        "Yiii",
    }
)
UNKNOWN_SCRIPT = "Zyyy"


@dataclass(frozen=True)
class Facts:
    """Of one language tag.

    language   primary subtag, "und" where the tag names none.
    script     ISO 15924; where the tag names none, the one the language is likely written in there.
    region     "" where the tag names none.
    direction  "ltr" or "rtl".
    segmentation  "space" or "unicode": how words are told apart.
    plurals    the CLDR's categories of plural, "other" last; empty where it knows none.
    """

    language: str
    script: str
    region: str
    direction: str
    segmentation: str
    plurals: tuple[str, ...]


@lru_cache(4096)
def facts(tag: str) -> Facts:
    """Of a tag that `read_tag` gave."""
    from langcodes import Language

    read = Language.get(preferred(tag), normalize=False)
    written = Language.get(tag, normalize=False)
    language, region = read.language or "und", read.territory or ""
    if language.startswith("x-"):
        language = "und"
    script = read.script or likely_script(language, region)
    return Facts(
        # A tag's own language, unless the registry knows it as a whole tag only (i-klingon).
        language=written.language if written.language and len(written.language) <= 3 else language,
        script=script,
        region=region if len(region) <= 3 else "",
        direction="rtl" if script in RIGHT_TO_LEFT else "ltr",
        segmentation="unicode" if script in WITHOUT_SPACES else "space",
        plurals=plurals(language),
    )


@lru_cache(4096)
def likely_script(language: str, region: str = "") -> str:
    """The script that a language is likely written in, in a region."""
    from babel.core import get_global

    likely = get_global("likely_subtags")
    for key in (f"{language}_{region}", language, general(language)):
        if key in likely and not key.startswith("und"):
            return next((part for part in likely[key].split("_")[1:] if len(part) == 4), UNKNOWN_SCRIPT)
    return UNKNOWN_SCRIPT


def general(language: str) -> str:
    """The language whose rules of writing hold for one that has none of its own: ar for arz. Else the language."""
    from langcodes import standardize_tag

    if language in COUNTRY_OF_ARABIC or language in SHARED_ARABIC:
        return "ar"
    return standardize_tag(language, macro=True)


@lru_cache(1024)
def plurals(language: str) -> tuple[str, ...]:
    from babel import Locale, UnknownLocaleError

    for code in (language, general(language)):
        if code == "und":
            continue
        try:
            rule = Locale.parse(code, sep="-").plural_form
        except (UnknownLocaleError, ValueError):
            continue
        return (*sorted(rule.tags, key=("zero", "one", "two", "few", "many").index), "other")
    return ()
