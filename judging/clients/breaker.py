"""When a provider is down: nothing is sent, until one call tries whether it is back."""


class ProviderDown(Exception):
    """The provider has not answered for so long that waiting on is a decision for people; the call was not answered.

    `attempts` of this call were sent before, `uncertain` of them may have been charged.
    """

    def __init__(self, provider: str, *, attempts: int = 0, uncertain: int = 0) -> None:
        self.provider, self.attempts, self.uncertain = provider, attempts, uncertain
        super().__init__(provider)
