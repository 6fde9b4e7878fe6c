job "shop" {
  group "front" {
    task "server" {
      driver = "docker"

      artifact {
        source      = "git::https://example.org/repo.git?ref=main"
        destination = "local/repo"
        mode        = "dir"
        insecure    = true
        chown       = true

        options {
          checksum = "md5:0123456789abcdef"
          archive  = false
          depth    = 1
        }

        headers {
          User-Agent = "nomad [${NOMAD_JOB_ID}]"
          X-Trace    = "${NOMAD_ALLOC_ID}"
        }
      }

      artifact {
        source = "https://example.org/file.txt"
      }
    }
  }
}
