#!/usr/bin/env ruby
# frozen_string_literal: true

# Finds the classes that compile alone.
#
#     units.rb MODULES FACTS NAME... > units.jsonl
#
# MODULES is the folder of modules, FACTS a file of JSON, and NAME a module whose classes are tried. A line of the output is a class with the
# files of the module that its catalog comes from. Standard error has the classes that Puppet refuses.

require_relative 'one_process'
folder, facts, *names = ARGV
facts = JSON.parse(File.read(facts))
Dir["#{folder}/*/lib"].each { |lib| $LOAD_PATH << lib }
names.each do |name|
  Dir["#{folder}/#{name}/manifests/**/*.pp"].sort.each do |path|
    text = File.read(path, encoding: 'UTF-8').scrub
    cls = text[/^\s*class\s+(?:::)?([a-z][\w:]*)/, 1] or next
    next if text =~ /assert_private|api private/
    kind, message, files = ask(folder, facts, "include #{cls}\n")
    if kind then warn "#{cls}: #{kind} #{message[0,160]}"
    else puts JSON.generate('class' => cls, 'files' => files.select { |f| f.include?("/#{name}/") }, 'facts'=>ARGV[1]) end
    $stdout.flush
  end
end
