define m::vhost (Integer[1, 65535] $port, Optional[String] $docroot = undef, Boolean $ssl = false, Enum['on', 'off'] $state = 'on') {
}
