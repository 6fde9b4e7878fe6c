#!/usr/bin/env python3
"""Runs hieratic in CI: installs a release, checks and compares, and reports to GitHub or GitLab.

    hieratic_ci.py install --version 1.2.3 --to FOLDER
    hieratic_ci.py run --base origin/main --out FOLDER [--check "--fail-on warning"] [--diff "--facts nodes/"]
    hieratic_ci.py comment --file FOLDER/comment.md --number 7
    hieratic_ci.py comment-of-fork --file FOLDER/comment.md --commit SHA
    hieratic_ci.py sarif --file FOLDER/hieratic.sarif --commit SHA --ref refs/heads/main
    hieratic_ci.py note --file FOLDER/comment.md --number 7

Only the standard library of Python 3.8 or later is used. Tokens come from the environment and are never printed: GITHUB_TOKEN for
GitHub, HIERATIC_GITLAB_TOKEN for GitLab.
"""

import argparse
import base64
import gzip
import hashlib
import http.client
import io
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import tarfile
import urllib.error
import urllib.parse
import urllib.request

RELEASES = "https://github.com/hieratic/hieratic/releases/download"
TARGETS = {
    ("Linux", "x86_64"): "x86_64-unknown-linux-musl",
    ("Linux", "aarch64"): "aarch64-unknown-linux-musl",
    ("Darwin", "arm64"): "aarch64-apple-darwin",
    ("Windows", "AMD64"): "x86_64-pc-windows-msvc",
}
# The first line of our comments, by which they are found again.
MARKER = "<!-- hieratic: {} -->"
# GitHub accepts 65,536 characters in a comment, and 1 MiB in a summary.
LONGEST_COMMENT = 65_000
LONGEST_SUMMARY = 1_000_000
TIMEOUT = 60


# The user of the token that GitHub gives to a job.
ACTIONS_USER = "github-actions[bot]"


