Puppet::Functions.create_function(:'m::rb') do
  dispatch :one do
    param 'Integer', :x
  end
  def one(x)
    x
  end
end
