"""A table of each kind of chart, small enough to read: what pages and charts are tested on without any arithmetic."""

from agreement.figures import NO_GOLD_SPANS, TOO_FEW, Figure, Recipe
from reports.dashboard.tables import Row, Table

VARIETIES = ("US-en", "KR-en", "KR-ko", "ID-en", "ID-id", "BD-en", "BD-bn")
JUDGES = ("Judge of the long name that wraps 70B", "Harbor judge 9B", "قاضي محاكى")
CATEGORIES = (
    "Cultural missingness",
    "Cultural incoherence",
    "Stereotyping and exoticism",
    "Wrong names and facts",
    "Register and politeness",
    "Translationese",
    "Grammar and spelling",
    "Logic",
)


def figure(value: float, n: int = 150, width: float = 0.04) -> Figure:
    return Figure(value, n, max(0.0, value - width), min(1.0, value + width))


def recipe(metric: str, **settings) -> Recipe:
    return Recipe(
        metric,
        n_items=1050,
        n_raters=37,
        settings={"threshold": 0.15, "matching": "some", **settings},
        gold_rule="unanimous",
        seed=2026,
        code_version="1.0",
        data_snapshot="3f5c2a",
    )


def people() -> Table:
    return Table(
        id="people",
        title="People with each other",
        summary="Two people who read the same response mark the same words with an F1 of 0.44.",
        dimensions=("variety",),
        measures=("f1",),
        rows=(
            *(Row((name,), (figure(0.35 + 0.03 * at),), {"variety": "ar-EG"}) for at, name in enumerate(VARIETIES[:6])),
            Row((VARIETIES[6],), (Figure.without_value(TOO_FEW, 1),)),
        ),
        recipe=recipe("span_f1_of_people"),
        x="variety",
    )


def judges() -> Table:
    scores = ((0.61, 0.33, 0.43), (0.35, 0.52, 0.42), (0.2, 0.1, 0.13))
    return Table(
        id="judge-scores",
        title="Judges against gold",
        summary="The best judge reaches an F1 of 0.43, people 0.44.",
        note="A judge is measured on the responses whose gold is settled.",
        dimensions=("judge",),
        measures=("precision", "recall", "f1"),
        rows=tuple(
            Row((name,), tuple(map(figure, values)), {"rater": "r-none"}, ("simulated",) if at == 2 else ())
            for at, (name, values) in enumerate(zip(JUDGES, scores, strict=True))
        ),
        recipe=recipe("span_scores"),
        x="judge",
        ceilings={"precision": figure(0.44), "recall": figure(0.44), "f1": figure(0.44)},
    )


def sweep() -> Table:
    thresholds = [step / 10 for step in range(11)]
    return Table(
        id="threshold-sweep",
        title="F1 by threshold",
        summary="F1 falls as more overlap is asked for.",
        dimensions=("judge", "threshold"),
        measures=("precision", "recall", "f1"),
        rows=tuple(
            Row(
                (name, f"{threshold:.1f}"),
                tuple(figure((1 - threshold) * (0.6 - 0.12 * at) + 0.01 * extra) for extra in range(3)),
            )
            for at, name in enumerate(JUDGES)
            for threshold in thresholds
        ),
        recipe=recipe("span_scores"),
        chart="lines",
        x="threshold",
        series="judge",
        ceilings={"f1": figure(0.44)},
    )


def categories() -> Table:
    return Table(
        id="category-recall",
        title="Recall by category",
        summary="Judges find grammar more often than what is missing.",
        dimensions=("judge", "category"),
        measures=("recall",),
        rows=tuple(
            Row(
                (judge, category),
                (Figure.without_value(NO_GOLD_SPANS) if row == 4 and at else figure(0.1 + 0.1 * row - 0.05 * at),),
                {"category": "logic", "detector": "judge"},
            )
            for at, judge in enumerate(JUDGES)
            for row, category in enumerate(CATEGORIES)
        ),
        recipe=recipe("category_recall"),
        chart="heat",
        x="judge",
        series="category",
    )


