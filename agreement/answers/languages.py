"""In which language of a given set an answer is written, and whether that is the one asked for.

The script decides first: a text in Hangul is no Arabic, whatever a model of languages thinks of it. Only languages of
the set that share the script are told apart by their words (py3langid, 140 languages, restricted to those). There is no
verdict on what is no running text, or too little of it.
"""

import copy
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import regex

#: Scripts a language is written in (ISO 15924); Latin where a language is not listed.
SCRIPTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ug", "sd", "ckb"), ("Arab",)),
    **dict.fromkeys(("bn", "as"), ("Beng",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("Deva",)),
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "kk", "ky", "tg", "mn"), ("Cyrl",)),
    "ko": ("Hang",), "ja": ("Hira", "Hani"), "zh": ("Hani",), "yue": ("Hani",), "wuu": ("Hani",),
    "he": ("Hebr",), "yi": ("Hebr",), "el": ("Grek",), "th": ("Thai",), "ta": ("Taml",), "te": ("Telu",),
    "kn": ("Knda",), "ml": ("Mlym",), "gu": ("Gujr",), "pa": ("Guru",), "or": ("Orya",), "si": ("Sinh",),
    "my": ("Mymr",), "km": ("Khmr",), "lo": ("Laoo",), "ka": ("Geor",), "hy": ("Armn",), "am": ("Ethi",),
    "sr": ("Cyrl", "Latn"), "ku": ("Latn", "Arab"), "uz": ("Latn", "Cyrl"), "az": ("Latn", "Cyrl"),
}  # fmt: skip
_LATIN = ("Latn",)
#: What the identifier calls varieties that count as another code here.
SAME = {
    **dict.fromkeys(("arz", "ary", "apc", "aeb", "arq", "acm", "ayl", "apd", "afb", "acw", "ars", "arb"), "ar"),
    **{"nb": "no", "in": "id", "iw": "he", "cmn": "zh", "swh": "sw", "pes": "fa", "zsm": "ms"},
}
#: Languages so alike that short texts do not tell them apart: their probabilities are added, and either is accepted.
CLOSE = (frozenset({"id", "ms"}), frozenset({"hr", "bs", "sr"}), frozenset({"no", "nn", "da"}))
#: Below this there is no verdict.
MIN_CONFIDENCE = 0.7
#: Letters that a script alone, and that words of a shared script, need at least.
MIN_LETTERS = 10
MIN_LETTERS_OF_A_SHARED_SCRIPT = 20
# Characters the identifier reads, in three stretches of a longer text: it takes time with every byte.
_SAMPLE = 90

_SCRIPT_NAMES = {
    "Arab": "Arabic", "Beng": "Bengali", "Deva": "Devanagari", "Cyrl": "Cyrillic", "Hang": "Hangul", "Hani": "Han",
    "Hira": "Hiragana", "Kana": "Katakana", "Hebr": "Hebrew", "Grek": "Greek", "Thai": "Thai", "Taml": "Tamil",
    "Telu": "Telugu", "Knda": "Kannada", "Mlym": "Malayalam", "Gujr": "Gujarati", "Guru": "Gurmukhi", "Orya": "Oriya",
    "Sinh": "Sinhala", "Mymr": "Myanmar", "Khmr": "Khmer", "Laoo": "Lao", "Geor": "Georgian", "Armn": "Armenian",
    "Ethi": "Ethiopic", "Latn": "Latin",
}  # fmt: skip
_SCRIPT = regex.compile("|".join(rf"(?P<{code}>\p{{Script={name}}})" for code, name in _SCRIPT_NAMES.items()))
# What is no running text, even within one: fenced and inline code, formulas, addresses, tags.
_NO_PROSE = regex.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*+`|\$\$.{0,1000}?\$\$|\$[^$\n]{1,200}+\$|\\\[.{0,1000}?\\\]|\\\(.{0,1000}?\\\)|\\[A-Za-z]++"
    r"|https?://\S++|</?[A-Za-z][^<>]{0,200}+>",
    regex.DOTALL,
)
_SIGNS_OF_NO_PROSE = regex.compile(r"[`$\\<]|https?:")
_CODE = frozenset("{}[]<>=;|&^~#@$\\/*+_%()\"'")


@dataclass(frozen=True, slots=True)
class Identification:
    """The language of a text.

    languages   the language, and with it those of the set that are too close to be told apart; empty without verdict.
    confidence  0 to 1: the share of the script times the probability within it.
    script      of most letters, "" where there are none.
    basis       "script", "words", or why there is no verdict.
    """

    languages: frozenset[str] = frozenset()
    confidence: float = 0.0
    script: str = ""
    basis: str = ""

    @property
    def has_verdict(self) -> bool:
        return self.basis in (BY_SCRIPT, BY_WORDS)


BY_SCRIPT, BY_WORDS = "script", "words"
ANY_LANGUAGE, NO_PROSE, TOO_SHORT, MIXED, UNSURE = (
    "any language",
    "no running text",
    "too short",
    "mixed scripts",
    "unsure",
)

#: Another identifier, slower and better: from a text and the languages of the set to those it can be; none: unsure.
SecondOpinion = Callable[[str, frozenset[str]], frozenset[str]]


@lru_cache(maxsize=1024)
def code_of(tag: str) -> str:
    """ISO 639 of a language tag, as it is compared here: "ar-EG" and "arz" are "ar"."""
    code = tag.replace("_", "-").split("-")[0].lower()
    return SAME.get(code, code)


def identify(text: str, languages: Iterable[str]) -> Identification:
    """The language of a text among those given (codes or tags). Raises ValueError where none is given."""
    return _identify(text, frozenset(map(code_of, languages)))


