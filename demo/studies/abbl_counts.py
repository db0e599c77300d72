"""The counts of ABBL (K. Ouda, 2025) that the generated question set has: tables 2, 3 and 6 as they are printed, and
how they are put together here.

The paper counts formats, skills, sources and rules each for itself. `CELLS` is one way to have all four at once, and
ours: questions of one kind, skill, format and source, and the rules that score them. Sources have the sizes of table 5
and names of our own, for what stands in them is generated.
"""

from typing import NamedTuple

MCQ, GENERATION, BLANK, SHORT = "mcq", "generation", "fill-in-the-blank", "short-answer"

#: Table 2.
FORMATS = {MCQ: 229, GENERATION: 228, BLANK: 8, SHORT: 5}

#: Table 3, in its order.
SKILLS = {
    "MMLU": 121,
    "General Knowledge": 63,
    "Reasoning & Math": 43,
    "RAG QA": 41,
    "Translation (incl Dialects)": 36,
    "Trust & Safety": 30,
    "Writing (incl Dialects)": 22,
    "Reading Comprehension": 17,
    "Arabic Language & Grammar": 17,
    "Diacritization": 12,
    "Dialect Detection": 11,
    "Sentiment Analysis": 9,
    "Summarization": 8,
    "Instruction Following": 7,
    "Transliteration": 6,
    "Paraphrasing": 6,
    "Entity Extraction": 5,
    "Long Context": 4,
    "Coding": 3,
    "Hallucination": 3,
    "Function Calling": 3,
    "Structuring": 3,
}

#: Table 6, by our names of its rules (docs/benchmark.md).
RULES = {
    "judge_choice": 218,
    "judge_generation": 173,
    "rouge_l": 65,
    "meteor": 34,
    "judge_dialect": 30,
    "judge_reasoning": 21,
    "words_intersection": 19,
    "diacritization": 12,
    "dialect_matching": 11,
    "relative_edit_distance": 6,
    "reference_length": 6,
    "minimum_edit_distance": 6,
    "valid_json": 5,
    "judge_irab": 3,
    "instruction_words": 3,
    "structuring": 3,
    "instruction_counts": 2,
    "first_line": 2,
}

#: Questions of each source, the column of table 5.
SOURCE_SIZES = (
    [70, 51, 24, 24, 24, 20, 19, 18, 17, 16, 15, 8] + [6] * 6 + [5] * 3 + [4] + [3] * 25 + [2] * 17
)  # fmt: skip

#: Those of whose questions table 5 says that they were translated, or that are translations of an English set.
TRANSLATED = frozenset(
    [
        "exams-translated", "turns", "truths", "yes-no", "science-quiz", "tables",
        "manuals", "outcomes", "school-reading", "ways", "sums", "science-hard",
        "science-easy", "dates", "hate", "finance", "searches", "health",
        "open-book", "placements", "needles", "following-more", "unanswerable", "cross-lingual",
    ]
)  # fmt: skip

ASKED, REASONED, DIALECT = "judge_generation", "judge_reasoning", "judge_dialect"
CHOICE = ("judge_choice",)


class Cell(NamedTuple):
    """So many questions of one kind (demo/studies/abbl_questions.py), of one skill, format and source."""

    skill: str
    format: str
    kind: str
    rules: tuple[str, ...]
    sources: tuple[tuple[str, int], ...]


