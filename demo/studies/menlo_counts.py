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


@dataclass(frozen=True)
class SimulatedJudge:
    """`leniency`, `noise` and `first_position` (what a response gains by being shown first) are in grade steps."""

    model: str
    setup: str
    with_rubric: bool
    leniency: float
    noise: float
    first_position: float
    unparseable: float

    @property
    def name(self) -> str:
        return f"Simulated {self.model}: {self.setup}, {'with' if self.with_rubric else 'without'} rubric"

    @property
    def is_pairwise(self) -> bool:
        return self.setup == "pairwise"


# (setup, with rubric): leniency, noise, gain of the first position, share of unreadable verdicts.
SETUPS = {
    ("zero-shot pointwise", False): (0.60, 1.10, 0.0, 0.02),
    ("zero-shot pointwise", True): (0.45, 1.00, 0.0, 0.02),
    ("few-shot pointwise", False): (0.40, 0.95, 0.0, 0.01),
    ("few-shot pointwise", True): (0.30, 0.85, 0.0, 0.01),
    ("pairwise", False): (0.25, 0.80, 0.35, 0.02),
    ("pairwise", True): (0.15, 0.70, 0.20, 0.01),
}
# Model: what is added to leniency, and what noise and unreadable verdicts are multiplied by.
JUDGE_MODELS = {"large judge": (0.0, 1.0), "small judge": (0.25, 1.4)}
JUDGES = tuple(
    SimulatedJudge(model, setup, with_rubric, leniency + lenient, noise * rough, first, unparseable * rough)
    for model, (lenient, rough) in JUDGE_MODELS.items()
    for (setup, with_rubric), (leniency, noise, first, unparseable) in SETUPS.items()
)
