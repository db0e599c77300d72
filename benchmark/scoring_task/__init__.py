"""People score answers of a benchmark from 0 to 10, without knowing whose they are or what anybody gave them."""
