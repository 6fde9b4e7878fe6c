function ntp::data($options, $context) {
  $r = { 'ntp::servers' => ['a', 'b'], 'ntp::module' => $context.module_name, 'ntp::options' => $options, 'lookup_options' => { 'ntp::servers' => { 'merge' => 'unique' } } }
  $r
}
