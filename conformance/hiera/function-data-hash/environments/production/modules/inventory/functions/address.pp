function inventory::address($options, $context) {
  $r = { 'address' => $options['uri'], 'keys' => $options.keys }
  $r
}
