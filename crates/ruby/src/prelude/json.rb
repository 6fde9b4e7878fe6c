module JSON
  class JSONError < StandardError; end
  class ParserError < JSONError; end
  class NestingError < ParserError; end
  class GeneratorError < JSONError; end

  def self.generate(value, options = nil)
    HieraticNative.json(value, hieratic_layout(options || {}))
  end

  def self.hieratic_layout(options)
    return nil unless options.respond_to?(:to_h)
    options = options.to_h
    %i[indent space space_before object_nl array_nl].map { |name| options[name].to_s }
  end

  def self.dump(value, *)
    HieraticNative.json(value, false)
  end

  def self.pretty_generate(value, options = nil)
    pretty = { indent: '  ', space: ' ', object_nl: "\n", array_nl: "\n" }
    pretty = pretty.merge(options.to_h.compact) if options.respond_to?(:to_h)
    HieraticNative.json(value, hieratic_layout(pretty))
  end

  def self.parse(text, options = {})
    HieraticNative.parse_json(text, options[:symbolize_names])
  end

  def self.parse!(text, options = {})
    parse(text, options)
  end

  def self.load(text, *)
    text.nil? ? nil : parse(text)
  end
end

PSON = JSON
