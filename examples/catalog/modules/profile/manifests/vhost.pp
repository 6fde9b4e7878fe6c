# A virtual host.
define profile::vhost (
  String $docroot,
  String $ensure = 'file',
) {
  file { "/etc/nginx/sites/${title}.conf":
    ensure  => $ensure,
    content => "root ${docroot};\n",
    notify  => Service['nginx'],
  }
}
