"""Vowel signs and other marks, letter by letter."""

import unicodedata
from functools import lru_cache
from operator import ne

import regex

from agreement.answers.declaration import TABLE, Case, NotApplicable, Parameter, Rule, Score, Scorer, Target

# A letter or digit with the marks on it. What stands between letters (white space, punctuation) is not compared.
_MARKED = regex.compile(r"([\p{L}\p{N}])(\p{M}*)")
# Tatweel stretches a word and can carry a mark of its neighbour; signs of Quran editions that are no vowel signs; and
# invisible characters. Alef wasla is how those editions write the alef of the article.
_DROPPED = regex.compile(
    "[\u0640\u06d6-\u06dc\u06dd-\u06e4\u06e7-\u06ed\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+"
)
MANY_LETTERS_CHANGED = "letters changed"
NO_MARKS = "no marks"


# Answers to one question repeat its words: each is taken apart once.
@lru_cache(maxsize=32_768)
def letters_and_marks(word: str) -> tuple[str, tuple[str, ...]]:
    """The letters of a word and the marks on each, whatever the normal form and the order in which marks were typed."""
    word = _DROPPED.sub("", unicodedata.normalize("NFC", word)).replace("ٱ", "ا")
    pairs = _MARKED.findall(unicodedata.normalize("NFC", word))
    return "".join([letter for letter, _ in pairs]), tuple([marks for _, marks in pairs])


def _joined(text: str) -> tuple[str, list[str]]:
    """The letters of a text and the marks on each. White space apart, no letter hangs on what stands before it."""
    parts = list(map(letters_and_marks, text.split()))
    return "".join([letters for letters, _ in parts]), [mark for _, marks in parts for mark in marks]


def prepare(target: Target, most_changed: float) -> Scorer:
    from rapidfuzz.distance import Levenshtein

    letters, marks = _joined(target.reference)
    if not any(marks):
        raise NotApplicable("diacritization needs a reference with marks")
    n_letters = len(letters)

    def score(answer: str) -> Score:
        said_letters, said_marks = _joined(answer)
        if not any(said_marks):
            return Score(0.0, {"state": NO_MARKS, "letters": n_letters, "letters_changed": 0, "wrong": n_letters})
        if said_letters == letters:
            changed, compared, wrong = 0, n_letters, sum(map(ne, marks, said_marks))
        else:
            blocks = Levenshtein.editops(letters, said_letters).as_matching_blocks()
            compared = sum(block.size for block in blocks)
            # Letters left out, put in or exchanged; an exchanged one counts once.
            changed = max(n_letters, len(said_letters)) - compared
            wrong = sum(
                sum(map(ne, marks[block.a : block.a + block.size], said_marks[block.b : block.b + block.size]))
                for block in blocks
            )
        detail = {"letters": n_letters, "letters_changed": changed, "compared": compared, "wrong": wrong}
        if changed > most_changed * n_letters or not compared:
            return Score(0.0, {"state": MANY_LETTERS_CHANGED, **detail})
        return Score.of_share((compared - wrong) / compared, detail)

    return score


RULE = Rule(
    name="diacritization",
    title="Diacritization",
    definition=(
        "Letters that carry exactly the marks they carry in the reference, among the letters of the reference "
        "that the answer kept. A letter that was changed, added or left out is said and not scored as a mark; "
        "where more letters were changed than a tenth of the text, it is another text and scores 0. So does a "
        "text without any mark."
    ),
    version=1,
    published="MANUAL_DIACRITIZATION",
    source=f"{TABLE} and section 3.4.4",
    parameters=(
        Parameter(
            name="most_changed",
            kind="number",
            default=0.1,
            minimum=0,
            maximum=1,
            help="share of the reference's letters up to which an answer with changed letters is still the same text",
        ),
    ),
    prepare=prepare,
    cases=(
        # 20 letters, one of them with kasra for fatha
        Case(
            reference="كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَ",
            answer="كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتِ",
            score=9.5,
            detail={"letters": 20, "wrong": 1, "letters_changed": 0},
        ),
        # 20 letters, one of them another letter: the other 19 are right
        Case(
            reference="كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَ",
            answer="كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَتَبَ كَدَ",
            score=10,
            detail={"letters_changed": 1, "compared": 19, "wrong": 0},
        ),
        # shadda before or behind its vowel sign is one text
        Case(reference="مُدَر\u0651\u0650س", answer="مُدَر\u0650\u0651س", score=10),
        Case(reference="كَتَبَ", answer="كتب", score=0, detail={"state": "no marks"}),
        Case(reference="كَتَبَ", answer="قَرَأَ", score=0, detail={"state": "letters changed"}),
        Case(reference="كتب", refused="needs a reference with marks"),
    ),
)
