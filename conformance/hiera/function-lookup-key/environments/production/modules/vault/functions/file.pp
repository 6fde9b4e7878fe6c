function vault::file($key, $options, $context) {
  $words = $context.cached_file_data($options['path']).split(' ')
  if $key in $words { "${key} of ${words.join('+')}" } else { $context.not_found }
}
