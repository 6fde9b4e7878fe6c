function environment::asks(String $key, Hash $options, Puppet::LookupContext $context) {
  case $key {
    'asked': { lookup('a') }
    'asked_own': { lookup('a', {override => {'k' => 'own'}}) }
    'asked_default': { lookup('a', {default_values_hash => {'dv' => 'own'}}) }
    'interpolated': { $context.interpolate('%{lookup("a")} %{k} %{lookup("dv")}') }
    'both': { "${lookup('a')} ${$context.interpolate('%{lookup("k")}')}" }
    'asks_itself': { lookup('asks_itself') }
    default: { $context.not_found }
  }
}
