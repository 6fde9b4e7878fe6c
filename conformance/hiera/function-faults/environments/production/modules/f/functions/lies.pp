function f::lies($options, $context) >> Hash[String, String] { $r = { 'k' => 5 }
  $r }
