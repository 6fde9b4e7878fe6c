# A defined type.
define own::site (Own::Port $port = 80, Optional[String] $owner = undef) {
  include own::more
  file { "/etc/own.d/${title}":
    content => epp('own/site.epp', { port => $port }),
    owner   => $owner,
    require => File['/etc/own.d'],
  }
}
