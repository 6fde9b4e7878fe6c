{
  "variable": {
    "image": {
      "type": "string",
      "default": "shop:1"
    },
    "count": {
      "default": 2
    }
  },
  "locals": {
    "tag": "${upper(var.image)}"
  },
  "job": {
    "shop": {
      "datacenters": [
        "fra1"
      ],
      "meta": {
        "a": "b",
        "n": 1
      },
      "constraint": [
        {
          "attribute": "${attr.kernel.name}",
          "value": "linux"
        },
        {
          "distinct_hosts": true
        }
      ],
      "group": {
        "front": {
          "count": "${var.count + 1}",
          "network": {
            "port": {
              "http": {
                "to": 80
              },
              "admin": [
                {
                  "static": 81
                }
              ]
            }
          },
          "task": [
            {
              "server": {
                "driver": "docker",
                "config": {
                  "image": "${var.image}",
                  "args": [
                    "${NOMAD_PORT_http}",
                    1,
                    null
                  ],
                  "nested": {
                    "a": {
                      "b": true
                    }
                  }
                },
                "env": {
                  "TAG": "${local.tag}",
                  "N": 5
                },
                "resources": {
                  "cpu": 100
                }
              }
            },
            {
              "other": {
                "driver": "exec",
                "kill_timeout": "5s"
              }
            }
          ],
          "dynamic": {
            "service": {
              "for_each": [
                "a",
                "b"
              ],
              "content": {
                "name": "${service.value}"
              }
            }
          }
        },
        "back": [
          {
            "count": 1
          }
        ]
      }
    }
  }
}
