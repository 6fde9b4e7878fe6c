function f::syntax($options, $context) { $a = [1, }
