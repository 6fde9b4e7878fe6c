function f::warns($options, $context) { warning('careful')
  $r = { 'k' => $nosuch }
  $r }
