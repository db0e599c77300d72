"""Generated projects at the size of published studies: texts, spans and reviews by rule and seed, never by people."""
