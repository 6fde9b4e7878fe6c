module Psych
  class Exception < ::RuntimeError; end
  class BadAlias < Exception; end
  class DisallowedClass < Exception; end
  class SyntaxError < Exception; end

  def self.dump(value, *)
    HieraticNative.yaml(value)
  end

  VERSION = '4.0.4'

  def self.load(text, *, permitted_classes: [], **)
    HieraticNative.parse_yaml(text, permitted_classes.include?(Regexp))
  end

  def self.safe_load(text, *, permitted_classes: [], **)
    HieraticNative.parse_yaml(text, permitted_classes.include?(Regexp))
  end

  def self.unsafe_load(text, *, **)
    HieraticNative.parse_yaml(text, true)
  end

  def self.load_file(path, **options)
    load(File.read(path), **options)
  end

  def self.safe_load_file(path, **options)
    safe_load(File.read(path), **options)
  end
end

YAML = Psych
