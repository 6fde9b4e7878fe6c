# Doubles a string.
Puppet::Functions.create_function(:'own::ruby_double') do
  dispatch(:double) { param 'String', :text }

  def double(text)
    text * 2
  end
end
