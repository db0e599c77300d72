"""What carries wake-ups to the workers. A row in the database says what is to be done: a message may be lost (the
sweeps send it again) or come twice, but none may end a worker."""
