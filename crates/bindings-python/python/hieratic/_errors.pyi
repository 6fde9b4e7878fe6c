from collections.abc import Iterable

class Error(Exception):
    message: str
    code: str | None
    file: str | None
    line: int | None
    column: int | None
    help: list[str]
    report: str
    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        help: Iterable[str] = (),
        report: str = "",
    ) -> None: ...

class KeyNotFound(Error, LookupError): ...
class MissingFile(Error, FileNotFoundError): ...
class LimitExceeded(Error): ...
class OutOfTime(LimitExceeded, TimeoutError): ...

NotFoundError = KeyNotFound
