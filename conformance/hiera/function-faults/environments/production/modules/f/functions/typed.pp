function f::typed(Struct[{region => String}] $options, Puppet::LookupContext $context) { $options }
