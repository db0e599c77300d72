"""How fast stored answers are scored by the rules that ask nobody, on one core.

Computed rules in the proportions of table 6 of the paper over answers of about 60 words, many answers to each question
as a benchmark has them: with words that were met before, and from words that nobody has met (a word's stem is found
once and takes 60 to 120 us). The languages apart, where the script decides and where words do. Processor time: there
is nothing to wait for. Run from the project's root: `make bench ARGS=rules`. Prints; never passes or fails.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from agreement.answers.declaration import Target
from agreement.answers.languages import identify
from agreement.answers.rules import rule_named
from speed.results import report

SEED = 13
ANSWERS = 600
QUESTIONS = 30
WORDS = 60
LEXICON = 4000
AIM_RULES, AIM_LANGUAGES = 20_000, 10_000
# Uses of each computed rule in table 6: 174 in all.
USES = {
    "rouge_l": 65, "meteor": 34, "words_intersection": 19, "diacritization": 12, "dialect_matching": 11,
    "relative_edit_distance": 6, "reference_length": 6, "minimum_edit_distance": 6, "valid_json": 5,
    "instruction_words": 3, "structuring": 3, "instruction_counts": 2, "first_line": 2,
}  # fmt: skip
PARAMETERS: dict[str, dict[str, Any]] = {
    "instruction_words": {"phrases": ["النخيل"], "count": 2},
    "instruction_counts": {"unit": "words", "count": 60},
    "structuring": {"form": "bullets"},
}
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
MARKS = "\u064e\u064f\u0650\u0652"


def main() -> None:
    chance = random.Random(SEED)
    lexicon = ["".join(chance.choices(LETTERS, k=chance.randint(2, 8))) for _word in range(LEXICON)]
    report_rules(chance, lexicon)
    report_languages(chance, lexicon)


def text_of(chance: random.Random, lexicon: list[str]) -> str:
    return " ".join(chance.choices(lexicon, k=WORDS))


def near(chance: random.Random, reference: str, lexicon: list[str]) -> str:
    """The reference with a third of its words exchanged."""
    return " ".join(word if chance.random() < 0.67 else chance.choice(lexicon) for word in reference.split())


def target_of(name: str, chance: random.Random, lexicon: list[str]) -> Target:
    reference = text_of(chance, lexicon)
    if name == "dialect_matching":
        return Target("اللهجة المصرية", "", "ar")
    if name == "diacritization":
        return Target("".join(letter + chance.choice(MARKS) if letter != " " else letter for letter in reference))
    if name == "structuring":
        return Target("\n".join(f"- {word}" for word in reference.split()[:8]), "", "ar")
    return Target(reference, near(chance, reference, lexicon), "ar")


def report_rules(chance: random.Random, lexicon: list[str]) -> None:
    """Each rule over its share of questions; rates are those of the mix."""
    first = again = 0.0
    total = sum(USES.values())
    for name, uses in USES.items():
        cold = warm = 0.0
        questions = max(1, QUESTIONS * uses // total)
        for _question in range(questions):
            target = target_of(name, chance, lexicon)
            answers = [near(chance, target.reference, lexicon) for _answer in range(2 * ANSWERS)]
            scorer = rule_named(name).scorer(target, PARAMETERS.get(name))
            cold += timed(scorer, answers[:ANSWERS])
            warm += timed(scorer, answers[ANSWERS:])  # other texts: none was met as a whole
        n = questions * ANSWERS
        first, again = first + uses * cold / n, again + uses * warm / n
        report(f"{name}, {WORDS} words", f"{n / warm:,.0f} uses/s")
    of_table = f"computed rules as in table 6 ({total} uses)"
    report(f"{of_table}, words met before", f"{total / again:,.0f} uses/s", bar=f"{AIM_RULES:,}")
    report(f"{of_table}, {LEXICON:,} words met for the first time", f"{total / first:,.0f} uses/s")


def report_languages(chance: random.Random, lexicon: list[str]) -> None:
    arabic = [text_of(chance, lexicon) for _text in range(2000)]
    shared = "Pemerintah daerah akan membuka jalan baru yang menghubungkan kota dengan desa di sekitarnya."
    latin = [" ".join(chance.sample(shared.split(), 10)) for _text in range(2000)]
    for what, texts, languages in (
        ("script decides", arabic, ("ar", "en", "ko")),
        ("words decide", latin, ("id", "en", "fr")),
    ):
        identify(texts[0], languages)  # loads the identifier
        took = timed(lambda text, among=languages: identify(text, among), texts)  # type: ignore[misc]
        report(f"languages, {what}", f"{len(texts) / took:,.0f} texts/s", bar=f"{AIM_LANGUAGES:,}")


def timed(work: Callable[[str], object], texts: list[str]) -> float:
    """Seconds of processor time."""
    began = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - began


if __name__ == "__main__":
    main()
