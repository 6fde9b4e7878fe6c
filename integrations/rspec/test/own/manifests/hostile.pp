# A class whose functions try to reach the system.
class own::hostile (String $how) {
  notify { 'a': message => own::hostile($how) }
}
