"""From a provider's row to the endpoint that is called."""

from django.conf import settings

from projects.models import Laboratory
from providers.client.endpoint import Endpoint
from providers.client.keys import read_key
from providers.laboratories import laboratory_row
from providers.models import Provider

SIMULATED = "simulated"


def base_url(provider: Provider) -> str:
    """The simulated provider listens where this start of the installation put it; all others where their row says."""
    if provider.is_simulated and settings.FAKE_PROVIDER_URL:
        return settings.FAKE_PROVIDER_URL
    return provider.base_url


def endpoint(provider: Provider) -> Endpoint:
    """Raises providers.client.keys.KeyMissing where the provider's key is not set on this machine."""
    return Endpoint(
        name=provider.name,
        base_url=base_url(provider),
        key=read_key(provider.key_name),
        timeout_seconds=provider.timeout_seconds,
        concurrency=provider.concurrency,
        requests_per_minute=provider.requests_per_minute,
        tokens_per_minute=provider.tokens_per_minute,
        deadline_seconds=provider.deadline_seconds,
        is_submitted=provider.is_submitted,
    )


def simulated_provider() -> Provider:
    """The row of the simulated provider, made where there is none."""
    return _simulated(SIMULATED, laboratory_row(SIMULATED))


def simulated_gateway() -> Provider:
    """The simulated provider as a gateway: its models go by the names, and so under the guard, of any laboratory."""
    return _simulated(f"{SIMULATED}-gateway", None)


def simulated_endpoint(laboratory: str) -> Provider:
    """The simulated provider as the endpoint of one laboratory, whatever its models are called."""
    return _simulated(f"{SIMULATED}-{laboratory}", laboratory_row(laboratory))


def _simulated(name: str, laboratory: Laboratory | None) -> Provider:
    provider, _created = Provider.objects.get_or_create(
        name=name,
        defaults={
            "base_url": settings.FAKE_PROVIDER_URL or "http://127.0.0.1:8089/v1",
            "laboratory": laboratory,
            "is_simulated": True,
            "concurrency": 32,
            "timeout_seconds": 60,
        },
    )
    return provider
