#!/usr/bin/env python3
"""Writes configuration entries of Consul with random changes: a line of JSON each.

Usage: generate.py SEED COUNT > cases.jsonl
"""

import json
import random
import re
import sys

KIND = "ConsulConfigEntry"

# The entries that are changed.
ENTRIES = [
    '''Kind = "service-defaults"
Name = "shop"
Protocol = "http"
MutualTLSMode = "strict"
MaxInboundConnections = 40
MeshGateway {
  Mode = "local"
}
Expose {
  Checks = true
  Paths = [
    {
      Path = "/status"
      LocalPathPort = 9090
      ListenerPort = 20200
      Protocol = "http"
    }
  ]
}
UpstreamConfig {
  Defaults {
    Protocol = "http"
    Limits {
      MaxConnections = 10
    }
  }
  Overrides = [
    {
      Name = "stock"
      PassiveHealthCheck {
        Interval = "10s"
        MaxFailures = 4
      }
    }
  ]
}
''',
    '''kind = "service-defaults"
name = "outside"
protocol = "tcp"
destination {
  addresses = ["192.0.2.7", "db.example.org"]
  port = 5432
}
meta {
  team = "a"
}
''',
    '''Kind = "proxy-defaults"
Name = "global"
Config {
  protocol = "http"
  local_connect_timeout_ms = 900
}
AccessLogs {
  Enabled = true
  Type = "file"
  Path = "/tmp/access.log"
}
''',
    '''kind = "service-router"
name = "shop"
routes = [
  {
    match {
      http {
        path_prefix = "/cart"
        methods = ["GET", "PUT"]
        header = [
          {
            name = "x-beta"
            present = true
          }
        ]
        query_param = [
          {
            name = "v"
            exact = "2"
          }
        ]
      }
    }
    destination {
      service = "cart"
      prefix_rewrite = "/"
      request_timeout = "12s"
      num_retries = 3
      retry_on = ["5xx", "reset"]
      retry_on_status_codes = [500, 503]
    }
  }
]
''',
    '''Kind = "service-splitter"
Name = "shop"
Splits = [
  {
    Weight = 75
    ServiceSubset = "old"
  },
  {
    Weight = 25
    ServiceSubset = "new"
    RequestHeaders {
      Set {
        "x-side" = "new"
      }
    }
  }
]
''',
    '''Kind = "service-resolver"
Name = "shop"
DefaultSubset = "old"
ConnectTimeout = "4s"
Subsets = {
  old = {
    Filter = "Service.Meta.v == 1"
  }
  new = {
    Filter = "Service.Meta.v == 2"
    OnlyPassing = true
  }
}
Failover = {
  "*" = {
    Datacenters = ["dc2", "dc3"]
  }
}
LoadBalancer {
  Policy = "ring_hash"
  RingHashConfig {
    MinimumRingSize = 16
  }
  HashPolicies = [
    {
      Field = "cookie"
      FieldValue = "sid"
      CookieConfig {
        TTL = "30m"
      }
    }
  ]
}
''',
    '''Kind = "service-resolver"
Name = "shop"
Redirect {
  Service = "store"
  Datacenter = "dc4"
}
''',
    '''Kind = "ingress-gateway"
Name = "door"
TLS {
  Enabled = true
  TLSMinVersion = "TLSv1_2"
}
Listeners = [
  {
    Port = 8443
    Protocol = "http"
    Services = [
      {
        Name = "shop"
        Hosts = ["shop.example.org"]
        MaxConnections = 5
      },
      {
        Name = "blog"
        Hosts = ["blog.example.org"]
      }
    ]
  },
  {
    Port = 6000
    Protocol = "tcp"
    Services = [
      {
        Name = "queue"
      }
    ]
  }
]
''',
    '''kind = "terminating-gateway"
name = "exit"
services = [
  {
    name = "bank"
    ca_file = "/etc/ca.pem"
    cert_file = "/etc/c.pem"
    key_file = "/etc/k.pem"
    sni = "bank.example.org"
  },
  {
    name = "*"
  }
]
''',
    '''Kind = "service-intentions"
Name = "shop"
Sources = [
  {
    Name = "front"
    Action = "allow"
    Description = "from the front"
  },
  {
    Name = "partner"
    Permissions = [
      {
        Action = "allow"
        HTTP {
          PathExact = "/orders"
          Methods = ["GET", "POST"]
          Header = [
            {
              Name = "x-id"
              Prefix = "p-"
            }
          ]
        }
      },
      {
        Action = "deny"
        HTTP {
          PathPrefix = "/"
        }
      }
    ]
  },
  {
    Name = "*"
    Action = "deny"
  }
]
''',
    '''kind = "mesh"
transparent_proxy {
  mesh_destinations_only = true
}
allow_enabling_permissive_mutual_tls = false
tls {
  incoming {
    tls_min_version = "TLSv1_2"
  }
  outgoing {
    tls_max_version = "TLSv1_3"
  }
}
peering {
  peer_through_mesh_gateways = true
}
''',
    '''Kind = "exported-services"
Name = "default"
Services = [
  {
    Name = "shop"
    Consumers = [
      {
        Peer = "east"
      },
      {
        Peer = "west"
      }
    ]
  }
]
''',
    '''Kind = "api-gateway"
Name = "gate"
Listeners = [
  {
    Name = "web"
    Port = 8080
    Protocol = "http"
    Hostname = "*.example.org"
  },
  {
    Name = "raw"
    Port = 9000
    Protocol = "tcp"
  }
]
''',
    '''Kind = "http-route"
Name = "shop"
Hostnames = ["shop.example.org"]
Rules = [
  {
    Matches = [
      {
        Method = "GET"
        Path {
          Match = "prefix"
          Value = "/shop"
        }
        Headers = [
          {
            Match = "exact"
            Name = "x-a"
            Value = "1"
          }
        ]
      }
    ]
    Filters {
      URLRewrite {
        Path = "/"
      }
    }
    Services = [
      {
        Name = "shop"
        Weight = 3
      }
    ]
  }
]
Parents = [
  {
    Kind = "api-gateway"
    Name = "gate"
    SectionName = "web"
  }
]
''',
    '''Kind = "tcp-route"
Name = "queue"
Services = [
  {
    Name = "queue"
  }
]
Parents = [
  {
    Kind = "api-gateway"
    Name = "gate"
  }
]
''',
    '''Kind = "jwt-provider"
Name = "login"
Issuer = "https://login.example.org"
Audiences = ["shop"]
ClockSkewSeconds = 15
JSONWebKeySet {
  Remote {
    URI = "https://login.example.org/keys"
    CacheDuration = "10m"
    RetryPolicy {
      NumRetries = 4
    }
  }
}
Locations = [
  {
    Header {
      Name = "Authorization"
      ValuePrefix = "Bearer "
    }
  },
  {
    QueryParam {
      Name = "token"
    }
  }
]
''',
]

