function environment::hash(Hash $options, Puppet::LookupContext $context) {
  { 'hashed' => "%{lookup('k')}", 'made' => $context.interpolate('%{kernel}|%{osfamily}') }
}
