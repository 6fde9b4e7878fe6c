function ntp::deep::defaults($options, $context) {
  $r = { 'ntp::fallback' => 'default' }
  $r
}
