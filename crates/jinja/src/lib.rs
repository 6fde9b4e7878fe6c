//! Jinja2 as Ansible extends it.
