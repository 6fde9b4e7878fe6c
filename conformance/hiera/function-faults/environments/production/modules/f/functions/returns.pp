function f::returns($options, $context) >> String { 'x' }
