function f::array($options, $context) { ['no hash'] }
