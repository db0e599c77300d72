"""Whether an answer names the dialect the reference names."""

from agreement.answers.declaration import TOP, Case, NotApplicable, Parameter, Rule, Score, Scorer, Target
from agreement.answers.dialects import VARIETIES, varieties_in
from agreement.answers.folding import content_lines


def _named(answer: str) -> frozenset[str]:
    """What the answer names: its only dialect, or the one that its first and its last line name alone."""
    varieties = varieties_in(answer)
    if len(varieties) > 1:
        lines = content_lines(answer)
        first, last = varieties_in(lines[0]), varieties_in(lines[-1])
        if len(lines) > 1 and first == last and len(first) == 1:
            return first
    return varieties


def prepare(target: Target, broader: float) -> Scorer:
    asked = varieties_in(target.reference)
    if len(asked) != 1:
        raise NotApplicable("dialect_matching needs a reference that names one dialect")
    (variety,) = asked
    region = VARIETIES[variety][0]

    def score(answer: str) -> Score:
        named = _named(answer)
        detail = {"asked": variety, "named": sorted(named)}
        if len(named) != 1:
            return Score(0.0, detail)
        (said,) = named
        if said == variety or VARIETIES[said][0] == variety:
            return Score(TOP, detail)
        return Score(float(broader) if said == region else 0.0, detail)

    return score


RULE = Rule(
    name="dialect_matching",
    title="Dialect",
    definition=(
        "10 where the answer names the dialect of the reference, in Arabic or English, or a country's dialect "
        "within the region asked for; half where it names only the region of the country asked for; 0 for another"
        " dialect, none or several."
    ),
    version=1,
    published="MANUAL_DIALECT_MATCHING",
    parameters=(
        Parameter(
            name="broader",
            kind="number",
            default=5.0,
            minimum=0,
            maximum=TOP,
            help="score of the region where the reference names a country of it",
        ),
    ),
    prepare=prepare,
    cases=(
        Case(reference="مصرية", answer="هذه الجملة باللهجة المصريّة.", score=10, detail={"named": ["egyptian"]}),
        Case(reference="Egyptian", answer="اللهجة المصرية", score=10),
        Case(reference="خليجي", answer="سعودي (لهجة خليجية)", score=10, detail={"named": ["saudi"]}),
        Case(reference="سعودي", answer="اللهجة الخليجية", score=5),
        Case(reference="سعودي", answer="كويتي", score=0),
        Case(reference="مصري", answer="مصري أو سوداني", score=0, detail={"named": ["egyptian", "sudanese"]}),
        Case(reference="مصري", answer="مصري\nليست سودانية\nإذن مصري", score=10),
        Case(reference="مصري", answer="لا أعرف", score=0),
        Case(reference="نعم", refused="names one dialect"),
        Case(reference="مصري أو سوري", refused="names one dialect"),
    ),
)
