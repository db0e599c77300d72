"""The words by which a settled error is found: folded, and where its language has stems, by their stem.

Scripts without spaces are cut into pairs of neighbouring characters, as is usual for them; of Han each character is a
word as well. Of Arabic a word goes by two stems where they differ: the stemmer takes the first letter of a root for
"and", "so" or "by" where no article shows that it is none, فسيخ becoming سيخ beside الفسيخ.
"""

from collections.abc import Iterable

import regex

from agreement.answers.folding import words
from agreement.answers.stems import stemmer
from annotation.models import MAX_CASE_WORD

UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+")
# Marks alone, such as a variation selector beside an emoji, are no word.
SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}]")
HAN = regex.compile(r"\p{Han}")
# "the"; "and", "so", "by", "like" or "for" before it.
ARTICLE = regex.compile(r"^ال(?=..)")
WITH_ARTICLE = regex.compile(r"^[وف]?(?:[بك]?ال|لل)(?=...)")
#: A case is found by so many of its words, and looked for by so many.
MOST_OF_CASE = 200
MOST_ASKED = 8


def words_of(text: str, language: str) -> list[str]:
    """The words of a text in a language (ISO 639 code), each once, in their order; at most MOST_OF_CASE."""
    found: dict[str, None] = {}
    for word in filter(SAYS_SOMETHING.search, words(text)):
        pieces = [*pairs(word), *HAN.findall(word)] if UNSPACED.search(word) else stems(word, language)
        for piece in pieces:
            found.setdefault(piece[:MAX_CASE_WORD])
        if len(found) >= MOST_OF_CASE:
            break
    return list(found)[:MOST_OF_CASE]


def asked_words(text: str, languages: Iterable[str]) -> list[set[str]]:
    """Of each word that is looked for how it may stand in the index: its stems in each of the languages. At most
    MOST_ASKED."""
    spoken = sorted(set(languages)) or [""]
    asked: list[set[str]] = []
    for word in filter(SAYS_SOMETHING.search, words(text)):
        if UNSPACED.search(word):
            asked += [{pair} for pair in pairs(word)]
        else:
            asked.append({stem[:MAX_CASE_WORD] for language in spoken for stem in stems(word, language)})
    return [each for place, each in enumerate(asked) if each not in asked[:place]][:MOST_ASKED]


def stems(word: str, language: str) -> list[str]:
    """How a folded word stands in the index. A word of Arabic and the same with the article share at least one; not so
    one that begins with the article's letters itself, which would else count twice among rare words."""
    stem = stemmer(language)
    if language != "ar":
        return [stem(word)]
    bare = [ARTICLE.sub("", word), WITH_ARTICLE.sub("", word)]
    return list(dict.fromkeys([stem(word), *(stem(f"ال{each}") for each in bare)]))


def pairs(word: str) -> list[str]:
    """Each two neighbouring characters of the runs without spaces, and what stands between the runs."""
    found: list[str] = []
    for run in regex.splititer(rf"({UNSPACED.pattern})", word):
        if not run:
            continue
        if not UNSPACED.fullmatch(run) or len(run) == 1:
            found.append(run[:MAX_CASE_WORD])
        else:
            found += [run[at : at + 2] for at in range(len(run) - 1)]
    return found
