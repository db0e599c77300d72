"""Stems of words, by language (Snowball).

Only the algorithm's own module is asked: the package itself takes a C implementation where one happens to be
installed, and scores must not hang on that.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

#: By ISO 639 code. A language that is not here has no stems: its words match as they stand.
ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ms": "indonesian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
# Beyond this a "word" is no word, and stemming takes time that grows with its square.
MAX_CHARACTERS = 60


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """From a folded word to its stem; the word itself where the language has no stemmer."""
    algorithm = ALGORITHMS.get(language)
    if algorithm is None:
        return str
    module = import_module(f"snowballstemmer.{algorithm}_stemmer")
    stem_word = getattr(module, f"{algorithm.title()}Stemmer")().stemWord

    @lru_cache(maxsize=65_536)
    def stem(word: str) -> str:
        if len(word) > MAX_CHARACTERS:
            return word
        if language == "ar" and len(word) > 3 and word.endswith("ه") and not word.endswith("ته"):
            # Folding wrote ه for ة, by which the stemmer knows a feminine noun; ته is "his".
            word = word[:-1] + "ة"
        return stem_word(word)

    return stem
