function kept::key($key, $options, $context) {
  case $key {
    'cache': { [$context.cache('a', 5), $context.cached_value('a'), $context.cache_has_key('a'), $context.cache_has_key('b')] }
    'missing': { [$context.cached_value('nope')] }
    'all': { $x = { 'b' => 1, 3 => 'three', true => 'yes' }
      $r = $context.cache_all($x)
      [$r, $context.cached_value(3), $context.cached_value(true), $context.cached_value('b')] }
    'pairs': { $context.cache_all({ 'x' => 1, 'y' => 2 })
      $context.explain || { 'pairs follow' }
      $context.cached_entries |$k, $v| { $context.explain || { "${k}=${v}" } }
      $context.cached_entries |$entry| { $context.explain || { "${entry}" } }
      'done' }
    'returned': { $context.cache('x', 1)
      $r = $context.cached_entries |$k, $v| { 5 }
      [$r] }
    'iterated': { $context.cache_all({ 'x' => 1, 'y' => 2 })
      $context.cached_entries.map |$entry| { "${entry[0]}:${entry[1]}" } }
    'explain': { [$context.explain || { 'a line' }] }
    'number': { $context.explain || { 5 }
      'n' }
    'interpolate': { $context.interpolate([ 'a %{facts.role}', { '%{facts.site}' => '%{facts.networking.ip}' }, 5 ]) }
    'bad_interpolation': { $context.interpolate('%{nofunc("x")}') }
    'literal': { $context.interpolate("%{literal('%')}{facts.role}") }
    'type': { $context =~ Puppet::LookupContext }
    'not_type': { 'a' =~ Puppet::LookupContext }
    'count_0': { $context.cache('a') }
    'count_2': { $context.cached_value('a', 'b') }
    'wrong_key': { $context.cache([], 1) }
    'wrong_hash': { $context.cache_all(['a']) }
    'wrong_path': { $context.cached_file_data(5) }
    'wrong_block': { $context.cached_entries |$a, $b, $c| { 1 } }
    'not_found_arg': { $context.not_found('x') }
    'unknown': { $context.nonesuch('x') }
    'no_method': { not_found($context) }
    default: { $context.not_found }
  }
}
