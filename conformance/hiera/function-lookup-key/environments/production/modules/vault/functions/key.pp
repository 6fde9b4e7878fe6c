# Answers key by key.
function vault::key(Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context) {
  case $key {
    'lookup_options': { $context.not_found }
    'text': { "${options['prefix']} of ${key}" }
    'raw': { 'not %{facts.role} interpolated' }
    'interpolated': { $context.interpolate('is %{facts.role} %{lookup("other")}') }
    'merged': { ['vault'] }
    'hashed': { $h = { 'v' => 2 }
      $h }
    'tree': { $t = { 'a' => { 'b' => [10, 20] } }
      $t }
    'nothing': { undef }
    'nested': { lookup('other') }
    'nested_default': { lookup('gone', String, 'first', 'fallback') }
    'nested_missing': { lookup('gone') }
    'recursive': { lookup('recursive') }
    'facts': { $facts }
    'certname': { $trusted['certname'] }
    'environment': { "${environment} ${context.environment_name}" }
    'module': { "${context.module_name}|" }
    'next': { [1, 2, 3].each |$x| { if $x == 2 { $context.not_found } } }
    'helper': { vault::helper($options['prefix']) }
    /^re::(.*)$/: { "matched ${1}" }
    default: { $context.not_found() }
  }
}
