# frozen_string_literal: true

module Hieratic
  module RSpec
    # What only Puppet itself can compile, because the examples change its Ruby code.
    module Obstacles
      # A relative folder of data in a configuration of Hiera 3.
      RELATIVE_DATADIR = %r{^\s*:datadir:\s*['"]?[^/'"\s]}n.freeze

      class << self
        # The reason why Puppet has to compile, or nil.
        def find(node)
          configuration_reason || hiera_reason || mock_reason || (spec_functions(node.environment).any? ? 'a function that the suite defines in Ruby' : nil)
        end

        # Remembers a function that a suite defines, not a file of a module.
        def note_function(name, locations)
          path = locations.map(&:path).find { |file| !file.start_with?('<') && !file.include?('/puppet/') && !file.include?('/hieratic/rspec/') }
          return if path.nil? || path.include?('/lib/puppet/') || !path.include?('/spec/')

          spec_functions(Puppet.lookup(:current_environment) { nil }) << name
        end

        private

        def spec_functions(environment)
          @functions = nil unless @environment.equal?(environment)
          @environment = environment
          @functions ||= []
        end

        def configuration_reason
          configuration = ::RSpec.configuration
          return 'disable_module_hiera' if setting(configuration, :disable_module_hiera)
          return 'fixture_hiera_configs' if setting(configuration, :fixture_hiera_configs) && !configuration.fixture_hiera_configs.empty?

          'use_fixture_spec_hiera' if setting(configuration, :use_fixture_spec_hiera)
        end

        # Hiera 3 resolves a relative folder of data against the working folder, which is another one in the service.
        def hiera_reason
          path = Puppet[:hiera_config].to_s
          return unless File.file?(path)

          'a relative :datadir: of Hiera 3' if File.binread(path).match?(RELATIVE_DATADIR)
        end

        def setting(configuration, name)
          configuration.respond_to?(name) && configuration.send(name)
        end

        def mock_reason
          mocked = mocked_by_rspec || mocked_by_mocha
          mocked && "mocked Ruby: #{mocked}"
        end

        def mocked_by_rspec
          return unless defined?(::RSpec::Mocks) && ::RSpec::Mocks.respond_to?(:space)

          space = ::RSpec::Mocks.space
          return unless space.respond_to?(:proxies)

          proxy = space.proxies.values.find { |one| one.respond_to?(:object) && counts?(one.object) }
          return proxy.object.to_s if proxy
          return if !space.respond_to?(:any_instance_recorders) || space.any_instance_recorders.empty?

          'any instance of a class'
        end

        # rspec-puppet itself mocks Selinux.
        def counts?(object)
          object.is_a?(Module) && object.to_s != 'Selinux'
        end

        def mocked_by_mocha
          return unless defined?(::Mocha::Mockery)

          methods = ::Mocha::Mockery.instance.stubba.stubba_methods
          found = methods.map { |method| method.respond_to?(:stubbee) ? method.stubbee : method }.find { |object| counts?(object) }
          found&.to_s
        end
      end

      # Sees functions of Puppet 3 that are defined.
      module OldFunctions
        def newfunction(name, *arguments, **options, &block)
          Obstacles.note_function(name, caller_locations(1, 8))
          super
        end
      end

      # Sees functions of Puppet 4 that are defined.
      module NewFunctions
        def create_function(name, *arguments, &block)
          Obstacles.note_function(name, caller_locations(1, 8))
          super
        end
      end
    end
  end
end
