# A class inside of another.
class own::more {
  file { '/etc/own.d': ensure => directory }
  if defined('$role') { file { "/role/${facts.dig('role')}${role}": } }
}
