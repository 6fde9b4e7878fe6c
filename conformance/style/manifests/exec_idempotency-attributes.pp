class m {
  exec { 'a': command => '/bin/a' }
  exec { 'b':
    command => '/bin/b',
    unless  => '/bin/c',
  }
  exec { 'c': refreshonly => true }
  exec { 'd':
    command => '/bin/d',
    environment => { 'creates' => 'no' },
  }
  exec { 'e': command => 'x'; 'f': creates => '/f' }
  file { 'g': content => 'h' }
}
