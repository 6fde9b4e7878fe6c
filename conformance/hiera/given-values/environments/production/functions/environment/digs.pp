function environment::digs(Array[Variant[String, Numeric]] $segments, Hash $options, Puppet::LookupContext $context) {
  if $segments[0] == 'dug' { $context.interpolate("%{lookup('k')} ${segments}") } else { $context.not_found }
}
