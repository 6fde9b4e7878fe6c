# @summary Installs hieratic, and runs its service.
#
# @example With a package file and a token
#   class { 'hieratic':
#     source => '/srv/packages/hieratic_0.1.0_amd64.deb',
#     token  => Sensitive('0123456789abcdef'),
#   }
#
# @param ensure Whether it is installed.
# @param source A package file on the machine; otherwise the package `hieratic` of a repository.
# @param service_ensure Whether the service runs.
# @param listen The address and the port of the service.
# @param environments The folder of the environments that it serves.
# @param token What clients send. Without it, `/etc/hieratic/token` is managed elsewhere.
# @param groups Groups whose files the service may read.
class hieratic (
  Enum['present', 'latest', 'absent'] $ensure = 'present',
  Optional[String[1]] $source = undef,
  Enum['running', 'stopped'] $service_ensure = 'running',
  String[1] $listen = '127.0.0.1:8088',
  String[1] $environments = '/etc/puppetlabs/code/environments',
  Optional[Sensitive[String[1]]] $token = undef,
  Array[String[1]] $groups = [],
) {
  $provider = $source ? {
    undef   => undef,
    default => $facts['os']['family'] ? {
      'Debian' => 'dpkg',
      default  => 'rpm',
    },
  }

  package { 'hieratic':
    ensure   => $ensure,
    source   => $source,
    provider => $provider,
  }

  if $ensure != 'absent' {
    file { '/etc/hieratic':
      ensure => directory,
      owner  => 'root',
      group  => 'root',
      mode   => '0755',
    }

    if $token =~ NotUndef {
      file { '/etc/hieratic/token':
        ensure  => file,
        owner   => 'root',
        group   => 'root',
        mode    => '0600',
        content => Sensitive("${token.unwrap}\n"),
        notify  => Service['hieratic'],
      }
    }

    file { '/etc/systemd/system/hieratic.service.d':
      ensure => directory,
      owner  => 'root',
      group  => 'root',
      mode   => '0755',
    }

    file { '/etc/systemd/system/hieratic.service.d/settings.conf':
      ensure  => file,
      owner   => 'root',
      group   => 'root',
      mode    => '0644',
      content => epp('hieratic/settings.conf.epp', {
        'listen'       => $listen,
        'environments' => $environments,
        'groups'       => $groups,
      }),
      notify  => Service['hieratic'],
    }

    service { 'hieratic':
      ensure  => $service_ensure,
      enable  => $service_ensure == 'running',
      require => Package['hieratic'],
    }
  }
}
