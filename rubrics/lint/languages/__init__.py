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

from projects.languages.facts import general

FOLDER = Path(__file__).parent
MACRO = regex.compile(r"\{([a-z_]+)\}")
LETTERS = regex.compile(r"[^\x00-\x7f]+")
LETTER = regex.compile(r"\p{L}")
# All that has no shape of its own except the joiners, which some scripts spell with.
INVISIBLE = regex.compile(r"[\p{Cf}--[\u200c\u200d]]", regex.VERSION1)
UNBOUNDED = regex.compile(r"(\\[SsWw]|\])([*+])")
NEVER = regex.compile(r"(?!)")
# Where a text is not in the script of its language, it is in the language whose script it is in.
OF_SCRIPT = {"Latin": "en", "Arabic": "ar", "Hangul": "ko", "Bengali": "bn"}
SCRIPTS = {name: regex.compile(rf"\p{{Script={name}}}") for name in OF_SCRIPT}


class Language:
    """The words of one language, compiled when first used. `known` is False where there is no file for it."""

    def __init__(self, code: str, data: dict[str, Any], known: bool = True) -> None:
        self.code, self.known, self._data = code, known, data
        self.script: str = data.get("script", "")
        self._shortest: int = data.get("shortest_stem", 3)
        self._table = str.maketrans(data.get("folds", {}))
        self._ignored = regex.compile(data["ignored"]) if data.get("ignored") else None
        self._phrases: dict[str, regex.Pattern[str]] = {}

    def fold(self, text: str) -> str:
        """The text with what writers of the language leave out or write in two ways made alike."""
        if self._ignored is not None:
            text = self._ignored.sub("", text)
        return text.translate(self._table) if self._table else text

    @lru_cache(maxsize=8192)  # noqa: B019 (the languages live as long as the process)
    def folded_cluster(self, cluster: str) -> str:
        """A grapheme cluster folded: lower case, composed, without what is invisible; it may be empty or longer."""
        visible = INVISIBLE.sub("", normalize("NFC", cluster.casefold()))
        return self.fold(normalize("NFC", visible))

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
        # Every repetition is bounded, so that no pasted text makes a search take more than a fixed time a character.
        phrase = UNBOUNDED.sub(lambda match: match.group(1) + ("{0,60}" if match.group(2) == "*" else "{1,60}"), phrase)
        return phrase.replace(" ", r"\s{1,4}")

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
    def _inner_prefixes(self) -> tuple[str, ...]:
        return self._affixes("inner_prefixes")

    @cached_property
    def _suffixes(self) -> tuple[str, ...]:
        return self._affixes("suffixes")

    def _affixes(self, name: str) -> tuple[str, ...]:
        folded = {self.fold(normalize("NFC", affix)) for affix in self._data.get(name, ())}
        return tuple(sorted(folded, key=lambda affix: (-len(affix), affix)))

    @lru_cache(maxsize=8192)  # noqa: B019 (the languages live as long as the process)
    def stem(self, word: str) -> str:
        """The folded word without its affixes; empty for a word that carries no content.

        Light on purpose: the same word in two criteria should come out alike, whatever it comes out as.
        """
        if self._is_empty(word):
            return ""
        stem = self._without_attached(word)
        if self._is_empty(stem):
            return ""
        stem = self._without_suffix(stem)
        if self._is_empty(stem):
            return ""
        # What more than one layer leaves is short, and may look like a function word by chance: it is not asked again.
        for _layer in range(1, self._data.get("suffix_layers", 1)):
            stem = self._without_suffix(stem)
        # Person and voice of a verb, once what is attached to the word is gone: "he reassures", "we reassure".
        for prefix in self._inner_prefixes:
            if stem.startswith(prefix) and len(stem) - len(prefix) >= self._shortest:
                return stem[len(prefix) :]
        return stem

    def _without_attached(self, word: str) -> str:
        for prefix in self._prefixes:
            # A longer prefix is surer to be one: "ال" leaves a word of two letters, "و" does not.
            if word.startswith(prefix) and len(word) - len(prefix) >= self._shortest - (len(prefix) > 1):
                return word[len(prefix) :]
        return word

    def _without_suffix(self, word: str) -> str:
        for suffix in self._suffixes:
            if word.endswith(suffix) and len(word) - len(suffix) >= self._shortest:
                return word[: -len(suffix)]
        return word

    def _is_empty(self, word: str) -> bool:
        return word in self._stop_words or self._stop_phrases.fullmatch(word) is not None


@lru_cache(maxsize=64)
def language_of(tag: str) -> Language:
    """The language of a BCP 47 tag by its first part ("ar-EG-x-cairo" is Arabic, and so is "arz"); unknown ones know no
    words."""
    code = tag.replace("_", "-").split("-")[0].lower()
    if not (code.isascii() and code.isalpha()):
        return Language(code, {}, known=False)
    for known in (code, general(code) if len(code) in (2, 3) else code):
        if (path := FOLDER / f"{known}.json").exists():
            return Language(known, json.loads(path.read_text(encoding="utf-8")))
    return Language(code, {}, known=False)


def written_in(text: str, tag: str) -> Language:
    """The language of the tag, unless most letters are of another language's script: an English criterion of an
    Arabic rubric is read as English."""
    language = language_of(tag)
    if not language.script or len(SCRIPTS[language.script].findall(text)) * 2 >= len(text):
        return language
    letters = len(LETTER.findall(text))
    counts = {name: len(pattern.findall(text)) for name, pattern in SCRIPTS.items()}
    if counts[language.script] * 2 >= letters:
        return language
    script, count = max(counts.items(), key=lambda pair: pair[1])
    return language_of(OF_SCRIPT[script]) if count * 2 > letters else language
