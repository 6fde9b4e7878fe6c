module Forwardable
  def def_delegator(accessor, method, name = method)
    accessor = accessor.to_sym
    define_method(name) do |*args, &block|
      target = accessor.to_s.start_with?('@') ? instance_variable_get(accessor) : __send__(accessor)
      target.__send__(method, *args, &block)
    end
    name
  end

  def def_instance_delegator(accessor, method, name = method)
    def_delegator(accessor, method, name)
  end

  def def_delegators(accessor, *methods)
    methods.each { |method| def_delegator(accessor, method) }
  end

  def def_instance_delegators(accessor, *methods)
    def_delegators(accessor, *methods)
  end

  def delegate(hash)
    hash.each { |methods, accessor| [*methods].each { |method| def_delegator(accessor, method) } }
  end

  def instance_delegate(hash)
    delegate(hash)
  end
end
