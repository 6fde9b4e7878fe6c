function environment::key($key, $options, $context) {
  if $key == 'by_environment' { "options ${options}" } else { $context.not_found }
}
