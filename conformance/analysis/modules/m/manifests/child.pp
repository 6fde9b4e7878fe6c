class m::child inherits m::params {
  notice($user)
}
