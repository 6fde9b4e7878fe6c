# frozen_string_literal: true

require_relative '../../../puppet_x/hieratic/service'

# Asks the service of Hieratic for a key: a level of Hiera with `lookup_key: hieratic::lookup_key`.
Puppet::Functions.create_function(:'hieratic::lookup_key', Puppet::Functions::InternalFunction) do
  dispatch :lookup_key do
    scope_param
    param 'String[1]', :key
    param 'Hash[String[1], Any]', :options
    param 'Puppet::LookupContext', :context
  end

  # The value of a key, or that there is none.
  def lookup_key(scope, key, options, context)
    # The service has merged what its levels have: its options are not those of this hierarchy.
    context.not_found if key == 'lookup_options'
    return context.cached_value(key) if context.cache_has_key(key)

    answers = PuppetX::Hieratic::Service.new(options, scope).lookup([key])
    context.not_found unless answers.key?(key)
    context.cache(key, answers[key])
  end
end
