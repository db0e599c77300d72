"""What a view is given behind `login_required` or `json_call`, in words the type checker understands."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from projects.models import User


class SignedInRequest(HttpRequest):
    """A request whose person is known: never made by us, only named in the signatures of such views."""

    user: User
    htmx: HtmxDetails
