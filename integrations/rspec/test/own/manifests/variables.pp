# A class that shows what the node has.
class own::variables {
  notify { 'trusted': message => "${trusted['certname']} ${trusted['extensions']['role']} ${trusted['external']['x']}" }
  notify { 'variables': message => "${parameter} ${clientcert} ${environment} ${facts['nested']['deep']}" }
  notify { 'data': message => lookup('own::global', { default_value => 'none' }) }
}
