function f::key($key, $options, $context) { if $key == 'k' { 5 } else { $context.not_found } }
