"""Makes pairs of jobs at random: python3 generate_plans.py COUNT SEED ANSWERED > jobs.jsonl

ANSWERED are answered cases of the kind `jobs` (see README.md). The jobs of the folder `conformance/nomad/jobs` are taken, too. The second job of a pair
is the first one with values, lines and blocks changed, removed and added. Answers come from `plan.py`.
"""
import glob
import json
import os
import random
import re
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../nomad/jobs")

ADDED = {
    "job": [
        "priority = 70", 'meta {\n  a = "b"\n}', 'datacenters = ["x", "y"]', "all_at_once = true", "update {\n  max_parallel = 3\n}",
        'constraint {\n  attribute = "${attr.kernel.name}"\n  value = "linux"\n}', 'spread {\n  attribute = "${node.datacenter}"\n}',
        'ui {\n  description = "d"\n  link {\n    label = "l"\n    url = "u"\n  }\n}', 'periodic {\n  crons = ["* * * * *"]\n}',
        'parameterized {\n  meta_required = ["a", "b"]\n}', 'type = "batch"', 'reschedule {\n  attempts = 3\n}', "migrate {\n  max_parallel = 2\n}",
    ],
    "group": [
        "count = 7", "restart {\n  attempts = 9\n}", "ephemeral_disk {\n  size = 400\n}", 'network {\n  port "x" {\n    to = 80\n  }\n}',
        'meta {\n  k = "v"\n}', 'service {\n  name = "${JOB}-s"\n  tags = ["a"]\n}', 'volume "v" {\n  type = "host"\n  source = "s"\n}',
        'scaling {\n  max = 5\n  policy {\n    cooldown = "1m"\n  }\n}', 'max_client_disconnect = "1h"', 'shutdown_delay = "3s"',
        'reschedule {\n  attempts = 1\n  interval = "1h"\n}', 'affinity {\n  attribute = "${attr.x}"\n  value = "1"\n}', 'consul {\n  namespace = "n"\n}',
        'disconnect {\n  lost_after = "1m"\n}', 'update {\n  canary = 1\n}',
        'network {\n  mode = "bridge"\n  hostname = "h"\n  dns {\n    servers = ["1.1.1.1", "8.8.8.8"]\n  }\n  port "a" {\n    static = 8080\n  }\n}',
        'service {\n  port = "p"\n  check {\n    type = "http"\n    path = "/"\n    interval = "10s"\n    timeout = "2s"\n    header {\n      A = ["1"]\n    }\n'
        "    check_restart {\n      limit = 3\n    }\n  }\n}",
        'service {\n  name = "c"\n  connect {\n    sidecar_service {\n      proxy {\n        upstreams {\n          destination_name = "x"\n'
        "          local_bind_port = 80\n        }\n      }\n    }\n  }\n}",
    ],
    "task": [
        'kill_timeout = "9s"', 'env {\n  X = "y"\n}', "resources {\n  cpu = 300\n}", 'artifact {\n  source = "http://x/y"\n}',
        'template {\n  data = "x"\n  destination = "y"\n}', "vault {\n}", "logs {\n  max_files = 3\n}", "leader = true", 'user = "u"',
        'meta {\n  m = "n"\n}', "constraint {\n  distinct_hosts = true\n}", 'lifecycle {\n  hook = "prestart"\n}', "identity {\n  env = true\n}",
        'identity {\n  name = "i"\n  aud = ["x", "y"]\n}', 'action "a" {\n  command = "c"\n  args = ["1"]\n}',
        'volume_mount {\n  volume = "v"\n  destination = "d"\n}', 'dispatch_payload {\n  file = "f"\n}', 'kill_signal = "SIGINT"',
        'resources {\n  cores = 2\n  device "gpu" {\n    count = 2\n  }\n  numa {\n    affinity = "prefer"\n  }\n}',
        'template {\n  source = "s"\n  destination = "t"\n  uid = 5\n  wait {\n    min = "1s"\n  }\n  change_mode = "script"\n  change_script {\n'
        '    command = "c"\n    args = ["a"]\n  }\n}',
        'schedule {\n  cron {\n    start = "0 1 * * *"\n    end = "0 2"\n  }\n}', 'secret "s" {\n  provider = "p"\n  path = "q"\n}',
        'config {\n  image = "a:2"\n  number = 1234567\n  list = [1, "b"]\n  map {\n    a = 1\n  }\n}', 'restart {\n  mode = "delay"\n}',
    ],
}  # fmt: skip


def block(lines, start):
    depth = 0
    for end in range(start, len(lines)):
        depth += lines[end].count("{") - lines[end].count("}")
        if depth <= 0:
            return end
    return start


def mutated(rng, text):
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        values = [at for at, line in enumerate(lines) if "=" in line and not line.strip().startswith("#")]
        blocks = [at for at, line in enumerate(lines) if re.match(r'\s+[a-z_]+( "[^"]*")* \{\s*$', line)]
        owners = [at for at, line in enumerate(lines) if re.match(r'\s*(group|task|job) "[^"]*" \{\s*$', line)]
        kind = rng.random()
        if kind < 0.2 and values:
            del lines[rng.choice(values)]
        elif kind < 0.5 and values:
            at = rng.choice(values)
            numbers = list(re.finditer(r'(?<![\w."])\d+(?![\w."])', lines[at]))
            if numbers:
                found = rng.choice(numbers)
                number = str(int(found.group()) + rng.randint(1, 9))
                lines[at] = lines[at][: found.start()] + number + lines[at][found.end():]
            elif "true" in lines[at] or "false" in lines[at]:
                lines[at] = lines[at].replace("true", "TRUE").replace("false", "true").replace("TRUE", "false")
            else:
                lines[at] = re.sub(r'"([A-Za-z]\w*)"', r'"\1x"', lines[at], count=1)
        elif kind < 0.65 and blocks:
            start = rng.choice(blocks)
            end = block(lines, start)
            if rng.random() < 0.7:
                del lines[start:end + 1]
            else:
                copy = [re.sub(r'"(\w+)" \{', r'"\1-2" {', lines[start])] + lines[start + 1:end + 1]
                lines[end + 1:end + 1] = copy
        elif owners:
            at = rng.choice(owners)
            lines[at + 1:at + 1] = rng.choice(ADDED[lines[at].split()[0]]).split("\n")
    return "\n".join(lines)


def main():
    count, rng = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    jobs = [open(name).read() for name in sorted(glob.glob(FOLDER + "/*/*.hcl") + glob.glob(FOLDER + "/*.hcl"))]
    for line in open(sys.argv[3]):
        case = json.loads(line)
        if case.get("job"):
            jobs.append(case["files"]["job.nomad.hcl"])
    jobs = [job for job in jobs if re.search(r'^job "', job, re.M) and len(job) < 4000]
    for number in range(count):
        old = rng.choice(jobs)
        if rng.random() < 0.5:
            old = mutated(rng, old)
        print(json.dumps({"id": f"plan-{number:05}", "old": old, "new": mutated(rng, old)}))


main()
