#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers programs for ask.py with the functions of ../puppet/record.rb. Each line of standard input is a question as JSON: `code`, and the
# `folder` with `facts.json` and, maybe, `hiera.yaml` and `environments`. Each line of standard output is the outcome. One process
# answers all of them: reading Puppet takes long.

$answers = $stdout.dup
$questions = $stdin.dup
$answers.sync = true
# What record.rb defines is wanted, not what it does: it answers the questions of an empty file.
ARGV.replace([File.expand_path('../../puppet/facts.json', __dir__)])
$stdin.reopen(File::NULL)
load File.expand_path('../puppet/record.rb', __dir__)

def environments
  return Puppet::Environments::Directories.new(Pathname.new("#{$folder}/environments"), []) if File.exist?("#{$folder}/environments")

  Puppet::Environments::Static.new(Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST))
end

$questions.each_line do |line|
  asked = JSON.parse(line)
  $folder = asked['folder']
  Puppet[:hiera_config] = "#{$folder}/hiera.yaml"
  facts = JSON.parse(File.read("#{$folder}/facts.json"))
  $answers.puts JSON.generate(outcome(asked['code'], facts, $folder))
end
