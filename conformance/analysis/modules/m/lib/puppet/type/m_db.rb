Puppet::Type.newtype(:m_db) do
  ensurable
  newparam(:name, namevar: true) do
    newvalues(/\A[a-z_]+\z/)
  end
  newproperty(:owner)
end
