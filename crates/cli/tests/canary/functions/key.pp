# Key by key: what code can make of secrets, and whom it can tell.
function site::key(Variant[String, Numeric] $key, Hash $options, Puppet::LookupContext $context) {
  case $key {
    'f_key': { Sensitive('ks-canarybird') }
    'f_key_text': { "k-${lookup('line')}" }
    'f_key_upper': { lookup('line').upcase }
    'f_key_parts': { lookup('hash')['password'].split('-') }
    'f_key_length': { { 'word' => lookup('hash')['password'][2, 10], 'length' => lookup('line').length } }
    'f_key_unwrapped': { lookup('open_yaml').unwrap }
    'f_key_hcl': { lookup('hcl_text').unwrap }
    'f_key_interpolated': { $context.interpolate("%{lookup('line')}!") }
    'f_key_kept': {
      unless $context.cache_has_key('kept') { $context.cache('kept', "kept-${lookup('line')}") }
      $context.cached_value('kept')
    }
    'f_key_kept_again': { $context.cached_value('kept') }
    'f_key_file': { $context.cached_file_data($options['path']) |$text| { "file-${lookup('line')}" } }
    'f_key_file_again': { $context.cached_file_data($options['path']) }
    'f_key_explained': {
      $context.explain || { "it is ${lookup('line')}" }
      "e-${lookup('line')}"
    }
    'f_key_warned': {
      warning("w-${lookup('line')}")
      notice("n-${lookup('line')}")
      "w-${lookup('line')}"
    }
    'f_key_number': { "n-${lookup('line')}" }
    'f_key_fails': { fail("no: ${lookup('line')}") }
    'f_key_mistaken': { lookup('line') + 1 }
    'f_key_untyped': { lookup('line', Integer) }
    'f_merged': { { 'l' => ["m-${lookup('line')}", '--p'], 'secret' => lookup('number') } }
    default: { $context.not_found }
  }
}
