# frozen_string_literal: true

require_relative '../../../puppet_x/hieratic/service'

# Asks the service of Hieratic for all keys of a node at once: a level of Hiera with `data_hash: hieratic::data_hash`. The service has to know
# the facts of the node.
Puppet::Functions.create_function(:'hieratic::data_hash', Puppet::Functions::InternalFunction) do
  dispatch :data_hash do
    scope_param
    param 'Hash[String[1], Any]', :options
    param 'Puppet::LookupContext', :context
  end

  # The values of all keys.
  def data_hash(scope, options, _context)
    service = PuppetX::Hieratic::Service.new(options, scope)
    keys = service.keys
    keys.empty? ? {} : service.lookup(keys)
  end
end
