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

  def self.const_missing(name)
    HieraticNative.refuse("OpenSSL::#{name}")
  end

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

    def initialize(name, text = nil)
      super()
      @name = name
      update(text) if text
    end

    def digest(text = @text)
      HieraticNative.digest(@name, text)
    end

    def hexdigest(text = @text)
      digest(text).unpack1('H*')
    end

    %w[MD5 SHA1 SHA224 SHA256 SHA384 SHA512].each do |name|
      made = Class.new(self) do
        define_method(:initialize) { |text = nil| super(name, text) }
        define_singleton_method(:digest) { |text| HieraticNative.digest(name, text) }
        define_singleton_method(:hexdigest) { |text| digest(text).unpack1('H*') }
        define_singleton_method(:base64digest) { |text| [digest(text)].pack('m0') }
      end
      const_set(name, made)
    end
  end

  # The name of a digest that is given by its name or as an object.
  def self.hieratic_name(algorithm)
    return algorithm if algorithm.is_a?(String)
    algorithm.respond_to?(:name) ? algorithm.name : algorithm.class.algorithm
  end

  class HMAC
    class << self
      def digest(algorithm, key, text)
        HieraticNative.hmac(OpenSSL.hieratic_name(algorithm), key, text)
      end

      def hexdigest(algorithm, key, text)
        digest(algorithm, key, text).unpack1('H*')
      end

      def base64digest(algorithm, key, text)
        [digest(algorithm, key, text)].pack('m0')
      end
    end

    def initialize(key, algorithm)
      @key = key
      @algorithm = algorithm
      @text = ''.b
    end

    def update(text)
      @text << text.b
      self
    end
    alias << update

    def reset
      @text = ''.b
      self
    end

    def digest
      self.class.digest(@algorithm, @key, @text)
    end

    def hexdigest
      digest.unpack1('H*')
    end
    alias to_s hexdigest
    alias inspect hexdigest

    def base64digest
      [digest].pack('m0')
    end
  end

  module KDF
    class KDFError < OpenSSLError; end

    def self.pbkdf2_hmac(password, salt:, iterations:, length:, hash:)
      HieraticNative.pbkdf2(OpenSSL.hieratic_name(hash), password, salt, iterations, length)
    end
  end

  module PKCS5
    class PKCS5Error < OpenSSLError; end

    def self.pbkdf2_hmac(password, salt, iterations, length, hash)
      HieraticNative.pbkdf2(OpenSSL.hieratic_name(hash), password, salt, iterations, length)
    end

    def self.pbkdf2_hmac_sha1(password, salt, iterations, length)
      pbkdf2_hmac(password, salt, iterations, length, 'SHA1')
    end
  end
end
