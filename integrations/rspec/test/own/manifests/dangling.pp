# A class with a relationship to nothing.
class own::dangling {
  notify { 'a': }
  realize(File['/nope'])
}
