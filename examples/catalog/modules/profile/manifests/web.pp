# A web server with its virtual hosts.
class profile::web (
  Integer $port,
  Hash[String, Hash] $vhosts = {},
) {
  File {
    owner => 'root',
  }
  package { 'nginx':
    ensure => installed,
  }
  -> file { '/etc/nginx/nginx.conf':
    content => "listen ${port};\n",
  }
  ~> service { 'nginx':
    ensure => running,
  }
  create_resources('profile::vhost', $vhosts)
}
