module URI
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  class Generic
    attr_accessor :scheme, :userinfo, :host, :port, :path, :query, :fragment, :opaque

    def initialize(scheme, userinfo, host, port, path, query, fragment, opaque)
      @scheme = scheme
      @userinfo = userinfo
      @host = host
      @port = port || default_port
      @path = path
      @query = query
      @fragment = fragment
      @opaque = opaque
    end

    COMPONENTS = %i[scheme userinfo host port path query fragment opaque]

    # The parts of a URI, as a list or by their names.
    def self.build(parts)
      parts = COMPONENTS.map { |name| parts[name] } if parts.is_a?(Hash)
      made = new(*parts.first(COMPONENTS.length), *[nil] * [COMPONENTS.length - parts.length, 0].max)
      path = made.path
      if made.host && path && !path.empty? && !path.start_with?('/')
        raise InvalidComponentError, "bad component(expected absolute path component): #{path}"
      end
      made
    end

    def default_port
      { 'http' => 80, 'https' => 443, 'ftp' => 21, 'ldap' => 389, 'ldaps' => 636 }[@scheme.to_s.downcase]
    end

    def user
      @userinfo && @userinfo.split(':', 2)[0]
    end

    def password
      @userinfo && @userinfo.split(':', 2)[1]
    end

    def hostname
      @host && @host.start_with?('[') ? @host[1..-2] : @host
    end

    def request_uri
      "#{@path.to_s.empty? ? '/' : @path}#{@query ? "?#{@query}" : ''}"
    end

    def absolute?
      !@scheme.nil?
    end

    def relative?
      @scheme.nil?
    end

    def to_s
      out = +''
      out << "#{@scheme}:" if @scheme
      if @opaque
        out << @opaque
      else
        if @host
          out << '//'
          out << "#{@userinfo}@" if @userinfo
          out << @host
          out << ":#{@port}" if @port && @port != default_port
        elsif @scheme == 'file'
          out << '//'
        end
        out << @path.to_s
        out << "?#{@query}" if @query
      end
      out << "##{@fragment}" if @fragment
      out
    end

    def ==(other)
      other.class == self.class && to_s == other.to_s
    end

    def inspect
      "#<#{self.class} #{self}>"
    end
  end

  class HTTP < Generic; end
  class HTTPS < HTTP; end
  class FTP < Generic; end
  class LDAP < Generic; end
  class MailTo < Generic; end

  def self.parse(text)
    text = text.to_s
    if text =~ /[\s<>"\\^`{|}]/ || !text.ascii_only?
      raise InvalidURIError, text.ascii_only? ? "bad URI(is not URI?): #{text.inspect}" : "URI must be ascii only #{text.inspect}"
    end
    match = text.match(/\A(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^\/?#@]*)@)?(\[[^\]]*\]|[^:\/?#]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\z/m)
    raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" unless match
    scheme, userinfo, host, port, path, query, fragment = match.captures
    opaque = nil
    if scheme && host.nil? && !path.start_with?('/') && !path.empty?
      opaque = path + (query ? "?#{query}" : '')
      path = nil
      query = nil
    end
    kind = { 'http' => HTTP, 'https' => HTTPS, 'ftp' => FTP, 'ldap' => LDAP, 'mailto' => MailTo }[scheme.to_s.downcase] || Generic
    kind.new(scheme, userinfo, host, port.nil? || port.empty? ? nil : port.to_i, path, query, fragment, opaque)
  end

  def self.split(text)
    one = parse(text)
    [one.scheme, one.userinfo, one.host, one.port && one.port.to_s, nil, one.path, one.opaque, one.query, one.fragment]
  end

  def self.join(base, *others)
    others.inject(base.to_s) do |memo, other|
      next other if other =~ /\A[a-z][a-z0-9+.-]*:/i
      one = parse(memo)
      one.query = one.fragment = nil
      one.path = other.start_with?('/') ? other : one.path.to_s.sub(%r{[^/]*\z}, '') + other
      one.path = "/#{one.path}" if one.host && !one.path.start_with?('/')
      one.to_s
    end.then { |text| parse(text) }
  end

  def self.encode_www_form_component(text)
    text.to_s.bytes.map do |byte|
      one = byte.chr
      if one =~ /[A-Za-z0-9*\-._]/n
        one
      elsif byte == 32
        '+'
      else
        format('%%%02X', byte)
      end
    end.join
  end

  def self.decode_www_form_component(text)
    text.gsub('+', ' ').b.gsub(/%(\h\h)/) { [$1].pack('H2') }.force_encoding('UTF-8')
  end

  def self.encode_uri_component(text)
    encode_www_form_component(text).gsub('+', '%20')
  end

  def self.decode_uri_component(text)
    decode_www_form_component(text.gsub('+', '%2B'))
  end

  def self.encode_www_form(pairs)
    pairs.flat_map do |key, value|
      (value.is_a?(Array) ? value : [value]).map do |one|
        one.nil? ? encode_www_form_component(key) : "#{encode_www_form_component(key)}=#{encode_www_form_component(one)}"
      end
    end.join('&')
  end

  def self.decode_www_form(text)
    text.split('&').map do |pair|
      key, value = pair.split('=', 2)
      [decode_www_form_component(key), decode_www_form_component(value.to_s)]
    end
  end

  def self.escape(text)
    text.to_s.bytes.map { |byte| byte.chr =~ /[A-Za-z0-9\-_.!~*'();\/?:@&=+$,\[\]]/ ? byte.chr : format('%%%02X', byte) }.join
  end

  def self.encode(text)
    escape(text)
  end

  # What Ruby 2 called URI.escape.
  module DEFAULT_PARSER
    def self.escape(text, *unsafe)
      HieraticNative.refuse('URI::DEFAULT_PARSER.escape with a pattern') unless unsafe.empty?
      URI.escape(text)
    end

    def self.unescape(text, *)
      URI.unescape(text)
    end

    def self.parse(text)
      URI.parse(text)
    end

    extend HieraticPartial
  end

  def self.unescape(text)
    text.gsub(/%(\h\h)/) { [$1].pack('H2') }
  end

  def self.regexp(schemes = nil)
    schemes ? /(?:#{[*schemes].join('|')}):\S+/ : /[a-z][a-z0-9+.-]*:\S+/i
  end
end

module Kernel
  def URI(text)
    text.is_a?(URI::Generic) ? text : URI.parse(text)
  end
end

class CGI
  def self.escape(text)
    URI.encode_www_form_component(text).gsub('%7E', '~').gsub('*', '%2A')
  end

  def self.unescape(text)
    URI.decode_www_form_component(text)
  end

  def self.escapeHTML(text)
    text.to_s.gsub(/[&<>"']/, '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', "'" => '&#39;')
  end

  def self.escape_html(text)
    escapeHTML(text)
  end

  def self.unescapeHTML(text)
    text.gsub(/&(?:amp|lt|gt|quot|#39);/, '&amp;' => '&', '&lt;' => '<', '&gt;' => '>', '&quot;' => '"', '&#39;' => "'")
  end
end
