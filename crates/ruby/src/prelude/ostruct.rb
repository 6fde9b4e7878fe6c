class OpenStruct
  def initialize(hash = nil)
    @table = {}
    hash&.each { |key, value| @table[key.to_sym] = value }
  end

  def [](name)
    @table[name.to_sym]
  end

  def []=(name, value)
    raise FrozenError, "can't modify frozen OpenStruct" if frozen?
    @table[name.to_sym] = value
  end

  def to_h(&block)
    block ? @table.to_h(&block) : @table.dup
  end

  def each_pair(&block)
    return to_enum(:each_pair) unless block
    @table.each_pair(&block)
    self
  end

  def dig(name, *rest)
    value = self[name]
    rest.empty? || value.nil? ? value : value.dig(*rest)
  end

  def delete_field(name)
    @table.delete(name.to_sym) { raise NameError, "no field `#{name}' in #{inspect}" }
  end

  def respond_to_missing?(name, private = false)
    @table.key?(name.to_s.chomp('=').to_sym) || super
  end

  def method_missing(name, *args)
    text = name.to_s
    if text.end_with?('=')
      self[text.chomp('=')] = args[0]
    elsif @table.key?(name)
      @table[name]
    elsif args.empty?
      nil
    else
      raise NoMethodError, "undefined method `#{name}' for #{inspect}"
    end
  end

  def ==(other)
    other.is_a?(OpenStruct) && to_h == other.to_h
  end

  def inspect
    fields = @table.map { |key, value| "#{key}=#{value.inspect}" }
    fields.empty? ? '#<OpenStruct>' : "#<OpenStruct #{fields.join(', ')}>"
  end

  def to_s
    inspect
  end
end
