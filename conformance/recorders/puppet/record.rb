#!/usr/bin/env ruby
# frozen_string_literal: true

# Records what the Puppet language makes of programs.
#
#     record.rb FACTS.json [MODULES] < CASES > OUTCOMES
#     record.rb FACTS.json --scenario FOLDER < CASES > OUTCOMES
#
# Each line of standard input is a JSON object with `id` and `code`; each line of standard output has the `id` with the
# fields `value`, `string`, `type`, `json`, `logs` and `error` as conformance/puppet/README.md describes them. The puppet
# that Ruby finds answers: name another one with `ruby -I FOLDER/lib`. One process compiles all programs, each as the main
# manifest of a fresh environment, whose modules are in the folder MODULES. With `--scenario`, it is the environment
# `production` of a scenario of conformance/hiera, with its data.

require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'

# What is said while a program runs.
class Collector
  attr_reader :logs

  def initialize
    @logs = []
  end

  def <<(log)
    # Of what is for debugging only the program's own words count.
    return if log.level == :debug && !(log.source.to_s.start_with?('Scope(') && !log.message.start_with?('Retrieving '))

    place = Puppet::Util::Errors.error_location_with_space(log.file, log.line, log.pos)
    @logs << [log.level.to_s, log.message.to_s + place]
  end
end

# Tells what the main manifest evaluates to, described while its scope is there.
module Watched
  class << self
    attr_accessor :described
  end

  def eval_Program(program, scope)
    @depth = (@depth || 0) + 1
    value = super
    if @depth == 1 && scope.resource.to_s == 'Class[main]' && Watched.described.nil?
      Watched.described = describe(value, scope)
    end
    value
  ensure
    @depth -= 1
  end

  private

  def describe(value, scope)
    formats = { Puppet::Pops::Types::PAnyType::DEFAULT => '%p' }
    converter = Puppet::Pops::Types::StringConverter
    {
      'value' => stable?(value) ? converter.convert(value, formats) : nil,
      'string' => string(value, scope),
      'type' => converter.convert(Puppet::Pops::Types::TypeCalculator.infer_set(value)),
      'json' => plain?(value) ? value : nil
    }
  end

  # Timespans and Timestamps have no form that a program could be made of.
  def stable?(value)
    case value
    when Puppet::Pops::Time::TimeData then false
    when Array then value.all? { |element| stable?(element) }
    when Hash then value.all? { |key, element| stable?(key) && stable?(element) }
    else true
    end
  end

  def plain?(value)
    case value
    when nil, true, false, Integer then true
    when String then value.encoding != Encoding::BINARY && value.valid_encoding?
    when Float then value.finite?
    when Array then value.all? { |element| plain?(element) }
    when Hash then value.all? { |key, element| key.is_a?(String) && plain?(element) }
    else false
    end
  end
end

Puppet::Pops::Evaluator::EvaluatorImpl.prepend(Watched)

# Fresh for every program: what was loaded for one is not there for the next.
def environments
  return Puppet::Environments::Directories.new(Pathname.new("#{SCENARIO}/environments"), []) if SCENARIO

  modules = ARGV.drop(1)
  Puppet::Environments::Static.new(Puppet::Node::Environment.create(:production, modules, Puppet::Node::Environment::NO_MANIFEST))
end

def outcome(code, facts, folder)
  logs = Collector.new
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  Puppet::Util::Warnings.clear_warnings
  $unique_warnings&.clear # rubocop:disable Style/GlobalVars
  Watched.described = nil
  environments = environments()
  answer = { 'value' => nil, 'string' => nil, 'type' => nil, 'json' => nil }
  # The folders of modules are asked of the loader that is in force.
  environment = Puppet.override(environments: environments) { environments.get!(:production) }
  Puppet.override(environments: environments, current_environment: environment) do
    node = Puppet::Node.new('web01.example.com', environment: environment, facts: Puppet::Node::Facts.new('web01.example.com', facts))
    node.merge(facts)
    node.trusted_data = Puppet::Context::TrustedInformation.local(node).to_h
    Puppet[:code] = code
    Puppet::Parser::Compiler.new(node).compile
  end
  answer.merge!(Watched.described || {})
  { **answer, 'logs' => logs.logs, 'error' => nil }
rescue StandardError, ScriptError => e
  { **answer.transform_values { nil }, 'logs' => logs.logs, 'error' => error(e) }
ensure
  Puppet::Util::Log.close_all
end

def error(failure)
  line, pos = %i[line pos].map { |part| failure.respond_to?(part) ? failure.public_send(part) : nil }
  message = failure.respond_to?(:basic_message) ? failure.basic_message : failure.message
  place = Puppet::Util::Errors.error_location_with_space(nil, line, pos)
  # Of a fault of Ruby, the message, without the line of the program that it happened in.
  message = message.sub(/\n\n +\S.*\n +\^+\z/, '')
  { 'message' => message.delete_suffix(place), 'line' => line, 'pos' => pos }
end

SCENARIO = ARGV[1] == '--scenario' ? File.absolute_path(ARGV[2]) : nil
facts = JSON.parse(File.read(ARGV.fetch(0)))
Dir.mktmpdir do |folder|
  settings = %w[confdir vardir codedir].flat_map { |name| ["--#{name}", "#{folder}/#{name}"] }
  settings += ['--hiera_config', "#{SCENARIO}/hiera.yaml"] if SCENARIO
  Puppet.initialize_settings(settings)
  Puppet::Util::Log.level = :debug
  Puppet.push_context(Puppet.base_context(Puppet.settings), 'recorder')
  $stdin.each_line do |line|
    asked = JSON.parse(line)
    puts JSON.generate({ 'id' => asked['id'] }.merge(outcome(asked['code'], facts, folder)))
  end
end
