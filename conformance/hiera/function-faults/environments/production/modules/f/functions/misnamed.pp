function f::other($options, $context) { 1 }
