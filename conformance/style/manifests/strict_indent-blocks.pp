class m (
    String $a,
  Array $b = [
      1, 2,
  ],
) {
  $c = {
    'a' => 1,
      'b' => [1,
  2],
  }
    if $a {
  notice('x')
    } else {
      notice('y') }

  file { '/a':
    ensure => file;
  '/b':
      ensure => file,
    ;
  }
  $d =
    'text'
    # a comment
  case $a {
    'x': { notice(1)
    }
  default: {
    }
  }
  each([1]) |$x| {
  notice($x)
  }
}
