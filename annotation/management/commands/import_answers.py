from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import answers of raters who worked elsewhere (JSONL): all of them or nothing."
    kind = "answers"