def stages() -> Table:
    return Table(
        id="stages",
        title="Errors per response",
        summary="=7,470 errors in 1,050 responses.",
        dimensions=("variety", "criticality"),
        measures=("errors",),
        rows=tuple(
            Row((name, weight), (Figure(2.5 + at * 0.2 - 0.5 * heavy, 150),))
            for at, name in enumerate(VARIETIES)
            for heavy, weight in enumerate(("low", "medium", "high"))
        ),
        recipe=recipe("errors_per_response"),
        unit="per response",
        x="variety",
        series="criticality",
    )


def counts() -> Table:
    return Table(
        id="counts",
        title="What was answered",
        summary="1,050 responses, 7,470 errors.",
        dimensions=("variety",),
        measures=("responses", "errors"),
        rows=(Row(("US-en",), (Figure(150.0, 150), Figure(7470.0, 150, detail={"planned": 160, "scored": 150}))),),
        recipe=recipe("counts"),
        unit="count",
        chart="none",
    )


def spread() -> Table:
    boxes = ((-40, 5, 40, 70, 100, 37), (-50, 3, 32, 65, 95, 33), (10, 48, 57, 76, 100, 58))
    names = ("lower whisker", "lower quartile", "median", "upper quartile", "upper whisker", "mean")
    return Table(
        id="spread",
        title="How scores are spread",
        summary="Half of the scores of people lie between 5 and 70 percent.",
        dimensions=("rater",),
        measures=names,
        rows=tuple(
            Row((name,), tuple(Figure(float(number), 100, detail={"outliers": [-90.0]}) for number in numbers))
            for name, numbers in zip(("People", *JUDGES[1:]), boxes, strict=True)
        ),
        recipe=recipe("five_numbers"),
        unit="percent",
        chart="boxes",
        x="rater",
        ceilings={"mean": Figure(37.0, 100)},
        line_name="Mean of people",
    )


def errors_both_ways() -> Table:
    return Table(
        id="signed-errors",
        title="Lenient and conservative",
        summary="One judge is conservative, two are lenient.",
        dimensions=("judge",),
        measures=("signed error", "answered"),
        rows=tuple(
            Row((name,), (Figure(value, 100, value - 2, value + 2), Figure(0.9, 100)))
            for name, value in zip(JUDGES, (-4.0, 1.0, 9.0), strict=True)
        ),
        recipe=recipe("signed_error"),
        unit="pp",
        units={"answered": "share"},
        x="judge",
    )


def against_length() -> Table:
    """Two target models and both together, by people and a judge; of one place nothing is known."""
    names = ("Nile-7B", "Delta-9B")
    places = {
        "People": ((420.0, 3.4), (640.0, 3.9), (530.0, 3.6)),
        JUDGES[1]: ((420.0, 3.0), (640.0, 4.4), (530.0, 3.7)),
    }
    return Table(
        id="against-length",
        title="Grades of target models against length",
        summary="Correlation of people's grade and the response's length.",
        dimensions=("target model", "rater"),
        measures=("correlation", "mean length", "mean grade"),
        unit="share",
        units={"mean length": "length", "mean grade": "grade"},
        rows=(
            *(
                Row(
                    (name, rater),
                    (figure(0.3), Figure(length, 150), Figure(grade, 150, grade - 0.2, grade + 0.2)),
                    {"model": name} if name in names else {},
                )
                for rater, of_rater in places.items()
                for name, (length, grade) in zip((*names, "All target models"), of_rater, strict=True)
            ),
            Row(("Reef-3", "People"), (Figure.without_value(TOO_FEW, 1),) * 3, {"model": "Reef-3"}),
        ),
        recipe=recipe("grade_against_length"),
        chart="scatter",
        x="target model",
        series="rater",
    )


def all_tables() -> list[Table]:
    shown = [counts(), people(), judges(), sweep(), categories(), stages(), spread(), errors_both_ways()]
    return [*shown, against_length()]
