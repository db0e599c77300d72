from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import grades of people and judges (JSONL), given under rubrics of a project: all of them or nothing."
    kind = "grades"
