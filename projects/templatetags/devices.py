"""Sessions as people tell them apart: by device and place."""

from collections.abc import Iterable

from allauth.usersessions.models import UserSession
from django import template

from projects.devices import device, place

register = template.Library()
register.filter(device)
register.filter(place)


@register.filter
def address_here(sessions: Iterable[UserSession]) -> str:
    """The address of the session that asks; empty where it is not among them."""
    return next((session.ip for session in sessions if session.is_current()), "")
