"""What follows from a frozen version, for programs: its next version, the set of its shuffled options, baselines."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from benchmark.access import fetch_version
from benchmark.baselines import add_baselines
from benchmark.models import QuestionSet
from benchmark.scoring_jobs import begin_scoring_of
from benchmark.shuffling import MAX_SEED, check
from benchmark.version_jobs import begin_next_version, begin_shuffling
from jobs.api.jobs import JobSerializer, accepted
from jobs.listing import entry_of
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

LEAVE, TAKE_IN, FREEZE = "leave", "take_in", "take_in_and_freeze"


class NextVersionOrder(serializers.Serializer):
    errata = serializers.ChoiceField(
        [LEAVE, TAKE_IN, FREEZE],
        default=LEAVE,
        help_text="What becomes of accepted errata: they wait, the draft has them, or it has them and is frozen and "
        "scored at once",
    )


class NextVersion(ProjectView):
    """Begin the version after a frozen one, or put accepted errata into a draft. A worker does it (202); a version that
    a later one has followed is refused (422). The job's `result` names what was made."""

    permission = "project.edit"

    @extend_schema(request=NextVersionOrder, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        order = NextVersionOrder(data=request.data)
        order.is_valid(raise_exception=True)
        errata = order.validated_data["errata"]
        row = fetch_version(self.project, question_set, version)
        try:
            if row.is_frozen or errata == LEAVE:
                row.check_is_newest_frozen(QuestionSet.objects.all())
        except Invalid as invalid:
            return refusal(invalid)
        job = begin_next_version(row, request.user, with_errata=errata != LEAVE, is_frozen=errata == FREEZE)
        return accepted(job, request)


class ShufflingOrder(serializers.Serializer):
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED)


class ShuffledOptions(ProjectView):
    """Make the frozen set of a frozen version's multiple choices with their options in the order that the seed draws. A
    worker does it (202); a draft, and a seed that was used before, are refused (422). The job's `result` names what was
    made."""

    permission = "project.edit"

    @extend_schema(request=ShufflingOrder, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        order = ShufflingOrder(data=request.data)
        order.is_valid(raise_exception=True)
        row, seed = fetch_version(self.project, question_set, version), order.validated_data["seed"]
        try:
            check(row, seed)
        except Invalid as invalid:
            return refusal(invalid)
        return accepted(begin_shuffling(row, seed, request.user), request)


class AddedSerializer(serializers.Serializer):
    """`answers`: how many are new, by the name of the baseline; `jobs` score them."""

    answers = serializers.DictField(child=serializers.IntegerField())
    jobs = JobSerializer(many=True)


class Baselines(ProjectView):
    """Answer the newest frozen version of every set as rows that know nothing do, and begin to score their answers.
    Called again, only questions that are new are answered; without a frozen set it is refused (422)."""

    permission = "project.edit"

    @extend_schema(request=None, responses=AddedSerializer)
    def post(self, request: SignedInRequest, slug: str) -> Response:
        try:
            added = add_baselines(self.project, request.user)
        except Invalid as invalid:
            return refusal(invalid)
        jobs = [entry_of(job) for job in begin_scoring_of(self.project, request.user)]
        return Response(AddedSerializer({"answers": added, "jobs": jobs}).data)
