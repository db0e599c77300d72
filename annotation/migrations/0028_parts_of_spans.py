import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import Trigger, create, drop

# "end" is a word of SQL, so both offsets stand in quotes.
MISPLACED = (
    "substr((SELECT response.text FROM projects_response response JOIN annotation_span span "
    'ON span.response_id = response.id WHERE span.id = NEW.span_id), NEW."start" + 1, NEW."end" - NEW."start") '
    "<> NEW.quote"
)
# Behind the span's own words, and apart from every other part; a span on no words has no end.
NOT_APART = (
    "NOT EXISTS (SELECT 1 FROM annotation_span span WHERE span.id = NEW.span_id AND span.anchor = 'words' "
    'AND span."end" < NEW."start") OR EXISTS (SELECT 1 FROM annotation_spanpart other WHERE '
    'other.span_id = NEW.span_id AND other.id <> NEW.id AND other."start" <= NEW."end" AND other."end" >= NEW."start")'
)
# SQLite gives NEW.id its value after a BEFORE trigger of an INSERT; a new row is no other row either way.
NOT_APART_NEW = NOT_APART.replace("other.id <> NEW.id AND ", "")
REACHES_A_PART = (
    "EXISTS (SELECT 1 FROM annotation_spanpart part WHERE part.span_id = NEW.id "
    'AND (NEW.anchor <> \'words\' OR part."start" <= NEW."end"))'
)
TABLE, MESSAGE = "annotation_spanpart", "the quote is not at its place in the text"
APART = "parts of a span stand behind it, apart from it and from one another"
# Whoever writes parts of one span waits for whoever else does.
OF_SPAN = "annotation_span WHERE id = NEW.span_id"
TRIGGERS = [
    Trigger(f"{TABLE}_quote_insert", TABLE, "INSERT", MISPLACED, MESSAGE),
    Trigger(f"{TABLE}_quote_update", TABLE, 'UPDATE OF "start", "end", quote, span_id', MISPLACED, MESSAGE),
    Trigger(f"{TABLE}_apart_insert", TABLE, "INSERT", NOT_APART_NEW, APART, OF_SPAN),
    Trigger(f"{TABLE}_apart_update", TABLE, 'UPDATE OF "start", "end", span_id', NOT_APART, APART, OF_SPAN),
    Trigger("span_apart_from_parts", "annotation_span", 'UPDATE OF "start", "end", anchor', REACHES_A_PART, APART),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0027_answers_of_judges_to_questionnaires")]

    operations = [
        migrations.CreateModel(
            name="SpanPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("quote", models.TextField()),
                (
                    "span",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="more", to="annotation.span"
                    ),
                ),
            ],
            options={"ordering": ["span", "start"]},
        ),
        migrations.AddConstraint(
            model_name="spanpart",
            constraint=models.UniqueConstraint(fields=("span", "start"), name="span_part_once"),
        ),
        migrations.AddConstraint(
            model_name="spanpart",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("end__gt", models.F("start")), ("start__gte", 0), models.Q(("quote", ""), _negated=True)
                ),
                name="span_part_anchored",
            ),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
