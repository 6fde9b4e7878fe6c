Puppet::Type.newtype(:own_thing) do
  @doc = 'A type of the module.'
  newparam(:name, namevar: true)
  newparam(:size)
  autorequire(:file) { ['/etc/own.d'] }
end
