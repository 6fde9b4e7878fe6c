function f::keytype(Integer $key, $options, $context) { 5 }
