"""What the library raises: errors with places."""

import errno


class Error(Exception):
    """Why there is no answer.

    `str(error)` is the message with its place. `message`, `code`, `file`, `line`, `column` and `help` have the parts; what is not known
    is None. `report` is everything that is wrong, as the command shows it, with the lines that it is about.
    """

    def __init__(self, message, *, code=None, file=None, line=None, column=None, help=(), report=""):
        super().__init__(message)
        self.message = message
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.help = list(help)
        self.report = report

    def __str__(self):
        place = self.file or ""
        for part in (self.line, self.column):
            if place and part is not None:
                place += f":{part}"
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self):
        fields = {name: getattr(self, name) for name in ("code", "file", "line", "column", "help", "report")}
        return (_rebuilt, (type(self), self.message, fields))


class KeyNotFound(Error, LookupError):
    """No data has the key."""


class MissingFile(Error, FileNotFoundError):
    """A file or folder that the caller named does not exist."""

    def __init__(self, message, **fields):
        super().__init__(message, **fields)
        self.errno = errno.ENOENT
        self.filename = self.file


class LimitExceeded(Error):
    """A limit of work was reached: see the argument `limits`."""


class OutOfTime(LimitExceeded, TimeoutError):
    """The time of the argument `timeout` was over."""


#: The name that `KeyNotFound` had before.
NotFoundError = KeyNotFound


def _rebuilt(kind, message, fields):
    return kind(message, **fields)
