# A part of a value at a time.
function site::dig(Array[Variant[String, Numeric]] $segments, Hash $options, Puppet::LookupContext $context) {
  if $segments[0] == 'f_dig' {
    $all = { 'user' => 'admin', 'password' => "d-${lookup('line')}", 'shut' => Sensitive('ds-canarybird') }
    if $segments.length == 1 { $all } else { $all[$segments[1]] }
  } else {
    $context.not_found
  }
}
