class m::params {
  $user = 'www'
}
