function f::one($options) { $options }
