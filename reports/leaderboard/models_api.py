"""Single models of a board, for programs: one seen closely, and two compared. Texts of held-back questions are in it
for those alone who may read them, and say that they are."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response

from benchmark.access import sees_held_back
from benchmark.exporting import in_order
from jobs.api.jobs import JobSerializer, accepted
from projects.api.access import ProjectView, SignedInRequest
from projects.models import Project
from reports.leaderboard.comparing import MOST_MODELS, compared, patterns_of, radar_lines
from reports.leaderboard.configuration import BEST, WORST, Output, SkillLine, by_skill, order_of, outputs
from reports.leaderboard.files import line_json
from reports.leaderboard.report import begin, is_long, taken
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import Sheet, sheet_of, standings

PAGES = [
    OpenApiParameter("skill", OpenApiTypes.STR, description="only its questions"),
    OpenApiParameter("page", OpenApiTypes.INT),
    OpenApiParameter("page_size", OpenApiTypes.INT, description="20 where nothing is said, at most 100"),
]


class Questions(PageNumberPagination):
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100


def sheet_or_404(project: Project) -> Sheet:
    """Http404 where no version is frozen."""
    sheet = sheet_of(project)
    if sheet is None:
        raise Http404
    return sheet


class OfModels(ProjectView):
    """What both share: the scores of the board, what may be asked of them, and a page of questions."""

    permission = "answers.read"

    def read(self, sheet: Sheet, **fields: serializers.Field) -> dict[str, Any]:
        """What the address asks for, with the skill among it; what there is not is refused by its field."""
        fields["skill"] = serializers.ChoiceField(list(sheet.skills), default="")
        asked = type("Asked", (serializers.Serializer,), fields)(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)

    def answer(self, sheet: Sheet, about: dict[str, Any], rows: list[int], columns: dict[str, int]) -> Response:
        """`about`, and the questions of a page, each with what the models of `columns` answered, by their names."""
        pages = Questions()
        shown = pages.paginate_queryset(rows, self.request, view=self)
        sees = sees_held_back(self.project)
        found = {name: outputs(sheet, at, shown or [], sees_held_back=sees) for name, at in columns.items()}
        questions = [
            question_json(sheet, each[0]) | {name: answer_json(one) for name, one in zip(found, each, strict=True)}
            for each in zip(*found.values(), strict=True)
        ]
        question_set = {"id": sheet.set_slug, "version": sheet.version, "canary": sheet.canary}
        listed = pages.get_paginated_response(questions).data
        counts = {name: listed[name] for name in ("count", "next", "previous")}
        return Response({"question_set": question_set, **about, **counts, "questions": questions})


class ModelOfBoard(OfModels):
    """One model of the board: each skill beside the mean of the others of its size class, and every answer with what
    rules, judges and people said of it. `order` is `worst` or `best` for the lowest or highest score first."""

    @extend_schema(
        parameters=[*PAGES, OpenApiParameter("order", OpenApiTypes.STR, enum=[WORST, BEST])],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: SignedInRequest, slug: str, configuration: str) -> Response:
        sheet = sheet_or_404(self.project)
        column = sheet.column(configuration)
        board = standings(self.project, BoardScope())
        if column is None or board is None:
            raise Http404
        asked = self.read(sheet, order=serializers.ChoiceField([WORST, BEST], default=""))
        skills, n_others = by_skill(sheet, column)
        about = {
            "configuration": line_json(board.line_of(configuration)),
            "others_of_its_size": n_others,
            "skills": [skill_json(one) for one in skills],
        }
        rows = order_of(sheet, column, asked["skill"], asked["order"])
        return self.answer(sheet, about, rows, {"answer": column})


class TwoModels(OfModels):
    """Two models of the board question by question, those on which they are furthest apart first."""

    @extend_schema(
        parameters=[
            OpenApiParameter("first", OpenApiTypes.STR, required=True),
            OpenApiParameter("second", OpenApiTypes.STR, required=True),
            *PAGES,
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: SignedInRequest, slug: str) -> Response:
        sheet = sheet_or_404(self.project)
        columns = {entry.slug: at for at, entry in enumerate(sheet.entries)}
        models = {name: serializers.ChoiceField(list(columns)) for name in ("first", "second")}
        asked = self.read(sheet, **models)
        first, second = columns[asked["first"]], columns[asked["second"]]
        found = compared(sheet, first, second, asked["skill"])
        about = {
            "models": {name: asked[name] for name in models},
            "difference": found.difference.as_json(),
            "ahead": found.ahead,
            "behind": found.behind,
            "equal": found.equal,
        }
        return self.answer(sheet, about, found.rows, {"first": first, "second": second})


class Radar(ProjectView):
    """Up to six models (`model`, once for each) on the skills that all of them have a score in, and what stands out:
    where one stands highest, and where they are furthest apart."""

    permission = "dashboard.read"

    @extend_schema(
        parameters=[OpenApiParameter("model", OpenApiTypes.STR, many=True, required=True)],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: SignedInRequest, slug: str) -> Response:
        sheet = sheet_or_404(self.project)
        columns = {entry.slug: at for at, entry in enumerate(sheet.entries) if not entry.is_baseline}
        asked = ChosenModels(data={"model": request.query_params.getlist("model")}, columns=columns)
        asked.is_valid(raise_exception=True)
        chosen = list(dict.fromkeys(asked.validated_data["model"]))
        lines = radar_lines(sheet, [columns[name] for name in chosen])
        found = patterns_of(lines)
        furthest = None
        if found.furthest is not None:
            at, most, least = found.furthest
            furthest = {"skill": lines[at].slug, "highest": chosen[most], "lowest": chosen[least]}
        return Response(
            {
                "question_set": {"id": sheet.set_slug, "version": sheet.version, "canary": sheet.canary},
                "models": [{"id": name, "name": sheet.entries[columns[name]].name} for name in chosen],
                "skills": [
                    {
                        "id": line.slug,
                        "name": line.name,
                        "scores": {name: figure.as_json() for name, figure in zip(chosen, line.figures, strict=True)},
                    }
                    for line in lines
                ],
                "highest": {chosen[at]: [lines[line].slug for line in places] for at, places in found.highest.items()},
                "furthest_apart": furthest,
            }
        )


class ChosenModels(serializers.Serializer):
    def __init__(self, *args: Any, columns: Iterable[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["model"] = serializers.ListField(
            child=serializers.ChoiceField(list(columns)), min_length=1, max_length=MOST_MODELS
        )


class ReportOfModel(ProjectView):
    """One model as an HTML file that stands alone, without any held-back text. One about many questions is a job that
    writes it (202) and holds it for a week."""

    permission = "answers.read"

    @extend_schema(
        request=None, responses={(200, "text/html"): OpenApiTypes.STR, (202, "application/json"): JobSerializer}
    )
    def post(self, request: SignedInRequest, slug: str, configuration: str) -> HttpResponseBase:
        sheet = sheet_or_404(self.project)
        if sheet.column(configuration) is None:
            raise Http404
        if is_long(sheet):
            return accepted(begin(self.project, sheet, configuration, request.user), request)
        return taken(self.project, sheet, configuration, request.user)


def skill_json(line: SkillLine) -> dict[str, Any]:
    return {
        "id": line.slug,
        "name": line.name,
        "score": line.score.as_json(),
        "difference": line.difference.as_json(),
        "is_strength": line.is_strength,
        "is_weakness": line.is_weakness,
    }


def question_json(sheet: Sheet, output: Output) -> dict[str, Any]:
    """A question under the names that its file has; without texts where they are held back from the reader."""
    question = output.question
    about = {
        "id": output.key,
        "category": output.skill,
        "held_back": question is None or question.is_held_back,
        "canary": sheet.canary,
    }
    if question is None:
        return about
    return about | {
        "instruction": question.instruction,
        "input": question.input_text,
        "options": question.options,
        "output": question.reference,
        "rules": [
            {"rule": use.rule, "version": use.rule_version, "parameters": in_order(use.parameters)}
            for use in question.rule_uses.all()
        ],
    }


def answer_json(output: Output) -> dict[str, Any]:
    """The score of an answer; its text, null where nothing came, and what was said of it where it may be read."""
    if output.is_hidden:
        return {"score": output.score}
    ruling = output.ruling
    return {
        "score": output.score,
        "text": output.answer.content if output.answer else None,
        "state": ruling.state if ruling else None,
        "fixed_by": ruling.fixed_by if ruling else "",
        "limited_by": ruling.limited_by if ruling else "",
        "limit": ruling.limit if ruling else None,
        "said": [
            {
                "rule": said.rule,
                "by": said.by,
                "is_person": said.is_person,
                "round": said.round,
                "value": said.value,
                "problem": said.problem,
                "words": said.words,
            }
            for said in output.said
        ],
    }
