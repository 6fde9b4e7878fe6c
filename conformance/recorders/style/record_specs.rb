# frozen_string_literal: true

# Records the answers of puppet-lint and its plugins about the manifests in their own specifications: once with the
# rule of the specification alone, and once with all rules.
#
# Usage: record_specs.rb FOLDER_OF_SOURCES FOLDER_OF_RECORDS
require_relative 'reference'

root, target = ARGV
load_reference(root)

# A group of examples: only what `let` says is kept.
class Group
  attr_reader :names

  def initialize(names, lets)
    @names = names
    @lets = lets.dup
  end

  def self.collected
    @collected ||= []
  end

  def let(name, &block)
    @lets[name] = block
    self.class.collected << self if name == :code && !self.class.collected.include?(self)
  end
  alias let! let

  def describe(name = nil, *_args, &block)
    Group.new(@names + [name.to_s], @lets).instance_eval(&block)
  end
  alias context describe

  def method_missing(name, *_args, &_block)
    @lets.key?(name) ? instance_exec(&@lets[name]) : nil
  end

  def respond_to_missing?(*)
    true
  end
end

def describe(name, *_args, &block)
  Group.new([name.to_s], {}).instance_eval(&block)
end

module RSpec
  def self.describe(...)
    Object.send(:describe, ...)
  end

  def self.configure; end
end
$LOADED_FEATURES << 'spec_helper.rb'
module Kernel
  alias require_without_specs require
  def require(name)
    name == 'spec_helper' || require_without_specs(name)
  end
end

# Specifications under other licenses are not recorded.
specs = Dir["#{root}/*/spec/**/plugins/**/*_spec.rb"].reject { |spec| spec.match?(/exec_idempotency|strict_indent/) }.sort
specs.each { |spec| load(spec) }
names = PuppetLint.configuration.checks.map(&:to_s)
seen = {}
# Manifests of this project, for those.
Dir["#{target}/manifests/*.pp"].sort.each do |file|
  group = Group.new([File.basename(file, '.pp').sub(/-.*/, '')], {})
  group.let(:code) { File.read(file) }
end
records = Hash.new { |hash, key| hash[key] = [] }
Group.collected.each do |group|
  rule = group.names.first
  code = begin
    group.code
  rescue Errno::ENOENT
    next
  end
  path = group.path
  path = "/module/manifests/init.pp" unless path.is_a?(String)
  next if !code.is_a?(String) || !names.include?(rule) || seen[[rule, path, code]]

  seen[[rule, path, code]] = true
  [rule, nil].each do |only|
    names.each do |name|
      is_on = only.nil? ? name != 'trailing_newline' : name == only
      PuppetLint.configuration.send(is_on ? "enable_#{name}" : "disable_#{name}")
    end
    record = { rules: only || 'all', path: path, code: code }.merge(judge(path, code))
    records[rule] << record
  end
end
records.each do |rule, rows|
  File.write("#{target}/#{rule}.jsonl", rows.map { |row| "#{JSON.generate(row)}\n" }.join)
end
warn "#{records.size} rules, #{records.values.sum(&:size)} records"
