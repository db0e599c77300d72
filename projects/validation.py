"""Which prompts no native speaker has looked at, and that a project may keep them from models.

Such are localisations that came by file without a rater, and prompts that a model drafted whose record names nobody who
accepted, changed or put the draft aside. Prompts that were written as they are need no validation.
"""

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, Value
from django.db.models.expressions import Combinable
from django.utils.translation import gettext_lazy

from projects.models import Localisation, Project

#: Why such a prompt waits, and what to do.
NOT_VALIDATED = gettext_lazy(
    "No native speaker has looked at this text. Have a localising stage hand it out, or take its import back and name "
    "who did."
)


#: A condition on a row of Localisation: nobody needs to look at it, for a native speaker's name stands for it, or the
#: project asks models whatever came. The others are handed out in the stage of localising as they came.
STANDS = Q(rater__isnull=False) | Q(template__project__only_validated_prompts=False)


def to_look_at(template: int | None, variety: int) -> Localisation | None:
    """What came of the template in the variety (ids) and waits for a native speaker to look at it."""
    return Localisation.objects.filter(~STANDS, template=template, variety=variety).first()


def not_validated() -> Q:
    """A condition on a row of Prompt."""
    nobody = Localisation.objects.filter(prompt=OuterRef("pk"), rater=None)
    drafted = Q(metadata__has_key="localisation") & ~Q(metadata__localisation__has_key="outcome")
    return Q(Exists(nobody)) | drafted


def held_back(project: Project) -> Combinable:
    """Whether the project keeps a row of Prompt from models: a column, and a condition to filter by."""
    if not project.only_validated_prompts:
        return Value(False, output_field=BooleanField())
    return ExpressionWrapper(not_validated(), output_field=BooleanField())
