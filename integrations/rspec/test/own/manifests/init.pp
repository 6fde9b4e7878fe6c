# The class that most examples test.
class own (
  String $package,
  Own::Port $port = 80,
  Optional[Sensitive[String]] $password = undef,
  Hash[String, Hash] $sites = {},
) {
  if $port == 1 { fail("port ${port} is not ours") }
  if $port == 2 { fail(own::ruby_double('x')) }
  notice("port ${port}")
  package { $package: ensure => installed }
  -> file { '/etc/own.conf':
    ensure  => file,
    content => template('own/own.conf.erb'),
  }
  ~> service { 'own':
    ensure  => running,
    require => Package[$package],
  }
  file { '/etc/own.secret': content => $password }
  $sites.each |$name, $options| { own::site { $name: * => $options } }
  contain own::more
  @@file { "/exported/${facts['networking']['fqdn']}": tag => 'own' }
  file { '/etc/own.deferred': content => Deferred('sprintf', ['%s-%s', 'a', 'b']) }
  own_thing { 'one': size => 3, require => Class['own::more'] }
}
