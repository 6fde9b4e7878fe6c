//! YAML merge directives: expanded, and restored on save.
