"""The button of a question set's page that puts its options in another order."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.access import fetch_set
from benchmark.set_jobs import is_large
from benchmark.shuffling import MAX_SEED, shuffle_set
from benchmark.version_jobs import begin_shuffling
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_POST
@login_required
def shuffle_options(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Make the set of a frozen version whose options are shuffled, and show it; of a large one as a job."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    seed = request.POST.get("seed", "")
    if not seed.isdecimal() or len(seed) > len(str(MAX_SEED)) or int(seed) > MAX_SEED:
        messages.error(request, _("Nothing was made: a seed is a whole number from 0 to 2147483647."))
        return redirect("question-set", slug, row.slug, row.version)
    if is_large(row):
        return redirect("job", slug, begin_shuffling(row, int(seed), request.user).uuid)
    try:
        made = shuffle_set(row, int(seed), request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("question-set", slug, row.slug, row.version)
    text = ngettext(
        "%(n)d question is there with its options in another order; %(left)d are left out. Ask the models for answers.",
        "%(n)d questions are there with their options in another order; %(left)d are left out. Ask the models for "
        "answers.",
        made.questions,
    )
    messages.success(request, text % {"n": made.questions, "left": made.left_out.total()})
    return redirect("question-set", slug, made.question_set.slug, made.question_set.version)
