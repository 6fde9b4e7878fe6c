module Psych
  class Exception < ::RuntimeError; end
  class BadAlias < Exception; end
  class DisallowedClass < Exception; end
  class SyntaxError < Exception; end

  def self.dump(value, *)
    HieraticNative.yaml(value)
  end

  def self.load(text, **)
    HieraticNative.parse_yaml(text)
  end

  def self.safe_load(text, *, **)
    HieraticNative.parse_yaml(text)
  end

  def self.unsafe_load(text, **)
    HieraticNative.parse_yaml(text)
  end
end

YAML = Psych
