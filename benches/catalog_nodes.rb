#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes the facts of further nodes of a role: other names that the pattern of its definition matches, and other addresses.
#
#     catalog_nodes.rb TARGET ROLE COUNT FOLDER     (TARGET: see conformance/recorders/catalog/lay_out.rb)
#
# If the pattern matches fewer names, nodes of the same name have other addresses.

require 'json'
require 'fileutils'

target, role, count, folder = ARGV
count = Integer(count)
name = JSON.parse(File.read("#{target}.nodes.json")).find { |node| node['role'] == role }.fetch('name')
text = File.read("#{target}.facts/#{name}.json")
site = File.read(File.join(target, 'production/manifests/site.pp'))
pattern = nil
found = nil
site.each_line do |line|
  found = Regexp.new($1) if line =~ /^node\s+\/(.*)\/\s*\{/
  pattern ||= found if line =~ /^\s+role\(['"]?#{Regexp.escape(role)}['"]?\)/
end
number = name[/\A[^.]*?(\d+)/, 1]
names = [name]
(1..9999).each do |more|
  break if names.length >= count || number.nil? || pattern.nil?

  other = name.sub(number, (Integer(number, 10) / 1000 * 1000 + more).to_s.rjust(number.length, '0'))
  names << other if other != name && pattern.match?(other)
end
address = JSON.parse(text)['values']['ipaddress']
FileUtils.mkdir_p(folder)
count.times do |at|
  other = names[at] || name
  changed = text.gsub(name, other).gsub(/\b#{Regexp.escape(name.split('.').first)}\b/, other.split('.').first)
  if address
    bytes = address.split('.')
    changed = changed.gsub(address, [*bytes[0, 3], (Integer(bytes[3]) + at) % 254 + 1].join('.'))
  end
  # Nodes of one name are told apart by their files.
  File.write(File.join(folder, "#{other}#{names[at] ? '' : "-#{at}"}.json"), changed)
end
warn "#{names.uniq.length} names of #{count} for #{role}"
