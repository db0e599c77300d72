"""The page on which a person sets how they read texts; the menu of every page sends its choices here too."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow import own_reading


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def reading(request: SignedInRequest) -> HttpResponse:
    is_script = request.headers.get("Accept") == "application/json"
    problem = ""
    if request.method == "POST":
        try:
            kept = own_reading.keep(request.user, request.POST.dict())
            if is_script:
                return JsonResponse(kept)
            messages.success(request, _("Texts are shown as you set it, on every device."))
            return redirect("own-reading")
        except Invalid as invalid:
            problem = str(invalid.problems[0].message)
            if is_script:
                return JsonResponse({"error": {"code": "invalid", "message": problem}}, status=422)
    kept = own_reading.of_person(request.user.pk)
    labels = {"size": _("Text size"), "leading": _("Line height"), "width": _("Line width")}
    parts = [
        (part, labels[part], kept[part], sorted({*offered, kept[part]}))
        for part, offered in own_reading.OFFERED.items()
    ]
    context = {"parts": parts, "problem": problem, "own_reading": own_reading.told(request.user.pk)}
    return render(request, "workflow/own_reading.html", context, status=422 if problem else 200)
