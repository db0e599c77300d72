from django.db import migrations

from projects.triggers import Trigger, create, drop

# "end" is a word of SQL, so both offsets stand in quotes.
QUOTE_MISPLACED = (
    "NEW.quote <> '' AND substr((SELECT text FROM projects_response WHERE id = {response}), "
    'NEW."start" + 1, NEW."end" - NEW."start") <> NEW.quote'
)
OF_SPAN = "(SELECT response_id FROM annotation_span WHERE id = NEW.span_id)"
OWN = "(SELECT rater_id FROM annotation_span WHERE id = NEW.span_id) = NEW.rater_id"


def quote_rules(table: str, response: str) -> list[Trigger]:
    condition, message = (
        QUOTE_MISPLACED.format(response=response),
        "the quote is not at its place in the text",
    )
    return [
        Trigger(f"{table}_quote_insert", table, "INSERT", condition, message),
        Trigger(f"{table}_quote_update", table, 'UPDATE OF "start", "end", quote', condition, message),
    ]


TRIGGERS = [
    *quote_rules("annotation_span", "NEW.response_id"),
    *quote_rules("annotation_golderror", "NEW.response_id"),
    *quote_rules("annotation_review", OF_SPAN),
    Trigger("review_not_own", "annotation_review", "INSERT", OWN, "nobody reviews a span of their own"),
    Trigger(
        "marking_within_project",
        "annotation_marking",
        "INSERT",
        "(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> "
        "(SELECT project_id FROM projects_response WHERE id = NEW.response_id)",
        "a rater answers responses of the same project alone",
    ),
    Trigger(
        "span_with_marking",
        "annotation_span",
        "INSERT",
        "NOT EXISTS (SELECT 1 FROM annotation_marking WHERE id = NEW.marking_id "
        "AND rater_id = NEW.rater_id AND response_id = NEW.response_id AND NOT no_errors)",
        "a span belongs to a marking of its own rater and response that does not say there are no errors",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_initial")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
