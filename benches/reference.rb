# The reference on the generated repository, in one warm process: every key for the first nodes.
# Usage: ruby reference.rb FOLDER NODES. Prints lookups, seconds and lookups per second.
require 'puppet'
require 'json'
require 'tmpdir'

folder, nodes = ARGV[0], ARGV[1].to_i
scratch = Dir.mktmpdir
Puppet.initialize_settings([
  '--confdir', scratch, '--vardir', scratch, '--codedir', scratch,
  '--environmentpath', File.join(folder, 'environments'), '--environment', 'production',
  '--hiera_config', File.join(folder, 'no-such-hiera.yaml')
])
Puppet[:code] = 'undef'
environments = Puppet::Environments::Directories.new(File.join(folder, 'environments'), [])
environment = environments.get(:production)

keys = File.readlines(File.join(folder, 'keys.txt'), chomp: true)
names = Dir[File.join(folder, 'facts', '*.json')].sort.first(nodes + 1)
count = 0
seconds = 0.0
Puppet.override(environments: Puppet::Environments::Cached.new(environments), current_environment: environment) do
  names.each_with_index do |file, index|
    name = File.basename(file, '.json')
    facts = Puppet::Node::Facts.new(name, JSON.parse(File.read(file)))
    node = Puppet::Node.new(name, facts: facts, environment: environment)
    node.merge(facts.values)
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    Puppet.override(trusted_information: Puppet::Context::TrustedInformation.local(node)) do
      compiler = Puppet::Parser::Compiler.new(node)
      compiler.compile do |catalog|
        keys.each do |key|
          invocation = Puppet::Pops::Lookup::Invocation.new(compiler.topscope, {}, {}, nil)
          Puppet::Pops::Lookup.lookup(key, nil, nil, false, nil, invocation)
        end
        catalog
      end
    end
    # The first node warms the process up.
    next if index.zero?
    seconds += Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    count += keys.size
  end
end
puts format('%d %.6f %.0f', count, seconds, count / seconds)
