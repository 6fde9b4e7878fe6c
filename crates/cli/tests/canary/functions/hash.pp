# All data at once: some that is Sensitive by itself, some that Hiera makes of what it looks up. A function of this kind is
# asked for `lookup_options` as well, so that it cannot look anything up itself.
function site::hash(Hash $options, Puppet::LookupContext $context) {
  {
    'f_hash'      => { 'shut' => Sensitive('fs-canarybird'), 'open' => 1 },
    'f_hash_list' => ['open', Sensitive('fl-canarybird')],
    'f_hash_made' => 'x-%{lookup("line")}',
    'f_merged'    => { 'l' => ['f-%{lookup("hash.password")}'], 'shut' => Sensitive('fm-canarybird') },
  }
}
