class m (Integer $port = 80, Enum['a', 'b'] $mode = 'a') {
  $log = '/var/log/m'
}
