require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'm_api',
  docs: 'A type of the Resource API.',
  features: [],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'x', default: 'present' },
    name: { type: 'String', desc: 'x', behaviour: :namevar },
    size: { type: 'Optional[Integer[1, 100]]', desc: 'x' },
    tags: { type: 'Optional[Array[String]]', desc: 'x' },
    token: { type: 'Optional[Variant[Sensitive[String], String]]', desc: 'x', behaviour: :parameter },
    color: { type: 'Optional[Enum[red, green]]', desc: 'x' },
    id: { type: 'Optional[Integer]', desc: 'x', behaviour: :read_only },
  },
)
