"""Localisations: a template in one language variety a line, made elsewhere."""

from typing import Annotated, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.format import EVERY_FILE, Format
from formats.kinds import MAPPING, Fault, Kind, text
from formats.template import TemplateKey, TemplateText
from formats.vocabulary import Name, Tag
from projects import placeholders
from projects.localising import MAX_VALUE, MAX_VALUES

LOCAL_VALUE = text(MAX_VALUE)


def check_local_values(value: object) -> Fault | None:
    """An object of texts under names of placeholders."""
    if fault := MAPPING.check(value):
        return fault
    assert isinstance(value, dict)
    if len(value) > MAX_VALUES:
        return "too_many", _("There are more than %(limit)d of these.") % {"limit": MAX_VALUES}
    for placeholder, words in value.items():
        if not placeholders.is_name(placeholder):
            return "not_a_name", _("“%(name)s” is no name of a placeholder.") % {"name": placeholder[:60]}
        if fault := LOCAL_VALUE.check(words):
            return fault[0], f"{placeholder}: {fault[1]}"
    return None


LOCAL_VALUES = Kind(
    check_local_values,
    {
        "type": "object",
        "maxProperties": MAX_VALUES,
        "propertyNames": {"pattern": f"^{placeholders.NAME}$"},
        "additionalProperties": dict(LOCAL_VALUE.keywords),
    },
)


class Localisation(TypedDict):
    template: Annotated[TemplateKey, "Key of a template of the project"]
    variety: Annotated[Tag, "BCP 47 tag, or a short name of the project"]
    text: Annotated[TemplateText, "The translation, with every placeholder of the template and no other"]
    values: NotRequired[Annotated[dict[str, str] | None, LOCAL_VALUES, "The local value of each placeholder"]]
    rater: NotRequired[Annotated[Name | None, "Name of the speaker who made it"]]


FORMAT = Format(
    name="localisation",
    version="mizan.localisation/1",
    title="A line of a localisations file: one template in one language variety",
    description=f"{EVERY_FILE} A null stands for an optional field left out.",
    records={"": Localisation},
    example='{"template": "t-1", "variety": "ar-EG", "text": "إزاي تسلم على حد كبير في السن في [locale_country]؟", '
    '"values": {"locale_country": "مصر"}, "rater": "Mona Adel"}',
)
