function f::regexp($options, $context) { $r = { 'k' => { 'a' => Resource }, 'd' => default, 'l' => $context }
  $r }
