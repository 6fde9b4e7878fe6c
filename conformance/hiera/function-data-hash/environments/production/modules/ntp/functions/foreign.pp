function ntp::foreign($options, $context) {
  $r = { 'foreign' => 1, 'ntp::late' => 'late', 'ntp::servers' => ['b', 'c'] }
  $r
}
