function f::loose($options, $context) >> Hash { $options }
