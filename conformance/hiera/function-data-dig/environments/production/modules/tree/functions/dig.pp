function tree::dig(Array[Variant[String, Numeric]] $segments, Hash $options, Puppet::LookupContext $context) {
  $context.explain || { "segments ${segments}" }
  case $segments[0] {
    'path': { $segments }
    'host': { if $segments.length > 1 { "dug ${segments[1]}" } else { $h = { 'name' => 'tree' }
      $h } }
    'list': { ['t'] }
    'count': { $segments.length }
    default: { $context.not_found }
  }
}
