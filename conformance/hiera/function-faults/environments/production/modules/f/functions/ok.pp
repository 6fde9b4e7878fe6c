function f::ok($options, $context) { $r = { 'k' => 'v' }
  $r }