def mismatch(
    text: str, expected: str, languages: Iterable[str], second_opinion: SecondOpinion | None = None
) -> Identification | None:
    """What shows that a text is not in the language expected; None where nothing does.

    expected        code or tag; "" where any language is expected.
    languages       of the question set; the expected one is taken in.
    second_opinion  asked before a text counts as written in another language of the same script; it can acquit alone.
    """
    if not expected:
        return None
    asked = code_of(expected)
    candidates = frozenset(map(code_of, languages)) | {asked}
    identification = _identify(text, candidates)
    if not identification.has_verdict or asked in identification.languages:
        return None
    if second_opinion is not None and identification.script in SCRIPTS.get(asked, _LATIN):
        others = second_opinion(text, candidates)
        if not others or asked in others:
            return None
    return identification


def _identify(text: str, languages: frozenset[str]) -> Identification:
    if not languages:
        raise ValueError("no languages to choose from")
    prose = _prose(text)
    counts: dict[str, int] = {}
    for character, number in Counter(prose).items():
        kind = _kind_of(character)
        counts[kind] = counts.get(kind, 0) + number
    written = len(prose) - counts.pop(_SPACE, 0)
    marks, digits = counts.pop(_MARK, 0), counts.pop(_DIGIT, 0)
    counts.pop(_OTHER, None)
    # Code and formulas: of what is written more than a fifth are brackets and operators, or more than half digits too.
    if marks > 0.2 * written or marks + digits > 0.5 * written or (text and not written):
        return Identification(basis=NO_PROSE)
    letters = sum(counts.values())
    if letters < MIN_LETTERS:
        return Identification(basis=TOO_SHORT)
    if "Hira" in counts or "Kana" in counts:
        # Japanese is written in three scripts at once.
        counts["Hira"] = sum(counts.pop(part, 0) for part in ("Hira", "Kana", "Hani"))
    script = max(sorted(counts), key=counts.__getitem__)
    share = counts[script] / letters
    candidates = frozenset(language for language in languages if script in SCRIPTS.get(language, _LATIN))
    if share < MIN_CONFIDENCE:
        return Identification(confidence=share, script=script, basis=MIXED)
    if len(candidates) <= 1:
        return Identification(candidates, share, script, BY_SCRIPT)
    if letters < MIN_LETTERS_OF_A_SHARED_SCRIPT:
        return Identification(script=script, basis=TOO_SHORT)
    group, probability = _by_words(_sample(prose), candidates)
    confidence = share * probability
    if confidence < MIN_CONFIDENCE:
        return Identification(confidence=confidence, script=script, basis=UNSURE)
    return Identification(group, confidence, script, BY_WORDS)


def _prose(text: str) -> str:
    """The running text of an answer: "" where it is JSON, else what is left without code, formulas and addresses."""
    stripped = text.strip()
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        return ""
    return _NO_PROSE.sub(" ", stripped) if _SIGNS_OF_NO_PROSE.search(stripped) else stripped


_SPACE, _MARK, _DIGIT, _OTHER = "space", "mark", "digit", "other"


@lru_cache(maxsize=8192)
def _kind_of(character: str) -> str:
    """ISO 15924 of a letter or mark of one of the scripts above; else what it is."""
    if character.isspace():
        return _SPACE
    if character in _CODE:
        return _MARK
    if character.isdigit():
        return _DIGIT
    match = _SCRIPT.match(character)
    return str(match.lastgroup) if match else _OTHER


_loading = threading.Lock()


@cache
def _model() -> Any:
    """The identifier for all its languages. Loaded on first use: that takes a second and 100 MB."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=64)
def _restricted(languages: frozenset[str]) -> tuple[Any, dict[str, frozenset[str]]] | None:
    """The identifier for these languages and those close to them, and by label what of these languages it stands for.

    None where it does not know all of them: it would find another in what it does not know.
    """
    with _loading:
        model = _model()
    groups = {}
    for label in model.labels:
        language = SAME.get(label, label)
        close = next((group for group in CLOSE if language in group), frozenset({language}))
        if close & languages:
            groups[label] = close & languages
    if languages - {SAME.get(label, label) for label in groups}:
        return None
    identifier = copy.copy(model)
    identifier.set_languages(sorted(groups))
    # The columns of a large table of half precision, gathered anew for every text otherwise.
    identifier.nb_ptc = np.ascontiguousarray(identifier.nb_ptc, dtype=np.float32)
    return identifier, groups


def _by_words(sample: str, languages: frozenset[str]) -> tuple[frozenset[str], float]:
    """The likeliest of languages of one script, with those close to it, and its probability."""
    restricted = _restricted(languages)
    if restricted is None:
        return frozenset(), 0.0
    identifier, groups = restricted
    probabilities: dict[frozenset[str], float] = {}
    for label, probability in identifier.rank(sample):
        group = groups[label]
        probabilities[group] = probabilities.get(group, 0.0) + probability
    likeliest = max(probabilities, key=probabilities.__getitem__)
    return likeliest, min(probabilities[likeliest], 1.0)


def _sample(prose: str) -> str:
    """A text, or its beginning, middle and end where it is long."""
    if len(prose) <= _SAMPLE:
        return prose
    third, middle = _SAMPLE // 3, len(prose) // 2
    stretches = (prose[:third], prose[middle - third // 2 : middle + third // 2], prose[-third:])
    # Half a word at a cut says nothing about a language.
    return " ".join(stretch[: stretch.rfind(" ")] if " " in stretch else stretch for stretch in stretches)
