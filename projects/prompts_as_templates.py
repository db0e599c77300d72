"""Prompts that were written as they are, to be put into other varieties: a template of each, so that it is drafted by a
model, looked at by a native speaker and asked as those with placeholders are."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Length

from projects.audit import record
from projects.chunks import CHUNK
from projects.localising import MAX_KEY, MAX_TEXT
from projects.models import Project, Prompt, PromptTemplate, User


def plain_prompts(project: Project) -> QuerySet[Prompt]:
    """Those without a template that can be one: no conversation, not too long, and with an id that no template has."""
    taken = PromptTemplate.objects.filter(project=project, key=OuterRef("key"))
    rows = Prompt.objects.filter(~Exists(taken), project=project, template=None, messages=[])
    short = rows.annotate(length=Length("text"), key_length=Length("key"))
    return short.filter(length__lte=MAX_TEXT, key_length__lte=MAX_KEY).exclude(text="").order_by("pk")


def as_templates(project: Project, by: User | None) -> int:
    """Make a template of each such prompt, in its words and variety; how many. A prompt and what is made of it stand on
    one side of the split from then on."""
    with transaction.atomic():
        chosen = list(plain_prompts(project).values_list("key", "text", "question", "variety"))
        for start in range(0, len(chosen), CHUNK):
            made = PromptTemplate.objects.bulk_create(
                PromptTemplate(project=project, key=key, text=text, question_id=question, variety_id=variety)
                for key, text, question, variety in chosen[start : start + CHUNK]
            )
            by_key = {template.key: template for template in made}
            prompts = list(Prompt.objects.filter(project=project, template=None, key__in=by_key))
            for prompt in prompts:
                prompt.template = by_key[prompt.key]
            Prompt.objects.bulk_update(prompts, ["template"])
        if chosen:
            record("templates.of_prompts", actor=by, project=project, subject=project.slug, made=len(chosen))
    return len(chosen)