class Failure(Exception):
    """Ends the script with a message. `status` is that of the answer, if there was one."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class SameHost(urllib.request.HTTPRedirectHandler):
    """Follows redirects to the same host only: the headers with the token go along."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if urllib.parse.urlsplit(newurl).netloc != urllib.parse.urlsplit(req.full_url).netloc:
            raise Failure(f"{req.full_url} redirects to another host: {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


API = urllib.request.build_opener(SameHost)


def request(method, url, token_header, body=None):
    """Sends a request of an API. Returns the status, the headers and the body as JSON."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "hieratic-ci", **token_header}
    message = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with API.open(message, timeout=TIMEOUT) as answer:
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        detail = error.read(2000).decode(errors="replace")
        raise Failure(f"{method} {url} answered {error.code}: {detail}", error.code) from error
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"{method} {url} failed: {getattr(error, 'reason', error)}") from error
    except ValueError as error:
        raise Failure(f"{method} {url} did not answer with JSON: {error}") from error


def pages(url, token_header):
    """All elements of a list that comes in pages: the header `Link` names the next one."""
    for _ in range(100):
        _, headers, elements = request("GET", url, token_header)
        yield from elements
        following = re.search(r'<([^>]+)>;\s*rel="next"', headers.get("Link", ""))
        if not following:
            return
        # Tokens are not sent to other hosts.
        if urllib.parse.urlsplit(following[1]).netloc != urllib.parse.urlsplit(url).netloc:
            raise Failure(f"the next page is at another host: {following[1]}")
        url = following[1]


def github():
    """The address of the repository in the API of GitHub, and the header with the token."""
    token = os.environ.get("GITHUB_TOKEN") or ""
    if not token:
        raise Failure("GITHUB_TOKEN is not set: pass the input `token`, or the permission that the step needs")
    api = os.environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    repository = os.environ["GITHUB_REPOSITORY"]
    return f"{api}/repos/{repository}", {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}


def install(arguments):
    """Downloads a release, verifies its checksum, and unpacks the binary."""
    target = TARGETS.get((platform.system(), platform.machine()))
    if target is None:
        raise Failure(f"there is no release for {platform.system()} on {platform.machine()}: build it with cargo install")
    version = arguments.version[1:] if arguments.version.startswith("v") else arguments.version
    if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?", version):
        raise Failure(f"{arguments.version} is not a version: write it as 1.2.3")
    releases = os.environ.get("HIERATIC_RELEASES", RELEASES).rstrip("/")
    name = f"hieratic-{version}-{target}.tar.gz"

    def download(file):
        url = f"{releases}/v{version}/{file}"
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
                return answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{url} cannot be downloaded: {error}") from error

    sums = {}
    for line in download("SHA256SUMS").decode(errors="replace").splitlines():
        # Other lines are those of a page that answers instead of the file, and name no archive.
        found = re.fullmatch(r"([0-9a-f]{64})\s+(\S+)\s*", line)
        if found:
            sums[found[2]] = found[1]
    expected = sums.get(name) or sums.get(f"*{name}")
    archive = download(name)
    found = hashlib.sha256(archive).hexdigest()
    if expected is None:
        raise Failure(f"SHA256SUMS of version {version} does not list {name}")
    if found != expected:
        raise Failure(f"{name} has another checksum than SHA256SUMS says: {found}, not {expected}")
    binary = "hieratic.exe" if platform.system() == "Windows" else "hieratic"
    folder = pathlib.Path(arguments.to)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as unpacked:
        for entry in unpacked:
            # Only the binary is taken, so no name in the archive decides where something is written.
            if entry.isfile() and pathlib.PurePosixPath(entry.name).name == binary:
                (folder / binary).write_bytes(unpacked.extractfile(entry).read())
                (folder / binary).chmod(0o755)
                print(f"installed {folder / binary}, version {version}")
                return
    raise Failure(f"{name} does not contain {binary}")


def hieratic(arguments, out):
    """Runs the command with its answer in a file. Returns the exit status."""
    command = [os.environ.get("HIERATIC", "hieratic"), *arguments]
    print("$ " + " ".join(shlex.quote(word) for word in command), flush=True)
    with open(out, "wb") as file:
        return subprocess.run(command, stdout=file, check=False).returncode


def run(arguments):
    """Checks and compares. Writes hieratic.sarif, changes.md and comment.md, and the summary of the job."""
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    check, diff = shlex.split(arguments.check), shlex.split(arguments.diff)
    status = 0

    # The status 1 says that something was found; 2 is a mistake in the flags or settings.
    sarif = hieratic(["check", "--message-format", "sarif", *check], out / "hieratic.sarif")
    if sarif > 1:
        raise Failure("hieratic check failed: see the messages above")
    annotated = hieratic(["check", "--message-format", arguments.annotations, *check], out / "annotations")
    sys.stdout.write((out / "annotations").read_text(encoding="utf-8", errors="replace"))
    status = max(status, annotated)
    findings = summary_of_sarif(json.loads((out / "hieratic.sarif").read_text(encoding="utf-8")))

    changes = ""
    if arguments.base:
        compared = hieratic(["diff", arguments.base + "...", "--format", "markdown", *diff], out / "changes.md")
        if compared > 1:
            raise Failure("hieratic diff failed. A shallow clone has no merge base: check out with `fetch-depth: 0`")
        status = max(status, compared)
        changes = (out / "changes.md").read_text(encoding="utf-8")
    else:
        print("no base: nothing is compared")

    text = "\n".join(part for part in (changes, findings) if part)
    (out / "comment.md").write_text(text, encoding="utf-8")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            file.write(text[:LONGEST_SUMMARY])
    return status


def summary_of_sarif(log):
    """The findings by rule, as a line of Markdown."""
    counts = {}
    for result in (result for one in log.get("runs", []) for result in one.get("results", [])):
        counts[result.get("ruleId", "")] = counts.get(result.get("ruleId", ""), 0) + 1
    if not counts:
        return "`hieratic check`: nothing found\n"
    rules = ", ".join(f"{count} `{rule}`" for rule, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    total = sum(counts.values())
    return f"`hieratic check`: {total} finding{'' if total == 1 else 's'}: {rules}\n"


def body_of(arguments):
    text = pathlib.Path(arguments.file).read_text(encoding="utf-8")
    marker = MARKER.format(arguments.name)
    if not re.fullmatch(r"[A-Za-z0-9 ._-]+", arguments.name):
        raise Failure("the name of a comment has letters, digits, spaces, dots, hyphens and underscores")
    if len(text) > LONGEST_COMMENT:
        text = text[:LONGEST_COMMENT] + "\n\nThe rest is in the summary of the job.\n"
    return marker, f"{marker}\n{text}"


def author_of(arguments, header):
    """The login under which comments are written with the token."""
    api = os.environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    if arguments.author:
        return arguments.author
    try:
        return request("GET", f"{api}/user", header)[2]["login"]
    except Failure as failure:
        # The token of a job, and that of an app, are of no user.
        if failure.status in (401, 403, 404):
            return ACTIONS_USER
        raise


def comment(arguments):
    """Posts a comment on a pull request of GitHub, or updates the one of an earlier run."""
    repository, header = github()
    marker, body = body_of(arguments)
    number = int(arguments.number)
    author = author_of(arguments, header)
    for known in pages(f"{repository}/issues/{number}/comments?per_page=100", header):
        # Anybody can write the marker, and other bots may quote it. Ours is written by the user of the token.
        is_ours = (known.get("user") or {}).get("login") == author
        if is_ours and (known.get("body") or "").startswith(marker):
            if known["body"] == body:
                print(f"the comment {known['id']} is up to date")
                return 0
            request("PATCH", f"{repository}/issues/comments/{known['id']}", header, {"body": body})
            print(f"updated the comment {known['id']}")
            return 0
    _, _, created = request("POST", f"{repository}/issues/{number}/comments", header, {"body": body})
    print(f"posted the comment {created['id']}")
    return 0


def comment_of_fork(arguments):
    """Posts what a run for a fork has left as an artifact. The artifact may contain anything: which pull request it is for
    follows from the commit of the run that made it, and not from the artifact."""
    repository, header = github()
    if not re.fullmatch(r"[0-9a-f]{40}", arguments.commit):
        raise Failure(f"{arguments.commit} is not a commit")
    found = [
        pull["number"]
        for pull in pages(f"{repository}/pulls?state=open&per_page=100", header)
        if pull["head"]["sha"] == arguments.commit
    ]
    if not found:
        print("no open pull request has this commit any more")
        return 0
    for number in found:
        comment(argparse.Namespace(file=arguments.file, name=arguments.name, number=number, author=arguments.author))
    return 0


def sarif(arguments):
    """Uploads findings to the code scanning of GitHub."""
    repository, header = github()
    log = pathlib.Path(arguments.file).read_bytes()
    body = {
        "commit_sha": arguments.commit,
        "ref": arguments.ref,
        "sarif": base64.b64encode(gzip.compress(log, mtime=0)).decode(),
        "tool_name": "hieratic",
    }
    _, _, answer = request("POST", f"{repository}/code-scanning/sarifs", header, body)
    print(f"uploaded {arguments.file} as {answer['id']}")
    return 0


def note(arguments):
    """Posts a note on a merge request of GitLab, or updates the one of an earlier run."""
    token = os.environ.get("HIERATIC_GITLAB_TOKEN") or ""
    if not token:
        print("HIERATIC_GITLAB_TOKEN is not set: no note is written. The report is an artifact of the job")
        return 0
    header = {"PRIVATE-TOKEN": token}
    api, project = os.environ["CI_API_V4_URL"].rstrip("/"), urllib.parse.quote(os.environ["CI_PROJECT_ID"], safe="")
    marker, body = body_of(arguments)
    notes = f"{api}/projects/{project}/merge_requests/{int(arguments.number)}/notes"
    _, _, me = request("GET", f"{api}/user", header)
    for known in pages(f"{notes}?per_page=100", header):
        # Anybody can write the marker. Ours is written by the user of the token.
        if known["author"]["id"] == me["id"] and known["body"].startswith(marker):
            request("PUT", f"{notes}/{known['id']}", header, {"body": body})
            print(f"updated the note {known['id']}")
            return 0
    _, _, created = request("POST", notes, header, {"body": body})
    print(f"posted the note {created['id']}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)

    verb = verbs.add_parser("install")
    verb.add_argument("--version", required=True)
    verb.add_argument("--to", required=True)
    verb.set_defaults(act=install)

    verb = verbs.add_parser("run")
    verb.add_argument("--base", default="")
    verb.add_argument("--check", default="")
    verb.add_argument("--diff", default="")
    verb.add_argument("--annotations", default="github", choices=["github", "human", "gitlab", "junit"])
    verb.add_argument("--out", required=True)
    verb.set_defaults(act=run)

    for name, act in (("comment", comment), ("note", note)):
        verb = verbs.add_parser(name)
        verb.add_argument("--file", required=True)
        verb.add_argument("--number", required=True)
        verb.add_argument("--name", default="changes")
        verb.add_argument("--author", default="")
        verb.set_defaults(act=act)

    verb = verbs.add_parser("comment-of-fork")
    verb.add_argument("--file", required=True)
    verb.add_argument("--commit", required=True)
    verb.add_argument("--name", default="changes")
    verb.add_argument("--author", default="")
    verb.set_defaults(act=comment_of_fork)

    verb = verbs.add_parser("sarif")
    verb.add_argument("--file", required=True)
    verb.add_argument("--commit", required=True)
    verb.add_argument("--ref", required=True)
    verb.set_defaults(act=sarif)

    arguments = parser.parse_args()
    try:
        return arguments.act(arguments) or 0
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
