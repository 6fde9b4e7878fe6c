function f::keyreturns($key, $options, $context) >> Callable { 5 }
