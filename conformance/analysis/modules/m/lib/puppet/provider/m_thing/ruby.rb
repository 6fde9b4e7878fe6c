Puppet::Type.type(:m_thing).provide(:ruby) do
  def exists?
    true
  end
  def size
    :small
  end
end
