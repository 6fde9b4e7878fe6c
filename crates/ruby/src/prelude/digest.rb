module Digest
  class Base
    def self.algorithm
      name.split('::').last
    end

    def self.digest(text)
      HieraticNative.digest(algorithm, text)
    end

    def self.hexdigest(text)
      digest(text).unpack1('H*')
    end

    def self.base64digest(text)
      [digest(text)].pack('m0')
    end

    def initialize
      @text = ''.b
    end

    def update(text)
      @text << text
      self
    end

    def <<(text)
      update(text)
    end

    def digest
      self.class.digest(@text)
    end

    def hexdigest
      self.class.hexdigest(@text)
    end

    def base64digest
      self.class.base64digest(@text)
    end

    def to_s
      hexdigest
    end

    def reset
      @text = ''.b
      self
    end
  end

  class MD5 < Base; end
  class SHA1 < Base; end
  class SHA256 < Base; end
  class SHA384 < Base; end
  class SHA512 < Base; end

  class SHA2 < Base
    def initialize(bits = 256)
      super()
      @bits = bits
    end

    def digest
      HieraticNative.digest("SHA#{@bits}", @text)
    end

    def hexdigest
      digest.unpack1('H*')
    end
  end
end

module OpenSSL
  class OpenSSLError < StandardError; end

  class Digest < ::Digest::Base
    def self.digest(name, text)
      HieraticNative.digest(name, text)
    end

    def self.hexdigest(name, text)
      digest(name, text).unpack1('H*')
    end

    def self.base64digest(name, text)
      [digest(name, text)].pack('m0')
    end

    attr_reader :name

    def initialize(name)
      super()
      @name = name
    end

    def digest(text = @text)
      HieraticNative.digest(@name, text)
    end

    def hexdigest(text = @text)
      digest(text).unpack1('H*')
    end

    class MD5 < ::Digest::MD5; end
    class SHA1 < ::Digest::SHA1; end
    class SHA256 < ::Digest::SHA256; end
    class SHA384 < ::Digest::SHA384; end
    class SHA512 < ::Digest::SHA512; end
  end

  class HMAC
    def self.digest(algorithm, key, text)
      name = algorithm.respond_to?(:name) ? algorithm.name : algorithm.to_s
      name = algorithm.class.algorithm unless algorithm.is_a?(String) || algorithm.respond_to?(:name)
      size = name =~ /384|512/ ? 128 : 64
      key = HieraticNative.digest(name, key) if key.bytesize > size
      bytes = key.bytes + [0] * (size - key.bytesize)
      inner = HieraticNative.digest(name, bytes.map { |one| one ^ 0x36 }.pack('C*') + text.b)
      HieraticNative.digest(name, bytes.map { |one| one ^ 0x5c }.pack('C*') + inner)
    end

    def self.hexdigest(algorithm, key, text)
      digest(algorithm, key, text).unpack1('H*')
    end
  end
end
