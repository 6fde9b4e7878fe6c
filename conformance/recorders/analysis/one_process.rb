# frozen_string_literal: true

# Compiles many programs in one process of Puppet: `ask` returns who refuses one (`compiler`, `agent` or nil), the message, and the files of
# its catalog. A file that has not changed is parsed once.

require 'json'
require 'puppet'
require 'puppet/node'
require 'puppet/node/environment'
require 'puppet/parser/compiler'
Puppet.initialize_settings(['--confdir', '/nonexistent/conf', '--vardir', '/nonexistent/var'])
Puppet[:strict] = :warning
Puppet[:strict_variables] = true
Puppet::Node::Facts.indirection.terminus_class = :memory
Puppet::Resource::Catalog.indirection.terminus_class = :compiler
Puppet::Resource::Catalog.indirection.cache_class = nil
Puppet::Util::Log.level = :crit
Puppet[:hiera_config] = '/nonexistent/none.yaml'
# Keeps the trees of files.
module ParsedFiles
  def parse_file(file)
    text = File.read(file, encoding: 'UTF-8')
    (@trees ||= {})[[file, text]] ||= super
  end
end
Puppet::Pops::Parser::EvaluatingParser.prepend(ParsedFiles)
NAME = 'web01.example.com'

def ask(folder, facts, code)
  Puppet[:code] = code
  environment = Puppet::Node::Environment.create(:production, [folder], Puppet::Node::Environment::NO_MANIFEST)
  Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
    node = Puppet::Node.new(NAME, environment: environment, facts: Puppet::Node::Facts.new(NAME, facts))
    node.merge(facts)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => NAME, 'domain' => nil, 'extensions' => {}, 'hostname' => NAME, 'external' => {} }
    begin
      catalog = Puppet::Parser::Compiler.compile(node).filter(&:virtual?)
    rescue StandardError, SystemStackError, LoadError => error
      return ['compiler', error.message, []]
    end
    files = catalog.resources.map(&:file).compact.uniq
    begin
      r = catalog.to_ral
      r.finalize
      r.relationship_graph
    rescue StandardError, LoadError => error
      return ['agent', error.message, files]
    end
    [nil, '', files]
  end
end
