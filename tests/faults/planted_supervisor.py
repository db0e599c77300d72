"""`make run` with a defect planted in it: where one of its programs ends it ends them all, as supervisors often do."""

import os
import signal
import sys
from typing import Any

from deploy import run, supervision

note_end = supervision.Supervised.note_end


def end_all(supervised: supervision.Supervised, now: float) -> None:
    note_end(supervised, now)
    os.kill(os.getpid(), signal.SIGTERM)


planted: Any = supervision.Supervised
planted.note_end = end_all

if __name__ == "__main__":
    sys.exit(run.main())