# Entries in JSON.
DOCUMENTS = [
    '{"Kind": "service-intentions", "Name": "shop", "Meta": null, "Sources": [{"Name": "front", "Action": "allow"}, {"Name": "b", "Permissions": [{"Action": "deny", "HTTP": {"PathPrefix": "/x"}}]}]}',
    '{"kind": "service-resolver", "name": "shop", "subsets": {"v1": {"filter": "Service.Meta.v == 1"}}, "failover": {"v1": {"targets": [{"peer": "east"}]}}, "connect_timeout": "3s"}',
    '{"Kind": "service-defaults", "Name": "shop", "UpstreamConfig": {"Defaults": {"ConnectTimeoutMs": 300, "Limits": {"MaxConnections": 3}}}, "Expose": {"Checks": true}}',
    '{"Kind": "service-splitter", "Name": "shop", "Splits": [{"Weight": 99.5, "ServiceSubset": "a"}, {"Weight": 0.5, "Service": "b"}]}',
]

VALUES = [
    "true", "false", '"x"', "5", "-1", "1.5", '""', '"5s"', "[]", '["a"]', '["a","b"]', "{}", '{ a = "b" }', '"http"',
    '"tcp"', '"true"', '"*"', "[{}]", "0", "70000", '"30"',
]
JSON_VALUES = [True, False, "x", 5, -1, 1.5, "", [], ["a"], {}, None, {"a": "b"}, [{}], "5s"]
ARGUMENT = r'^(\s*"?[A-Za-z_]+"?\s*=\s*)'


