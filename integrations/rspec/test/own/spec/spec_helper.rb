require 'rspec-puppet'

RSpec.configure do |c|
  c.mock_with :rspec
  c.module_path = File.join(__dir__, 'fixtures/modules')
  c.default_facts = { 'os' => { 'family' => 'Debian' }, 'nested' => { 'deep' => 'fact' } }
  c.strict_variables = false
  c.after(:suite) { RSpec::Puppet::Coverage.report!(0) } if ENV['OWN_COVERAGE']
end
