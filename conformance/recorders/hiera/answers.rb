#!/usr/bin/env ruby
# frozen_string_literal: true

# Runs commands of Puppet for record.py, which starts this once: what takes long is to read the program, and that is done
# before the first question. Each line of standard input is a question as JSON: `args` (after `puppet`), `folder` to stand in,
# and the files `stdout` and `stderr`. Each line of standard output is an exit status.

require 'facter'
require 'json'
require 'puppet'
require 'puppet/util/command_line'
require 'puppet/application/lookup'

$stdout.sync = true
$stdin.each_line do |line|
  asked = JSON.parse(line)
  child = fork do
    Dir.chdir(asked['folder'])
    $stdin.reopen('/dev/null')
    $stdout.reopen(asked['stdout'], 'w')
    $stderr.reopen(asked['stderr'], 'w')
    Puppet::Util::CommandLine.new('puppet', asked['args']).execute
  end
  _, status = Process.wait2(child)
  puts status.exitstatus || 128 + status.termsig
end
