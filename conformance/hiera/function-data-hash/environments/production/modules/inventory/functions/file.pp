function inventory::file(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Hash[String, Data] {
  $context.cached_file_data($options['path']) |$content| {
    $pairs = $content.split("\n").map |$line| { $line.split('=') }
    Hash($pairs)
  }
}
