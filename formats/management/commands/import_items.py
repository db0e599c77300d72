from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import prompts with responses (JSONL, CSV, TSV), or a gold file, into a project: all of it or nothing."
    kind = "items"
