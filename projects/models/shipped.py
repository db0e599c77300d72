"""Words that a preset brings along: shown in the reader's language until the project writes its own."""

from django.utils.translation import gettext


class Named:
    """Something with a `name`."""

    @property
    def label(self) -> str:
        """The name in the reader's language where it is still the one shipped, else as the project wrote it."""
        return gettext(self.name)  # type: ignore[attr-defined]


class Defined(Named):
    """Something with a `name` and a `definition`."""

    @property
    def explained(self) -> str:
        """The definition, as the name is."""
        definition = self.definition  # type: ignore[attr-defined]
        return gettext(definition) if definition else ""
