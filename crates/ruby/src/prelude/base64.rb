module Base64
  def self.encode64(text)
    [text].pack('m')
  end

  def self.decode64(text)
    text.unpack1('m')
  end

  def self.strict_encode64(text)
    [text].pack('m0')
  end

  def self.strict_decode64(text)
    text.unpack1('m0')
  end

  def self.urlsafe_encode64(text, padding: true)
    out = strict_encode64(text).tr('+/', '-_')
    padding ? out : out.delete('=')
  end

  def self.urlsafe_decode64(text)
    text = text.tr('-_', '+/')
    text += '=' * ((4 - text.size % 4) % 4) unless text.end_with?('=')
    strict_decode64(text)
  end
end
