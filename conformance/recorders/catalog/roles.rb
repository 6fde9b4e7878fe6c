#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles the catalog of every role of a repository that lay_out.rb has laid out, as a server without PuppetDB does.
#
#     roles.rb TARGET OUT [PATTERN]
#
# OUT/NODE.json has `catalog` (as `puppet catalog compile` prints it, without its number and time), `rich` (with rich data), `error`,
# `logs`, and `seconds`. Each node is compiled in a process of its own. WARM names roles (separated by commas) that are compiled before.
# What OUT has already is not compiled again. Private data that is missing is made up in TARGET, for everyone who compiles after that.

require 'yaml'
require_relative 'server'

target, out, pattern = ARGV
target = File.expand_path(target)
out = File.expand_path(out)
FileUtils.mkdir_p(out)
serve(environmentpath: target)
Puppet[:environment_timeout] = 0

# Makes up what is private and missing: whether something could be done about an error.
def complete(target, message)
  root = File.join(target, 'production')
  wikimedia = File.exist?(File.join(root, 'private'))
  case message
  when /secret\(\): invalid secret ([^\s)]+)/
    file = File.join(root, 'private/modules/secret/secrets', $1)
    return false if File.exist?(file)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, "made up: #{$1}\n")
    true
  when /did not find a value for the name '([\w:.]+)'/ then make_up(root, wikimedia, $1, 'String')
  when /Class\[([\w:]+)\]: expects a value for parameter '?(\w+)'?/ then make_up(root, wikimedia, "#{$1.downcase}::#{$2}", 'String')
  when /Class\[([\w:]+)\]: parameter '(\w+)'\S* expects (.*?), got/m then make_up(root, wikimedia, "#{$1.downcase}::#{$2}", $3, again: true)
  else false
  end
end

def make_up(root, wikimedia, key, type, again: false)
  value = case type
          when /Hash|Struct/ then {}
          when /Array|Tuple/ then []
          when /Integer|Port/ then 1234
          when /Boolean/ then false
          when /Unixpath|Absolutepath/i then '/made/up'
          when /HTTP/ then 'https://made-up.example.org'
          when /IP/ then '10.0.0.1'
          when /Email/ then 'made-up@example.org'
          when /Host|Fqdn/ then 'made-up.example.org'
          else 'made-up'
          end
  file = if wikimedia
           namespace = key.split('::')[0...-1]
           File.join(root, 'private/hieradata', namespace.empty? ? 'common.yaml' : "common/#{namespace.join('/')}.yaml")
         else
           File.join(root, 'data/secrets/vault.yaml')
         end
  FileUtils.mkdir_p(File.dirname(file))
  data = File.exist?(file) ? YAML.safe_load(File.read(file), aliases: true) || {} : {}
  *outer, last = wikimedia ? [key] : key.split('.')
  at = outer.reduce(data) { |hash, name| (hash[name] ||= {}) }
  return false if at.key?(last) && (!again || at[last] == value || !(at[last].to_s =~ /made.up/))
  at[last] = value
  File.write(file, data.to_yaml)
  warn "made up: #{key} = #{value.inspect}"
  true
end

def record(target, node)
  name = node['name']
  facts = JSON.parse(File.read("#{target}.facts/#{name}.json"))['values']
  collected = Collected.alone
  result = { 'role' => node['role'], 'name' => name }
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  begin
    environments, environment = $kept
    Puppet.override(environments: environments, current_environment: environment, loaders: ($loaders ||= Puppet::Pops::Loaders.new(environment))) do
      catalog = compiled(name, environment, facts) do
        result['compiled'] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      end
      result['catalog'] = catalog_data(catalog, rich: false)
      result['rich'] = catalog_data(catalog, rich: true)
    end
  rescue Exception => error
    note_error(result, error)
  end
  result['seconds'] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  result['logs'] = collected.logs
  result
end

environments = Puppet::Environments::Directories.new(target, [])
$kept = [environments, Puppet.override(environments: environments) { environments.get(:production) }]
nodes = JSON.parse(File.read("#{target}.nodes.json"))
nodes.select! { |node| Regexp.new(pattern) =~ node['role'] } if pattern
# What these roles make the server read is there for all others.
(ENV['WARM'] || '').split(',').each do |role|
  result = record(target, nodes.find { |node| node['role'] == role })
  warn "warm: #{role} #{result['error']} (#{result['seconds'].round(1)} s)"
end
nodes.shuffle(random: Random.new(1)).each do |node|
  file = File.join(out, "#{node['name']}.json")
  next if File.exist?(file)
  40.times do
    pid = fork do
      result = record(target, node)
      text = begin
        JSON.generate(written(result))
      rescue StandardError => error
        JSON.generate(result.slice('role', 'name', 'seconds').merge('error' => "cannot be written: #{error.message}"))
      end
      File.write("#{file}.new", text)
      exit!(0)
    end
    Process.wait(pid)
    result = JSON.parse(File.read("#{file}.new"))
    break unless result['error'] && complete(target, result['error'])
  end
  File.rename("#{file}.new", file)
  result = JSON.parse(File.read(file))
  warn "#{node['role']}: #{result['error'] ? result['error'][0, 300] : "#{result['catalog']['resources'].length} resources"} (#{result['seconds'].round(1)} s)"
end