CELLS = (
    Cell("MMLU", MCQ, "fact", CHOICE, (("exams-native", 70), ("exams-translated", 51))),
    Cell("General Knowledge", MCQ, "true_or_false", CHOICE, (("statements", 11),)),
    Cell("General Knowledge", MCQ, "custom", CHOICE, (("culture", 6),)),
    Cell("General Knowledge", MCQ, "error", CHOICE, (("truths", 6),)),
    Cell(
        "General Knowledge", MCQ, "science", CHOICE,
        (("science-quiz", 3), ("science-hard", 3), ("science-easy", 3), ("open-book", 2), ("regional-exams", 2)),
    ),
    Cell("General Knowledge", BLANK, "proverb", (ASKED, "words_intersection"), (("statements", 5),)),
    Cell("General Knowledge", SHORT, "short_fact", (ASKED,), (("statements", 5),)),
    Cell("General Knowledge", GENERATION, "definition", (ASKED,), (("statements", 3), ("answers-native", 3))),
    Cell("General Knowledge", GENERATION, "definition", (ASKED,), (("house", 11),)),
    Cell("Reasoning & Math", MCQ, "pronoun", CHOICE, (("pronouns", 8),)),
    Cell("Reasoning & Math", MCQ, "cause", CHOICE, (("outcomes", 3), ("ways", 3), ("choices-native", 3))),
    Cell("Reasoning & Math", MCQ, "weekday", CHOICE, (("dates", 3),)),
    Cell("Reasoning & Math", MCQ, "placement", CHOICE, (("placements", 2),)),
    Cell("Reasoning & Math", GENERATION, "sum", (REASONED,), (("sums", 3), ("turns", 7), ("answers-native", 8))),
    Cell("Reasoning & Math", GENERATION, "riddle", (REASONED,), (("folk-riddles", 3),)),
    Cell("RAG QA", GENERATION, "shuffled_story", (ASKED, "rouge_l"), (("shuffled-stories", 20),)),
    Cell(
        "RAG QA", GENERATION, "passage", (ASKED, "rouge_l"),
        (("tables", 3), ("manuals", 3), ("finance", 2), ("searches", 2), ("health", 2), ("wiki-answers", 2),
         ("books", 2), ("cross-lingual", 2), ("house", 1)),
    ),
    Cell("RAG QA", GENERATION, "unanswerable", (ASKED, "rouge_l"), (("unanswerable", 2),)),
    Cell("Translation (incl Dialects)", GENERATION, "from_english", (ASKED, "meteor"), (("assembly", 6),)),
    Cell("Translation (incl Dialects)", GENERATION, "to_standard", (ASKED, "meteor"), (("dialects-parallel", 9),)),
    Cell(
        "Translation (incl Dialects)", GENERATION, "to_standard", (ASKED, "meteor"),
        (("levantine-standard", 3), ("gulf-standard", 3), ("egyptian-standard", 3), ("maghrebi-standard", 2)),
    ),
    Cell(
        "Translation (incl Dialects)", GENERATION, "to_dialect", (ASKED, DIALECT, "meteor"),
        (("dialects-parallel", 7), ("house", 1)),
    ),
    Cell("Translation (incl Dialects)", GENERATION, "to_english", (ASKED,), (("darija-pairs", 2),)),
    Cell("Trust & Safety", MCQ, "conduct", CHOICE, (("trust", 19),)),
    Cell("Trust & Safety", GENERATION, "harm", (ASKED,), (("hate", 2), ("answers-native", 6), ("house", 3))),
    Cell("Writing (incl Dialects)", GENERATION, "write_dialect", (DIALECT,), (("dialect-writing", 15),)),
    Cell(
        "Writing (incl Dialects)", GENERATION, "write_standard", (DIALECT,),
        (("turns", 4), ("sayings", 2), ("answers-native", 1)),
    ),
    Cell(
        "Reading Comprehension", MCQ, "passage_choice", CHOICE,
        (("yes-no", 3), ("school-reading", 3), ("choices-native", 3)),
    ),
    Cell("Reading Comprehension", GENERATION, "passage", (ASKED, "rouge_l"), (("answers-native", 6), ("house", 2))),
    Cell("Arabic Language & Grammar", MCQ, "grammar", CHOICE, (("language-school", 5),)),
    Cell("Arabic Language & Grammar", GENERATION, "parse", (ASKED, "judge_irab"), (("house", 3),)),
    Cell(
        "Arabic Language & Grammar", GENERATION, "spelling", (ASKED, "relative_edit_distance"),
        (("spelling", 3), ("typing", 3)),
    ),
    Cell("Arabic Language & Grammar", BLANK, "blank", (ASKED, "words_intersection"), (("house", 3),)),
    Cell("Diacritization", GENERATION, "mark", ("diacritization",), (("marked-prose", 6), ("marked-verse", 6))),
    Cell(
        "Dialect Detection", MCQ, "detect", ("dialect_matching",),
        (("dialect-samples", 3), ("dialect-questions", 4), ("dialects-parallel", 2), ("choices-native", 2)),
    ),
    Cell("Sentiment Analysis", MCQ, "sentiment", CHOICE, (("choices-native", 6),)),
    Cell("Sentiment Analysis", GENERATION, "sentiment_named", (ASKED, "words_intersection"), (("news-native", 3),)),
    Cell("Summarization", GENERATION, "summary", (ASKED, "rouge_l"), (("news-summaries", 5), ("how-to", 3))),
    Cell("Instruction Following", GENERATION, "mention", (ASKED, "instruction_words"), (("following", 3),)),
    Cell("Instruction Following", GENERATION, "count", (ASKED, "instruction_counts"), (("following-more", 2),)),
    Cell("Instruction Following", GENERATION, "card", (ASKED, "valid_json"), (("choices-native", 2),)),
    Cell("Transliteration", GENERATION, "transliterate", ("minimum_edit_distance",), (("latin-chat", 6),)),
    Cell(
        "Paraphrasing", GENERATION, "rephrase", (ASKED, "rouge_l", "reference_length"),
        (("paraphrases", 3), ("turns", 3)),
    ),
    Cell("Entity Extraction", GENERATION, "entities", ("words_intersection",), (("entities", 3), ("news-native", 2))),
    Cell("Long Context", GENERATION, "long_passage", (ASKED, "rouge_l"), (("long-passages", 2),)),
    Cell("Long Context", GENERATION, "needle", ("first_line",), (("needles", 2),)),
    Cell("Coding", GENERATION, "program", (ASKED,), (("turns", 3),)),
    Cell("Hallucination", GENERATION, "unreal", (ASKED, "words_intersection"), (("unreal", 3),)),
    Cell("Function Calling", GENERATION, "call", (ASKED, "valid_json"), (("calls", 3),)),
    Cell("Structuring", GENERATION, "structure", (ASKED, "structuring"), (("structures", 3),)),
)  # fmt: skip

#: Of these kinds the last questions are held back: twins of the first ones.
HELD_BACK = {"fact": 5, "sum": 6, "pronoun": 4}
