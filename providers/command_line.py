"""How commands name a model."""

from django.core.management.base import CommandError

from providers.models import Provider


def model_at(name: str) -> tuple[str, Provider]:
    """The model and the provider of "MODEL@PROVIDER". Raises CommandError where it is not of that form, or there is no
    such provider."""
    model, _at, provider = name.rpartition("@")
    row = Provider.objects.select_related("laboratory").filter(name=provider).first()
    if not model or row is None:
        names = ", ".join(Provider.objects.values_list("name", flat=True)) or "none"
        raise CommandError(f"“{name}” is not MODEL@PROVIDER. The providers: {names}.")
    return model, row
