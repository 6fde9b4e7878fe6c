# frozen_string_literal: true

module Hieratic
  module RSpec
    # The request for the catalog that rspec-puppet wants, from the state of Puppet.
    class Request
      # A value that JSON cannot express, so that Puppet has to compile.
      class Inexpressible < StandardError; end

      # A file that does not exist: no hierarchy.
      NO_FILE = '/hieratic-catalog-request/none.yaml'

      MAX_SEED = (2**62) - 1

      def initialize(node, exported)
        @node = node
        @exported = exported
      end

      def to_h
        environment = @node.environment
        facts = plain(@node.facts ? @node.facts.values : {})
        request = {
          'node' => @node.name,
          'code' => Puppet[:code].to_s,
          'environment' => environment.name.to_s,
          'modulepath' => environment.modulepath,
          'basemodulepath' => [],
          'readable' => Request.link_targets(environment.modulepath),
          'hiera_config' => hiera_config,
          'facts' => facts,
          'parameters' => parameters(facts),
          'classes' => plain(@node.classes),
          'trusted' => plain(Puppet.lookup(:trusted_information) { nil }&.to_h),
          'version' => Puppet.version[/\A\d+/],
          'strict' => Puppet[:strict].to_s,
          'strict_variables' => Puppet[:strict_variables],
          'settings' => { 'certname' => Puppet[:certname].to_s, 'confdir' => Puppet[:confdir].to_s },
          'with_exported' => @exported,
          'values' => 'references',
          'random_seed' => Random.new_seed & MAX_SEED,
          'avoids_init' => true
        }
        # Without the setting trusted_server_facts, there are none.
        request['server_facts'] = plain(@node.server_facts || {})
        request
      end

      # The folders to which links in folders of modules lead: fixtures are often links.
      def self.link_targets(modulepath)
        (@link_targets ||= {})[modulepath] ||= modulepath.flat_map do |folder|
          next [] unless File.directory?(folder)

          Dir.children(folder).map { |name| File.join(folder, name) }.select { |path| File.symlink?(path) && File.directory?(path) }
             .map { |path| File.realpath(path) }
        end.uniq
      end

      private

      def hiera_config
        path = Puppet[:hiera_config].to_s
        File.file?(path) ? File.expand_path(path) : NO_FILE
      end

      # The variables of the top scope that are not facts.
      def parameters(facts)
        all = plain(@node.parameters)
        all.reject { |name, value| name == 'environment' || (facts.key?(name) && facts[name] == value) }
      end

      # A value as JSON has it.
      def plain(value)
        case value
        when String
          raise Inexpressible, 'a string that is not UTF-8' unless value.encoding == Encoding::UTF_8 || value.ascii_only?
          raise Inexpressible, 'a string that is not UTF-8' unless value.valid_encoding?

          value
        when Integer, true, false, nil then value
        when Float
          raise Inexpressible, "the number #{value}" unless value.finite?

          value
        # Puppet refuses symbols, with its own message.
        when Symbol then raise Inexpressible, 'a symbol'
        when Array then value.map { |element| plain(element) }
        when Hash then value.to_h { |name, element| [name.is_a?(Integer) ? raise(Inexpressible, 'a key that is no string') : name.to_s, plain(element)] }
        else raise Inexpressible, "a value of the class #{value.class}"
        end
      end
    end
  end
end
