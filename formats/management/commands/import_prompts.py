from formats.importing.command import ImportCommand


class Command(ImportCommand):
    help = "Import prompts that nobody has answered yet (JSONL, CSV, TSV) into a project: all of it or nothing."
    kind = "prompts"
