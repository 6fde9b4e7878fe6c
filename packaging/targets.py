"""The platforms of a release, under the names that each ecosystem has for them, and writers whose output depends on its input only."""

import base64
import gzip
import hashlib
import io
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = "Layered configuration data in one engine: Hiera, Puppet, Unfurl YAML and Nomad"
HOMEPAGE = "https://github.com/hieratic/hieratic"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]


@dataclass(frozen=True)
class Target:
    triple: str
    npm: str  # the package @hieratic/NPM
    node: tuple  # process.platform and process.arch of Node.js
    gem: str
    wheels: tuple  # tags of platforms of wheels that may contain the binary
    linux: str = ""  # the architecture as Debian and OCI images name it
    rpm: str = ""
    vscode: tuple = ()

    @property
    def exe(self):
        return "hieratic.exe" if self.node[0] == "win32" else "hieratic"


# The static binaries run with every C library, so that a Linux target serves the wheels and gems of both.
TARGETS = {
    target.triple: target
    for target in [
        Target("x86_64-unknown-linux-musl", "linux-x64", ("linux", "x64"), "x86_64-linux",
               ("manylinux2014_x86_64", "musllinux_1_1_x86_64"), "amd64", "x86_64", ("linux-x64", "alpine-x64")),
        Target("aarch64-unknown-linux-musl", "linux-arm64", ("linux", "arm64"), "aarch64-linux",
               ("manylinux2014_aarch64", "musllinux_1_1_aarch64"), "arm64", "aarch64", ("linux-arm64", "alpine-arm64")),
        Target("x86_64-apple-darwin", "darwin-x64", ("darwin", "x64"), "x86_64-darwin", ("macosx_10_12_x86_64",),
               vscode=("darwin-x64",)),
        Target("aarch64-apple-darwin", "darwin-arm64", ("darwin", "arm64"), "arm64-darwin", ("macosx_11_0_arm64",),
               vscode=("darwin-arm64",)),
        Target("x86_64-pc-windows-gnu", "win32-x64", ("win32", "x64"), "x64-mingw-ucrt", ("win_amd64",), vscode=("win32-x64",)),
        Target("x86_64-pc-windows-msvc", "win32-x64", ("win32", "x64"), "x64-mingw-ucrt", ("win_amd64",), vscode=("win32-x64",)),
        Target("aarch64-pc-windows-gnullvm", "win32-arm64", ("win32", "arm64"), "aarch64-mingw-ucrt", ("win_arm64",),
               vscode=("win32-arm64",)),
    ]
}


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def moment():
    """When the sources were made, in seconds: the time of everything in an archive."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    if log.returncode != 0:
        sys.exit("this is no clone: set SOURCE_DATE_EPOCH, the time of the sources in seconds")
    return int(log.stdout)


def binaries(arguments):
    """TRIPLE=FILE..., as pairs of targets and paths."""
    pairs = []
    for argument in arguments:
        triple, separator, path = argument.partition("=")
        if triple not in TARGETS or not separator:
            sys.exit(f"{argument}: expected TRIPLE=FILE, with one of {', '.join(TARGETS)}")
        if not Path(path).is_file():
            sys.exit(f"{path} is not a file")
        pairs.append((TARGETS[triple], Path(path)))
    if not pairs:
        sys.exit("name at least one binary: TRIPLE=FILE")
    return pairs


def tar_of(entries):
    """A tar archive as bytes. Entries are (name, bytes, mode); folders are entries whose bytes are None."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data, mode in sorted(entries, key=lambda entry: entry[0]):
            about = tarfile.TarInfo(name)
            about.mode, about.mtime = mode, moment()
            if data is None:
                about.type = tarfile.DIRTYPE
                tar.addfile(about)
            else:
                about.size = len(data)
                tar.addfile(about, io.BytesIO(data))
    return out.getvalue()


def gzipped(data):
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=9, mtime=0) as stream:
        stream.write(data)
    return out.getvalue()


def zip_of(entries):
    """A zip archive as bytes. Entries are (name, bytes, mode)."""
    from datetime import datetime, timezone

    # Zip has no times before 1980.
    when = datetime.fromtimestamp(max(moment(), 315532800), timezone.utc).timetuple()[:6]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in sorted(entries, key=lambda entry: entry[0]):
            about = zipfile.ZipInfo(name, when)
            about.compress_type, about.create_system, about.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            archive.writestr(about, data)
    return out.getvalue()


def universal(binaries):
    """Binaries of macOS as one, from which the system takes the part for its processor: a header, and the binaries at pages of 16 KiB.

    The format is that of <mach-o/fat.h>. The signatures stay valid, because each is part of its binary.
    """
    page, entries, body = 1 << 14, b"", b""
    for binary in binaries:
        magic, processor, model = struct.unpack("<3I", binary[:12])
        if magic != 0xFEEDFACF:
            sys.exit("a universal binary consists of binaries of macOS for 64 bits")
        body += b"\0" * (-len(body) % page)
        # In the header all numbers begin with their highest byte.
        entries += struct.pack(">5I", processor, model, page + len(body), len(binary), page.bit_length() - 1)
        body += binary
    return (struct.pack(">2I", 0xCAFEBABE, len(binaries)) + entries).ljust(page, b"\0") + body


def licenses():
    return [(name, (ROOT / name).read_bytes(), 0o644) for name in LICENSES]


def digest(data):
    return hashlib.sha256(data).hexdigest()


def write(out, name, data):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / name).write_bytes(data)
    print(f"{len(data):>12,}  {out / name}")


def hash_of_wheel(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
