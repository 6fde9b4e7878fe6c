"""The part of the library that is compiled."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final

from typing_extensions import Self, disjoint_base

__all__ = [
    "Answers",
    "_finding",
    "Finding",
    "check",
    "check_limits",
    "difference",
    "expand",
    "intersection",
    "merge_key",
    "merged",
    "note_fork",
    "patch",
    "plain",
    "restore",
    "scalar",
    "Environment",
    "hcl_loads",
    "job",
    "Node",
    "eval",
    "render",
    "Sensitive",
    "__version__",
]

__version__: str

_Path: TypeAlias = str | PathLike[str]
_Facts: TypeAlias = _Path | Mapping[str, Any]
_Strategy: TypeAlias = Literal["first", "unique", "hash", "deep"] | Mapping[str, Any]

@final
class Sensitive:
    """A value that is secret. `str`, `repr` and `format` do not show it."""

    def __new__(cls, value: object) -> Self: ...
    def unwrap(self) -> Any:
        """The value itself."""

@disjoint_base
class Environment:
    """An environment of a control repository, opened once and shared by threads and nodes.

    Without further arguments it is the one that the folder `path` is in (default: the current folder). A repository may read its own
    files and nothing else, unless `allow_programs`, `allow_outside` or `allow_network` say so. `revision` reads the files of a commit,
    `files` are read instead of those that are saved. `limits` and `timeout` hold for each call that says nothing else.
    """

    def __new__(
        cls,
        path: _Path | None = None,
        *,
        environment: str | None = None,
        environment_dir: _Path | None = None,
        environmentpath: _Path | Sequence[_Path] | None = None,
        codedir: _Path | None = None,
        confdir: _Path | None = None,
        hiera_config: _Path | None = None,
        modulepath: _Path | Sequence[_Path] | None = None,
        datadirs: Mapping[str, _Path] | Sequence[tuple[str, _Path]] | None = None,
        puppet_version: str | None = None,
        strict: str | None = None,
        revision: str | None = None,
        files: Mapping[_Path, str | bytes] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
        allow_programs: bool = False,
        allow_outside: bool = False,
        allow_network: bool = False,
        confined: bool = False,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def root(self) -> PathLike[str]: ...
    def node(
        self,
        name: str | None = None,
        facts: _Facts | None = None,
        *,
        trusted: Mapping[str, Any] | None = None,
        variables: Mapping[str, Any] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> Node:
        """A node of the environment."""

    def answers(
        self,
        nodes: _Path | Iterable[Any],
        keys: Sequence[str] | None = None,
        *,
        where: str | None = None,
        shard: str | None = None,
        reveal: bool = False,
        skip_errors: bool = False,
        allow_empty: bool = False,
        facts: Sequence[str] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> Answers:
        """The answers of many nodes as a table: paths of facts, dictionaries, nodes, or a table of facts.

        A key that no node has, or a condition that chooses no node, is an error, unless `allow_empty`: nodes may be a part of a fleet.
        `facts` are names of facts that rows have, too: `["os.family"]`.
        """

    def diff(
        self,
        base: str = "HEAD",
        head: str | None = None,
        *,
        nodes: _Path | Iterable[Any] | None = None,
        keys: Sequence[str] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """What the changes from a revision to another, or to the working tree, do to the answers of nodes, and why.

        The changes of answers are in `groups`, failures in `broken`, declarations of class parameters in `parameters`, and what could not be
        compared in `not_compared`.
        """

    @property
    def _arguments(self) -> dict[str, Any]: ...

@final
class Node:
    """A machine's view of an environment: it sees files as they were when it first needed them."""

    def __new__(
        cls,
        environment: Environment,
        name: str | None = None,
        facts: _Facts | None = None,
        *,
        trusted: Mapping[str, Any] | None = None,
        variables: Mapping[str, Any] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str | None: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def trusted(self) -> dict[str, Any] | None:
        """The trusted data that the node was made with."""

    @property
    def variables(self) -> dict[str, Any]:
        """The variables that the node was made with."""

    @property
    def environment(self) -> Environment: ...
    def lookup(
        self,
        key: str | Sequence[str],
        *,
        default: Any = ...,
        merge: _Strategy | None = None,
        value_type: str | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> Any:
        """The value of a key, or of the first of several that is found."""

    def lookup_all(
        self,
        patterns: Sequence[str] | None = None,
        *,
        reveal: bool = False,
        skip_errors: bool = False,
        allow_empty: bool = False,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """The values of all keys that the node's hierarchy can answer, or of those that a pattern matches.

        A key or a pattern that no key matches is an error, unless `allow_empty`.
        """

    def keys(self, *, limits: Mapping[str, int] | None = None, timeout: float | None = None) -> list[str]:
        """The keys that the node's hierarchy can answer, sorted."""

    def why(
        self,
        key: str,
        *,
        default: Any = ...,
        merge: _Strategy | None = None,
        value_type: str | None = None,
        reveal: bool = False,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """How the answer to a key came about."""

    def origins(
        self,
        key: str | Sequence[str],
        *,
        merge: _Strategy | None = None,
        reveal: bool = False,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> list[dict[str, Any]]:
        """The leaves of a value, each with the file, line and column that it comes from."""

@final
class Answers:
    """The answers of many nodes as a table of Arrow. Nothing is looked up before the table is read."""

    @property
    def summary(self) -> dict[str, Any] | None:
        """What was read the last time; None before."""

    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    def to_arrow(self) -> Any:
        """The table of pyarrow."""

    def to_polars(self) -> Any:
        """The frame of Polars."""

    def to_pandas(self) -> Any:
        """The frame of pandas."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Finding:
    """One thing that is wrong."""

    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def help(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def fingerprint(self) -> str: ...

def check(
    *paths: _Path,
    facts: Sequence[_Path] | None = None,
    hygiene: bool = False,
    unused: bool = False,
    all_nodes: bool = False,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> list[Finding]:
    """Everything that is wrong with files, and with the control repositories that they are in. Nothing is run."""

def eval(
    code: Any,
    *,
    language: Literal["puppet", "hcl", "unfurl"] = "puppet",
    node: Node | None = None,
    facts: _Facts | None = None,
    variables: Mapping[str, Any] | None = None,
    tree: _Path | Mapping[str, Any] | None = None,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_programs: bool = False,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> Any:
    """The value of code: of the Puppet language, of HCL, or of an expression of Unfurl over a tree."""

def render(
    template: str | PathLike[str],
    *,
    language: Literal["epp", "erb", "jinja2", "hcl"] | None = None,
    node: Node | None = None,
    facts: _Facts | None = None,
    variables: Mapping[str, Any] | None = None,
    folder: _Path | None = None,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_programs: bool = False,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> str | Sensitive:
    """A template as text. A string is the template, a path object names its file. Text with a secret is Sensitive."""

def job(
    job: str | PathLike[str],
    *,
    variables: Mapping[str, object] | None = None,
    var_files: Sequence[_Path] | None = None,
    node: Node | None = None,
    strict: bool = True,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_files: bool = False,
    allow_outside: bool = False,
) -> dict[str, Any]:
    """A Nomad job as `nomad job run -output` prints it. A string is the job, a path object names its file.

    `variables` are values: a variable with a type has its value converted to it, as HCL converts.
    """

def restore(
    original: str | PathLike[str],
    changed: Mapping[str, Any],
    *,
    folder: _Path | None = None,
    variables: Mapping[str, str] | None = None,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> str:
    """The text of a document whose expanded data was changed, with its directives."""

def expand(
    document: str | PathLike[str],
    *,
    folder: _Path | None = None,
    variables: Mapping[str, str] | None = None,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> tuple[dict[str, Any], list[tuple[tuple[Any, ...], str, Any]]]: ...
def hcl_loads(
    text: str, name: str = "document", *, limits: Mapping[str, int] | None = None, timeout: float | None = None
) -> dict[str, Any]: ...
def merged(
    base: object, own: object, *, limits: Mapping[str, int] | None = None, timeout: float | None = None
) -> Any: ...
def difference(
    old: Mapping[Any, Any],
    new: Mapping[Any, Any],
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> dict[Any, Any]: ...
def patch(
    old: Mapping[Any, Any],
    new: Mapping[Any, Any],
    preserve: bool,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> dict[Any, Any]: ...
def intersection(
    old: Mapping[Any, Any],
    new: Mapping[Any, Any],
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> dict[Any, Any]: ...
def merge_key(key: str) -> tuple[bool, str | None, str | None, int, list[str]] | None: ...
def scalar(value: object) -> str: ...
def plain(text: str, *, limits: Mapping[str, int] | None = None, timeout: float | None = None) -> Any: ...
def check_limits(limits: Mapping[str, int] | None = None, timeout: float | None = None) -> None: ...
def note_fork() -> None: ...
def _finding(
    code: str,
    severity: str,
    message: str,
    place: tuple[str | None, int | None, int | None],
    texts: tuple[list[str], list[str], str],
) -> Finding: ...
