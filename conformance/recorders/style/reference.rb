# frozen_string_literal: true

# Puppet-lint with the plugins of Vox Pupuli, from a folder that has the source of each: puppetlabs+puppet-lint,
# voxpupuli+puppet-lint-anchor-check and so on.
require 'json'

# Loads puppet-lint, and the plugins in the order in which it finds gems: by name.
def load_reference(root, with_plugins: true)
  $LOAD_PATH.unshift("#{root}/puppetlabs+puppet-lint/lib")
  require 'puppet-lint'
  return unless with_plugins

  gems = Dir["#{root}/*+puppet-lint-*"].sort_by { |gem| gem.split('+').last }
  gems.each { |gem| Dir["#{gem}/lib/puppet-lint/plugins/**/*.rb"].sort.each { |file| load(file) } }
end

# Runs the checks on a text. Returns nothing if puppet-lint ends with an error of its own.
def run_reference(path, code, fix)
  # What one file leaves open would go on in the next.
  PuppetLint::Lexer.heredoc_queue.clear
  PuppetLint.configuration.fix = fix
  linter = PuppetLint.new
  linter.instance_variable_set(:@path, path)
  linter.code = code
  out = $stdout
  begin
    $stdout = File.open(File::NULL, 'w')
    linter.run
  ensure
    $stdout = out
  end
  linter
rescue SystemExit
  nil
end

# The problems of a text, and the text with all fixes.
def judge(path, code)
  found = run_reference(path, code.dup, false)
  return { problems: nil } if found.nil?

  problems = found.problems.map { |p| [p[:check], p[:kind], p[:line], p[:column], p[:message]] }
  fixed = run_reference(path, code.dup, true)
  return { problems: problems, fails_to_fix: true } if fixed.nil?

  text = fixed.problems.any? { |p| p[:check] == :syntax } ? nil : fixed.manifest
  { problems: problems, fixed: text == code ? nil : text }
end
