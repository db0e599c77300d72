"""How many errors each generated setting has, who found them and what the others said: the counts of a study.

Numbers are those of JuICE (Jin et al.): gold errors and share of thick errors from its Table 3, errors marked per
response, their criticality and the share retained in validation from its Table 8. Quotas are met exactly
(to the rounding of a count); which error goes to whom is drawn.
"""

from dataclasses import dataclass, field
from random import Random

RESPONSES = 150
HUMANS = ("first", "second")
JUDGES = ("judge-a", "judge-b")
DETECTORS = HUMANS + JUDGES
MAX_ERRORS_OF_A_RESPONSE = 22

THICK = (
    "implicit-linguistic",
    "cultural-incoherence",
    "cultural-specificity",
    "cultural-connotation",
    "cultural-missingness",
)
NOT_THICK = ("explicit-linguistic", "cultural-inaccuracy", "logical")
ERROR_TYPE = {"explicit-linguistic": "linguistic", "implicit-linguistic": "linguistic", "logical": "logical"}
# In the local language the language itself is at fault more often; in English the culture is.
SHARES = {
    "local": {"thick": (50, 20, 10, 10, 10), "not thick": (60, 36, 4)},
    "en": {"thick": (20, 35, 18, 12, 15), "not thick": (22, 73, 5)},
}
# Which detector finds what: people find thick errors more readily, judge B hardly ever does.
KEENNESS_ON_THICK = {"first": 1.7, "second": 1.7, "judge-a": 0.95, "judge-b": 0.5}


@dataclass(frozen=True)
class Setting:
    """One country and language, with the published figures it is generated to match.

    `marked` is errors per response (of each of the two humans, of judge A, of judge B); `retained` the share of
    them that the other raters kept; `criticality` the humans' errors per response at high, medium and low.
    """

    code: str
    variety: str
    errors: int
    thick_percent: float
    marked: tuple[float, float, float]
    retained: tuple[float, float, float]
    criticality: tuple[float, float, float]

    @property
    def country(self) -> str:
        return self.code[:2]

    @property
    def language(self) -> str:
        return self.code[3:]

    @property
    def thick(self) -> int:
        return round(self.errors * self.thick_percent / 100)

    def quotas(self) -> dict[str, tuple[int, int]]:
        """Per detector: spans marked in the whole setting, and how many of them are retained."""
        human, judge_a, judge_b = (round(RESPONSES * mean) for mean in self.marked)
        of_both = round(2 * RESPONSES * self.marked[0])
        kept_of_both = round(of_both * self.retained[0])
        first, kept_first = human, kept_of_both // 2
        return {
            "first": (first, kept_first),
            "second": (of_both - first, kept_of_both - kept_first),
            "judge-a": (judge_a, round(judge_a * self.retained[1])),
            "judge-b": (judge_b, round(judge_b * self.retained[2])),
        }


# fmt: off
SETTINGS = (
    Setting("US-en", "en-US", 661, 50.2, (2.44, 1.55, 1.65), (0.6398, 0.8409, 0.8629), (0.31, 0.94, 1.20)),
    Setting("KR-ko", "ko-KR", 1107, 41.7, (1.93, 4.90, 3.13), (0.7945, 0.9097, 0.9227), (0.48, 0.96, 0.49)),
    Setting("KR-en", "en-KR", 1009, 40.2, (2.02, 4.80, 2.49), (0.8182, 0.9102, 0.9118), (0.75, 0.92, 0.35)),
    Setting("ID-id", "id-ID", 1237, 38.3, (3.46, 3.88, 3.78), (0.7190, 0.8801, 0.8794), (0.73, 1.57, 1.16)),
    Setting("ID-en", "en-ID", 907, 45.1, (2.02, 4.38, 2.29), (0.7644, 0.8909, 0.9009), (0.51, 1.01, 0.50)),
    Setting("BD-bn", "bn-BD", 1734, 35.6, (2.92, 9.47, 6.57), (0.8721, 0.9085, 0.9281), (1.21, 1.21, 0.50)),
    Setting("BD-en", "en-BD", 815, 40.2, (1.00, 4.99, 2.91), (0.7300, 0.8768, 0.8727), (0.24, 0.56, 0.20)),
)
# fmt: on
#: The paper's names of its settings, by language tag.
SHORT_NAMES = {setting.variety: setting.code for setting in SETTINGS}


@dataclass
class Issue:
    """Something wrong with a response (or, where it is not kept, something one detector wrongly marked)."""

    key: str
    is_kept: bool
    category: str
    found_by: list[str] = field(default_factory=list)


def _categories(rng: Random, setting: Setting) -> list[str]:
    shares = SHARES["en" if setting.language == "en" else "local"]
    thick = rng.choices(THICK, shares["thick"], k=setting.thick)
    rest = rng.choices(NOT_THICK, shares["not thick"], k=setting.errors - setting.thick)
    categories = thick + rest
    rng.shuffle(categories)
    return categories


def _keenness(detector: str, category: str) -> float:
    return KEENNESS_ON_THICK[detector] if category in THICK else 1.0


def _assign_detectors(rng: Random, issues: list[Issue], left: dict[str, int]) -> None:
    """Give each issue a first detector, then spend what is left of each quota on issues it has not found yet."""
    for issue in issues:
        weights = [left[name] * _keenness(name, issue.category) for name in DETECTORS]
        name = rng.choices(DETECTORS, weights)[0]
        issue.found_by.append(name)
        left[name] -= 1
    for name, count in left.items():
        others = [issue for issue in issues if name not in issue.found_by]
        # Weighted sampling without replacement (Efraimidis and Spirakis, 2006).
        others.sort(key=lambda issue: rng.random() ** (1 / _keenness(name, issue.category)), reverse=True)
        for issue in others[:count]:
            issue.found_by.append(name)
    for issue in issues:
        # People come first: the span that stands for a group is a person's where one found it.
        issue.found_by.sort(key=DETECTORS.index)


def plan(rng: Random, setting: Setting, room: list[int]) -> list[list[Issue]]:
    """The issues of each response. `room` is how many issues each response has sentences for."""
    quotas = setting.quotas()
    kept = [Issue(f"error-{n}", True, category) for n, category in enumerate(_categories(rng, setting), 1)]
    _assign_detectors(rng, kept, {name: retained for name, (_, retained) in quotas.items()})
    rejected = [name for name, (marked, retained) in quotas.items() for _ in range(marked - retained)]
    rng.shuffle(rejected)
    shares = SHARES["en" if setting.language == "en" else "local"]["not thick"]
    mistakes = [
        Issue(f"mistake-{n}", False, rng.choices(NOT_THICK, shares)[0], [name]) for n, name in enumerate(rejected, 1)
    ]
    planned: list[list[Issue]] = [[] for _ in room]
    weights = [rng.gammavariate(4, 1) for _ in room]
    for issue in kept + mistakes:
        limit = MAX_ERRORS_OF_A_RESPONSE if issue.is_kept else MAX_ERRORS_OF_A_RESPONSE + 6
        number = rng.choices(range(len(room)), weights)[0]
        while len(planned[number]) >= min(limit, room[number]):
            number = rng.randrange(len(room))
        planned[number].append(issue)
    return planned
