"""How long a text, how many entries and how large a number may be: the same in a file as on a screen."""

# Characters (code points).
MAX_SLUG = 60
MAX_QUESTION_KEY = 120
MAX_KEY = 64  # of a span, of a criterion
MAX_COMMENT = 10_000  # of whatever explains an answer
MAX_CRITERION = 20_000
MAX_GOLD_ANSWER = 20_000
MAX_REASON = 1_000
MAX_TAG = 60  # of a criterion

# Entries of one answer, or of one rubric.
MAX_SPANS = 500
MAX_CRITERIA = 100
MAX_TAGS = 20  # of a criterion
MAX_ERRORS = 100

# Points.
MAX_PENALTY = 1_000_000
MAX_WEIGHT = 100  # of a criterion; of an error with a minus
