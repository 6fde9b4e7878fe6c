module recorder

go 1.25

require github.com/hashicorp/hcl v1.0.1-nomad-1
