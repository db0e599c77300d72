"""What people answered to the parts of questionnaires, and how far they agree."""
