"""How many of what an import stored, in the reader's language."""

from django.utils.translation import ngettext, ngettext_lazy

from formats.importing.origins import OWN_LABORATORY

NAMES = {
    "laboratories": ngettext_lazy("%(count)d laboratory", "%(count)d laboratories", "count"),
    "target models": ngettext_lazy("%(count)d target model", "%(count)d target models", "count"),
    "prompts": ngettext_lazy("%(count)d prompt", "%(count)d prompts", "count"),
    "prompts noted": ngettext_lazy(
        "%(count)d prompt with other content notes", "%(count)d prompts with other content notes", "count"
    ),
    "responses": ngettext_lazy("%(count)d response", "%(count)d responses", "count"),
    "updated responses": ngettext_lazy("%(count)d response updated", "%(count)d responses updated", "count"),
    "new versions": ngettext_lazy("%(count)d new version", "%(count)d new versions", "count"),
    "unchanged responses": ngettext_lazy("%(count)d response unchanged", "%(count)d responses unchanged", "count"),
    "unchanged pairs": ngettext_lazy("%(count)d pair unchanged", "%(count)d pairs unchanged", "count"),
    "pairs": ngettext_lazy("%(count)d pair", "%(count)d pairs", "count"),
    "new raters": ngettext_lazy("%(count)d new rater", "%(count)d new raters", "count"),
    "stages": ngettext_lazy("%(count)d stage", "%(count)d stages", "count"),
    "answers": ngettext_lazy("%(count)d answer", "%(count)d answers", "count"),
    "updated answers": ngettext_lazy("%(count)d answer updated", "%(count)d answers updated", "count"),
    "unchanged answers": ngettext_lazy("%(count)d answer unchanged", "%(count)d answers unchanged", "count"),
    "warnings": ngettext_lazy("%(count)d warning", "%(count)d warnings", "count"),
    "spans": ngettext_lazy("%(count)d span", "%(count)d spans", "count"),
    "errors": ngettext_lazy("%(count)d error", "%(count)d errors", "count"),
    "categories": ngettext_lazy("%(count)d category", "%(count)d categories", "count"),
    "dimensions": ngettext_lazy("%(count)d dimension", "%(count)d dimensions", "count"),
    "question types": ngettext_lazy("%(count)d question type", "%(count)d question types", "count"),
    "templates": ngettext_lazy("%(count)d template", "%(count)d templates", "count"),
    "rubrics": ngettext_lazy("%(count)d rubric", "%(count)d rubrics", "count"),
    "grades": ngettext_lazy("%(count)d grade", "%(count)d grades", "count"),
    "ratings": ngettext_lazy("%(count)d rating", "%(count)d ratings", "count"),
    "reviews": ngettext_lazy("%(count)d review", "%(count)d reviews", "count"),
    "groups": ngettext_lazy("%(count)d group", "%(count)d groups", "count"),
    "question sets": ngettext_lazy("%(count)d question set", "%(count)d question sets", "count"),
    "questions": ngettext_lazy("%(count)d question", "%(count)d questions", "count"),
    "skills": ngettext_lazy("%(count)d skill", "%(count)d skills", "count"),
    "sources": ngettext_lazy("%(count)d source", "%(count)d sources", "count"),
    "configurations": ngettext_lazy("%(count)d configuration", "%(count)d configurations", "count"),
    "model cards": ngettext_lazy("%(count)d model card", "%(count)d model cards", "count"),
    "scores": ngettext_lazy("%(count)d score", "%(count)d scores", "count"),
    "rows passed over": ngettext_lazy(
        "%(count)d row without an answer of its own passed over",
        "%(count)d rows without an answer of their own passed over",
        "count",
    ),
    OWN_LABORATORY: ngettext_lazy(
        "%(count)d answer of a judge about a model of its own laboratory, which figures leave out",
        "%(count)d answers of judges about models of their own laboratory, which figures leave out",
        "count",
    ),
    "classifications": ngettext_lazy("%(count)d classification", "%(count)d classifications", "count"),
}


def counted(counts: dict[str, int]) -> list[str]:
    """["2 prompts", "1 response"] for {"prompts": 2, "responses": 1, "spans": 0}."""
    return [str(NAMES[what] % {"count": count}) for what, count in counts.items() if count]


def problems_said(count: int) -> str:
    said = ngettext("%(count)d problem; nothing was stored.", "%(count)d problems; nothing was stored.", count)
    return said % {"count": count}
