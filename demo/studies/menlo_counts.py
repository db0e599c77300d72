"""How much there is of what in a generated study of ratings: the counts of MENLO, and who is simulated beside.

Pairs, raters, grades, means, standard deviations and alphas are published (arXiv 2509.26601, Table 1); which target
models there are as well. A grade is of one response: who rates a pair gives two, which is why every published number
of annotations is even. Where the paper is silent (judges, splits of templates) the numbers are chosen.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Dimension:
    """`grades`, `raters` and `pairs` are met exactly; `mean`, `std` and `alpha` of all grades in expectation.

    `templates` lists in how many varieties each template was answered; the first ones are for testing.
    """

    slug: str
    questions: tuple[str, ...]
    pairs: int
    grades: int
    raters: int
    mean: float
    std: float
    alpha: float
    test: tuple[int, ...]
    train: tuple[int, ...]


EVERYWHERE = 47
VARIETIES = (
    *("ar", "ar-Latn-EG", "bg-BG", "bn-BD", "cs-CZ", "da-DK", "de-DE", "el-GR", "en-AU", "en-GB", "en-IN", "en-US"),
    *("es-ES", "es-MX", "fa-IR", "fr-FR", "gu-IN", "he-IL", "hi-IN", "hi-Latn-IN", "hr-HR", "hu-HU", "id-ID", "it-IT"),
    *("ja-JP", "ko-KR", "mr-IN", "ms-MY", "ne-NP", "nl-NL", "pl-PL", "pt-BR", "pt-PT", "ro-RO", "ru-RU", "sk-SK"),
    *("sv-SE", "sw-KE", "th-TH", "tl-PH", "tr-TR", "uk-UA", "ur-Latn-PK", "ur-PK", "vi-VN", "zh-CN", "zh-TW"),
)
DIMENSIONS = (
    Dimension(
        "fluency",
        ("vocabulary-syntax", "coherence", "grammar-mechanics", "clarity-conciseness"),
        pairs=1820,
        grades=23_556,
        raters=450,
        mean=4.01,
        std=1.11,
        alpha=0.82,
        test=(45, *(EVERYWHERE,) * 10),
        train=(36, *(EVERYWHERE,) * 27),
    ),
    Dimension(
        "tone",
        ("engaging", "fair", "insightful", "helpful"),
        pairs=1410,
        grades=18_712,
        raters=429,
        mean=3.48,
        std=1.35,
        alpha=0.86,
        test=(EVERYWHERE,) * 8,
        train=(EVERYWHERE,) * 22,
    ),
    Dimension(
        "localized-tone",
        ("cultural-relevance", "formality", "humor", "linguistic-nuance"),
        pairs=1815,
        grades=22_324,
        raters=530,
        mean=3.89,
        std=1.17,
        alpha=0.83,
        test=(29, *(EVERYWHERE,) * 10),
        train=(EVERYWHERE,) * 28,
    ),
    Dimension(
        "localized-factuality",
        ("cultural-practices", "expressions-concepts", "local-knowledge"),
        pairs=1378,
        grades=16_422,
        raters=525,
        mean=3.82,
        std=1.16,
        alpha=0.84,
        test=(EVERYWHERE,) * 8,
        train=(15, *(EVERYWHERE,) * 21),
    ),
)
# Of the templates that are not for testing, every eighth is for validation.
VALIDATION_EVERY = 8

# Name, laboratory, and how much better than others its responses are, in standard deviations of quality.
TARGETS = (
    ("GPT-4o", "OpenAI", 0.25),
    ("Gemini 1.5 with search", "Google", 0.1),
    ("Llama 4 Maverick with search", "Meta", -0.1),
    ("Llama 4 Maverick", "Meta", -0.25),
)

MIN_RATERS, MAX_RATERS = 3, 9
# Share of raters who read nothing and grade as grades are distributed over all responses.
CARELESS = 0.02
# Of what makes two raters differ, the share of the variance that is lasting severity.
LASTING = 0.6
# Raters who say which response they prefer, beside their grades.
PREFERENCE_SAID = 0.5


# The mean of all grades (Table 1, overall).
MIDDLE = 3.80
# Judges grade what is for testing, and in these varieties every pair: enough of it for each rater there that a judge
# can be put to the alternative-annotator test in their place.
JUDGED_WHOLLY = ("bn-BD", "en-US", "id-ID", "ko-KR")


@dataclass(frozen=True)
class SimulatedJudge:
    """What a judge sees is MIDDLE + discernment * (quality - MIDDLE) + leniency + an error; all in grade steps.

    `noise` is the standard deviation of the error, `shared` the share of its variance that both responses of a pair
    have in common, `first_position` what a response gains by being shown first.
    """

    model: str
    setup: str
    with_rubric: bool
    discernment: float
    leniency: float
    noise: float
    unparseable: float
    shared: float = 0.0
    first_position: float = 0.0

    @property
    def name(self) -> str:
        return f"Simulated {self.model}: {self.setup}, {'with' if self.with_rubric else 'without'} rubric"

    @property
    def is_pairwise(self) -> bool:
        return self.setup == PAIRWISE

    @property
    def is_few_shot(self) -> bool:
        return self.setup == FEW_SHOT


ZERO_SHOT, FEW_SHOT, PAIRWISE = "zero-shot pointwise", "few-shot pointwise", "pairwise"
# Chosen so that macro-F1 and preference accuracy come near those of Tables 3 and 4, in their order: the large judge's
# to those of GPT-4.1, the small one's to those of Qwen3-4B. Neither has their name: GPT-4.1 would judge its own
# laboratory's responses, which the guard forbids. Few-shot without rubric was not asked.
JUDGES = (
    SimulatedJudge("large judge", ZERO_SHOT, False, 0.16, 0.65, 1.24, 0.02),
    SimulatedJudge("large judge", ZERO_SHOT, True, 0.41, 0.18, 1.26, 0.02),
    SimulatedJudge("large judge", FEW_SHOT, True, 0.48, 0.11, 1.28, 0.01),
    SimulatedJudge("large judge", PAIRWISE, False, 0.48, -0.20, 0.78, 0.02, shared=0.53, first_position=0.35),
    SimulatedJudge("large judge", PAIRWISE, True, 0.54, -0.11, 0.80, 0.01, shared=0.45, first_position=0.20),
    SimulatedJudge("small judge", ZERO_SHOT, False, 0.05, 1.00, 0.76, 0.03),
    SimulatedJudge("small judge", ZERO_SHOT, True, 0.19, 0.60, 1.14, 0.03),
    SimulatedJudge("small judge", FEW_SHOT, True, 0.32, 0.37, 1.38, 0.02),
    SimulatedJudge("small judge", PAIRWISE, False, 0.38, -0.18, 0.80, 0.03, shared=0.68, first_position=0.35),
    SimulatedJudge("small judge", PAIRWISE, True, 0.48, -0.02, 0.88, 0.02, shared=0.51, first_position=0.20),
)
