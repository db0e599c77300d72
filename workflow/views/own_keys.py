"""The page on which a person gives acts keys of their own."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow import own_keys
from workflow.models import Stage

LONGEST = 40


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def keys(request: SignedInRequest) -> HttpResponse:
    """Act by act; a key that cannot be is refused beside its field, and the others stay as they are."""
    problem: dict[str, str] = {}
    if request.method == "POST":
        screen, act, typed = (request.POST.get(name, "")[:LONGEST] for name in ("screen", "act", "key"))
        if "reset" in request.POST:
            own_keys.reset(request.user)
            messages.success(request, _("Every act has its usual key again."))
            return redirect("own-keys")
        try:
            own_keys.set_key(request.user, screen, act, typed)
            return redirect(f"{reverse('own-keys')}#{screen}-{act}")
        except Invalid as invalid:
            problem = {"screen": screen, "act": act, "typed": typed, "message": str(invalid.problems[0].message)}
    met = Stage.objects.filter(project__memberships__user=request.user).values_list("kind", flat=True).distinct()
    context = {"screens": own_keys.listed(request.user, set(met)), "problem": problem}
    return render(request, "workflow/own_keys.html", context, status=422 if problem else 200)
