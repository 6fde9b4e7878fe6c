Puppet::Type.newtype(:m_thing) do
  ensurable
  newparam(:name, namevar: true)
  newproperty(:size) do
    newvalues(:small, :large)
  end
end
