module JSON
  class JSONError < StandardError; end
  class ParserError < JSONError; end
  class NestingError < ParserError; end
  class GeneratorError < JSONError; end

  def self.generate(value, options = nil)
    HieraticNative.json(value, false)
  end

  def self.dump(value, *)
    HieraticNative.json(value, false)
  end

  def self.pretty_generate(value, options = nil)
    HieraticNative.json(value, true)
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