def misspelled(name):
    at = random.randrange(len(name) - 1)
    if random.random() < 0.5:
        return name[:at] + name[at + 1] + name[at] + name[at + 2:]
    return name[:at] + name[at + 1:]


def snake(name):
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def changed(text):
    """The text with one change, or None if it does not apply."""
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if line.strip()]
    if not places:
        return None
    at = random.choice(places)
    line = lines[at]
    change = random.randrange(8)
    if change == 0:
        found = re.match(r'^(\s*)("?)([A-Za-z_]{3,})', line)
        if not found:
            return None
        lines[at] = found.group(1) + found.group(2) + misspelled(found.group(3)) + line[found.end():]
    elif change == 1:
        found = re.match(ARGUMENT + r'("[^"]*"|[\w.\-]+)\s*(,?)\s*$', line)
        if not found:
            return None
        lines[at] = found.group(1) + random.choice(VALUES) + found.group(3)
    elif change == 2:
        del lines[at]
    elif change == 3:
        lines.insert(at, line)
    elif change == 4:
        found = re.match(ARGUMENT + r'"?([\w.\-]+)"?\s*(,?)\s*$', line)
        if not found:
            return None
        value = found.group(2)
        has_quotes = '"' in line[len(found.group(1)):]
        lines[at] = found.group(1) + (value if has_quotes else f'"{value}"') + found.group(3)
    elif change == 5:
        found = re.match(ARGUMENT + r'"([^"]{2,})"(.*)$', line)
        if not found:
            return None
        value = found.group(2)
        cut = random.randrange(len(value))
        lines[at] = f'{found.group(1)}"{value[:cut]}{value[cut + 1:]}"{found.group(3)}'
    elif change == 6:
        found = re.match(r"^(\s*)([A-Za-z_]{3,})", line)
        if not found:
            return None
        name = found.group(2)
        name = random.choice([name.lower(), name.upper(), snake(name), name.replace("_", "")])
        lines[at] = found.group(1) + name + line[found.end():]
    else:
        found = re.match(r'^(\s*"?[A-Za-z_]+"?)\s*(=?)\s*\{\s*$', line)
        if not found:
            return None
        lines[at] = found.group(1) + random.choice([" {", " = {", ' "x" {'])
    return "\n".join(lines)


def places_of(value):
    """The places in a document: what contains them, and the key."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in list(keys):
        yield value, key
        yield from places_of(value[key])


def changed_document(text):
    document = json.loads(text)
    owner, key = random.choice(list(places_of(document)))
    change = random.randrange(3)
    if change == 0:
        owner[key] = random.choice(JSON_VALUES)
    elif change == 1 and isinstance(owner, dict):
        owner[key[:1] + key[2:]] = owner.pop(key)
    else:
        del owner[key]
    return json.dumps(document)


def main():
    random.seed(int(sys.argv[1]))
    count = int(sys.argv[2])
    seen = set()
    cases = ENTRIES + DOCUMENTS
    while len(seen) < count:
        for text in cases:
            if text not in seen:
                seen.add(text)
                print(json.dumps({"kind": KIND, "text": text}))
        if random.random() < 0.1:
            cases = [changed_document(random.choice(DOCUMENTS))]
            continue
        text = changed(random.choice(ENTRIES))
        if text and random.random() < 0.25:
            text = changed(text) or text
        cases = [text] if text else []


main()
