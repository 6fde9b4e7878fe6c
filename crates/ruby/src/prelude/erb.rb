class ERB
  module Util
    def self.html_escape(text)
      CGI.escapeHTML(text.to_s)
    end

    def self.h(text)
      html_escape(text)
    end

    def self.url_encode(text)
      URI.encode_uri_component(text)
    end

    def html_escape(text)
      Util.html_escape(text)
    end

    def h(text)
      Util.html_escape(text)
    end
  end

  attr_accessor :filename

  def initialize(source, trim_mode: nil, eoutvar: '_erbout')
    @source = source
    @trim_mode = trim_mode
  end

  def result(binding = nil)
    return HieraticNative.render(@source, @trim_mode, {}) if binding.nil?
    raise TypeError, "wrong argument type #{binding.class} (expected binding)" unless binding.is_a?(Binding)

    locals = binding.hieratic_locals
    # The code around the template would see the change.
    changed = locals.keys.find { |name| @source.match?(/\b#{name}\s*(?:[-+*\/|&]|\|\||&&|<<|\*\*)?=(?![=~>])/) }
    HieraticNative.refuse("a template that changes the variable '#{changed}' of its binding") if changed
    HieraticNative.render(@source, @trim_mode, locals, binding.receiver)
  end

  def result_with_hash(hash)
    HieraticNative.render(@source, @trim_mode, hash)
  end
end
