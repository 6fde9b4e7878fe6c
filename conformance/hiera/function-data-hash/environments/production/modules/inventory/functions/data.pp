# What the inventory knows of a region.
function inventory::data(Struct[{region => String[1], sizes => Array[Integer]}] $options, Puppet::LookupContext $context) {
  $context.explain || { "asked for ${options['region']}" }
  $data = {
    'region'       => $options['region'],
    'role_by_fact' => $facts['role'],
    'role_by_name' => $role,
    'role_by_top'  => $::role,
    'sum'          => $options['sizes'].reduce |$a, $b| { $a + $b },
    'text'         => '%{facts.role} in %{lookup("base")}',
    'aliased'      => '%{alias("list")}',
    'list'         => ['function', 'common'],
    'tree'         => { 'a' => { 'function' => 2 } },
    'nothing'      => undef,
    'number'       => 1.5,
    'dotted.key'   => 'with a dot',
    'sensitive'    => Sensitive('hush'),
    'version'      => SemVer('1.2.3'),
    'a::qualified' => true,
  }
  $data
}
