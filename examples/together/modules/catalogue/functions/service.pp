# Answers `service::NAME` from a file of services, which is read once.
#
# @param key The key that is looked up.
# @param options The level's options with the path of the file.
# @param context What a back end may ask.
function catalogue::service(
  Variant[String, Numeric] $key,
  Struct[{path => String[1]}] $options,
  Puppet::LookupContext $context,
) {
  if $key =~ /\Aservice::(\w+)\z/ {
    $name = $1
    $services = $context.cached_file_data($options['path']) |$text| { $text.parsejson }
    $context.explain || { "the catalogue has ${services.keys.join(', ')}" }
    if $name in $services { $context.interpolate($services[$name]) } else { $context.not_found }
  } else {
    $context.not_found
  }
}
