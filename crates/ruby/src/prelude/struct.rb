class Struct
  include Enumerable

  def self.new(*names, keyword_init: nil, &block)
    unless equal?(Struct)
      object = allocate
      object.__send__(:initialize, *names, **(keyword_init.nil? ? {} : { keyword_init: keyword_init }), &block)
      return object
    end
    constant = names.first.is_a?(String) ? names.shift : nil
    names = names.map(&:to_sym)
    made = Class.new(Struct)
    made.instance_variable_set(:@members, names)
    made.instance_variable_set(:@keyword_init, keyword_init)
    made.singleton_class.define_method(:new) do |*values, **keywords, &inner|
      object = allocate
      object.__send__(:initialize, *values, **keywords, &inner)
      object
    end
    made.singleton_class.define_method(:[]) { |*values, **keywords| new(*values, **keywords) }
    made.singleton_class.define_method(:members) { instance_variable_get(:@members) || superclass.members }
    made.singleton_class.define_method(:keyword_init?) { instance_variable_get(:@keyword_init) }
    names.each do |name|
      variable = :"@#{name}"
      made.define_method(name) { instance_variable_get(variable) }
      made.define_method(:"#{name}=") do |value|
        raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
        instance_variable_set(variable, value)
      end
    end
    made.class_eval(&block) if block
    Struct.const_set(constant, made) if constant
    made
  end

  def initialize(*values, **keywords)
    names = members
    by_keyword = self.class.ancestors.find { |one| one.respond_to?(:keyword_init?) }.keyword_init?
    if by_keyword
      raise ArgumentError, "wrong number of arguments (given #{values.size}, expected 0)" unless values.empty?
      unknown = keywords.keys - names
      raise ArgumentError, "unknown keywords: #{unknown.join(', ')}" unless unknown.empty?
      names.each { |name| instance_variable_set(:"@#{name}", keywords[name]) }
    else
      values << keywords unless keywords.empty?
      raise ArgumentError, 'struct size differs' if values.size > names.size
      names.each_with_index { |name, at| instance_variable_set(:"@#{name}", values[at]) }
    end
  end

  def members
    self.class.members
  end

  def to_a
    members.map { |name| instance_variable_get(:"@#{name}") }
  end

  def deconstruct
    to_a
  end

  def values
    to_a
  end

  def deconstruct_keys(keys)
    keys ? to_h.slice(*keys) : to_h
  end

  def to_h(&block)
    pairs = members.map { |name| [name, instance_variable_get(:"@#{name}")] }
    block ? pairs.to_h { |name, value| block.call(name, value) } : pairs.to_h
  end

  def each(&block)
    return to_enum(:each) unless block
    to_a.each(&block)
    self
  end

  def each_pair(&block)
    to_h.each_pair(&block)
    self
  end

  def [](name)
    if name.is_a?(Integer)
      place = name < 0 ? name + size : name
      raise IndexError, "offset #{name} too large for struct(size:#{size})" if place >= size
      raise IndexError, "offset #{name} too small for struct(size:#{size})" if place < 0
      return to_a[place]
    end
    raise NameError, "no member '#{name}' in struct" unless members.include?(name.to_sym)
    instance_variable_get(:"@#{name}")
  end

  def []=(name, value)
    name = members[name] if name.is_a?(Integer)
    raise NameError, "no member '#{name}' in struct" unless members.include?(name.to_sym)
    __send__(:"#{name}=", value)
  end

  def dig(key, *rest)
    value = self[key]
    rest.empty? || value.nil? ? value : value.dig(*rest)
  end

  def values_at(*places)
    to_a.values_at(*places)
  end

  def size
    members.size
  end

  def length
    size
  end

  def ==(other)
    other.class == self.class && to_a == other.to_a
  end

  def eql?(other)
    other.class == self.class && to_a.eql?(other.to_a)
  end

  def hash
    to_a.hash
  end

  def inspect
    name = self.class.name
    "#<struct #{name ? "#{name} " : ''}#{members.map { |one| "#{one}=#{instance_variable_get(:"@#{one}").inspect}" }.join(', ')}>"
  end

  def to_s
    inspect
  end
end
