# frozen_string_literal: true

# Asks puppet-lint and the plugins of Vox Pupuli about manifests, and writes a line of JSON for each.
#
# Usage: record.rb FOLDER_OF_SOURCES [--no-plugins] [OPTION...] < NAMES_OF_FILES
require_relative 'reference'

root = ARGV.shift
load_reference(root, with_plugins: ARGV.delete('--no-plugins').nil?)
PuppetLint::OptParser.build(['--no-config'] + ARGV)
ARGV.clear
$stdin.each_line(chomp: true) do |file|
  code = File.open(file, 'rb:UTF-8', &:read)
  puts JSON.generate({ file: file }.merge(judge(file, code)))
rescue JSON::GeneratorError, ArgumentError, Encoding::CompatibilityError => e
  puts JSON.generate({ file: file, error: e.message.scrub })
end
