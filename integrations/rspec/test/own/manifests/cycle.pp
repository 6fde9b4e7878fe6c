# A class with a dependency cycle.
class own::cycle {
  notify { 'a': require => Notify['b'] }
  notify { 'b': require => Notify['a'] }
}
