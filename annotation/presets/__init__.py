"""What projects of error spans, of ratings and of questionnaires begin with: a file each, beside this one.

The taxonomy of `spans.yaml` is that of the JuICE paper, dimensions and question types of `ratings.yaml` those of the
MENLO paper (section 2 and appendix A.3, grades of table 11), in our own words. Categories and severities of `mqm.yaml`
are those of Freitag et al. (2021), tables 3 and 4; `esa.yaml` is the protocol of Kocmi et al. (2024), section 2.
"""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from formats.project_file.presets import preset_of

FOLDER = Path(__file__).parent

SPANS = preset_of(
    FOLDER / "spans.yaml",
    slug="spans",
    name=_("Error spans (JuICE)"),
    description=_("Two people mark errors, judges do too, and everybody's spans are cross-validated."),
)
RATINGS = preset_of(
    FOLDER / "ratings.yaml",
    slug="ratings",
    name=_("Pairwise ratings (MENLO)"),
    description=_(
        "Prompts are put into each language with their local values; three people or more and judges rate two "
        "responses side by side."
    ),
)
MQM = preset_of(
    FOLDER / "mqm.yaml",
    slug="mqm",
    area="spans",
    name=_("Translation errors (MQM)"),
    description=_("Experts mark errors of a translation by category and severity; each costs points."),
)
ESA = preset_of(
    FOLDER / "esa.yaml",
    slug="esa",
    area="spans",
    name=_("Error spans and a score (ESA)"),
    description=_("People mark the errors of a response, then give the whole of it a score from 0 to 100."),
)
QUESTIONNAIRES = preset_of(
    FOLDER / "questionnaires.yaml",
    slug="questionnaires",
    name=_("Questions of your own"),
    description=_("You say in a few lines what a screen shows and asks: choices, grades, numbers, texts, rankings."),
)
