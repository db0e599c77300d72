"""What the lint knows of a language: one JSON file each. A new language is a new file; docs/lint.md says what is in it.

In a file, a phrase is a regular expression over folded text in lower case, in which a space stands for any white
space and `{name}` for any of the file's `words` of that name. Phrases match whole words.
"""

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import regex

FOLDER = Path(__file__).parent
MACRO = regex.compile(r"\{([a-z_]+)\}")
LETTERS = regex.compile(r"[^\x00-\x7f]+")
LETTER = regex.compile(r"\p{L}")
NEVER = regex.compile(r"(?!)")
# Where a text is not in the script of its language, it is in the language whose script it is in.
OF_SCRIPT = {"Latin": "en", "Arabic": "ar", "Hangul": "ko", "Bengali": "bn"}
SCRIPTS = {name: regex.compile(rf"\p{{Script={name}}}") for name in OF_SCRIPT}


class Language:
    """The words of one language, compiled when first used. `known` is False where there is no file for it."""

    def __init__(self, code: str, data: dict[str, Any], known: bool = True) -> None:
        self.code, self.known, self._data = code, known, data
        self.script: str = data.get("script", "")
        self._table = str.maketrans({key: value for key, value in data.get("folds", {}).items()})
        self._ignored = regex.compile(data["ignored"]) if data.get("ignored") else None
        self._phrases: dict[str, regex.Pattern[str]] = {}

    def fold(self, text: str) -> str:
        """The text with what writers of the language leave out or write in two ways made alike."""
        if self._ignored is not None:
            text = self._ignored.sub("", text)
        return text.translate(self._table) if self._table else text

    def phrases(self, name: str) -> regex.Pattern[str]:
        """The pattern of a list of phrases; matches nothing where the language has none of that name."""
        if name not in self._phrases:
            self._phrases[name] = self._compiled(self._data.get(name, ()))
        return self._phrases[name]

    def _compiled(self, phrases: Sequence[str]) -> regex.Pattern[str]:
        if not phrases:
            return NEVER
        ending = "" if self._data.get("endings_attach") else r"(?!\w)"
        before = self._data.get("attached_before", "")
        alternatives = "|".join(self._expanded(phrase) for phrase in phrases)
        return regex.compile(rf"(?<!\w){before}(?:{alternatives}){ending}")

    def _expanded(self, phrase: str) -> str:
        while MACRO.search(phrase):
            phrase = MACRO.sub(lambda match: "(?:" + "|".join(self._data["words"][match.group(1)]) + ")", phrase)
        phrase = LETTERS.sub(lambda match: self.fold(normalize("NFC", match.group())), phrase)
        return phrase.replace(" ", r"\s+")

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        return frozenset(self.fold(normalize("NFC", word)) for word in self._data.get("stop_words", ()))

    @cached_property
    def _stop_phrases(self) -> regex.Pattern[str]:
        phrases = self._data.get("stop_patterns", ())
        return regex.compile("|".join(self._expanded(phrase) for phrase in phrases)) if phrases else NEVER

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return self._affixes("prefixes")

    @cached_property
    def _suffixes(self) -> tuple[str, ...]:
        return self._affixes("suffixes")

    def _affixes(self, name: str) -> tuple[str, ...]:
        folded = {self.fold(normalize("NFC", affix)) for affix in self._data.get(name, ())}
        return tuple(sorted(folded, key=lambda affix: (-len(affix), affix)))

    @lru_cache(maxsize=8192)  # noqa: B019 (the languages live as long as the process)
    def stem(self, word: str) -> str:
        """The folded word without its affixes; empty for a word that carries no content."""
        if self._is_empty(word):
            return ""
        shortest = self._data.get("shortest_stem", 3)
        stem = word
        for affix in self._prefixes:
            if stem.startswith(affix) and len(stem) - len(affix) >= shortest:
                stem = stem[len(affix) :]
                break
        if stem != word and self._is_empty(stem):
            return ""
        for _layer in range(self._data.get("suffix_layers", 1)):
            for affix in self._suffixes:
                if stem.endswith(affix) and len(stem) - len(affix) >= shortest:
                    stem = stem[: -len(affix)]
                    break
        return "" if self._is_empty(stem) else stem

    def _is_empty(self, word: str) -> bool:
        return word in self._stop_words or self._stop_phrases.fullmatch(word) is not None


@lru_cache(maxsize=64)
def language_of(tag: str) -> Language:
    """The language of a BCP 47 tag by its first part ("ar-EG-x-cairo" is Arabic); unknown ones know no words."""
    code = tag.replace("_", "-").split("-")[0].lower()
    path = FOLDER / f"{code}.json"
    if not (code.isascii() and code.isalpha() and path.exists()):
        return Language(code, {}, known=False)
    return Language(code, json.loads(path.read_text(encoding="utf-8")))


def written_in(text: str, tag: str) -> Language:
    """The language of the tag, unless most letters are of another language's script: an English criterion of an
    Arabic rubric is read as English."""
    language = language_of(tag)
    letters = LETTER.findall(text)
    if not letters or not language.script:
        return language
    counts = {name: len(pattern.findall(text)) for name, pattern in SCRIPTS.items()}
    if counts.get(language.script, 0) * 2 >= len(letters):
        return language
    script, count = max(counts.items(), key=lambda pair: pair[1])
    return language_of(OF_SCRIPT[script]) if count * 2 > len(letters) else language
