# frozen_string_literal: true

# Makes rspec-puppet take its catalogs from Hieratic: `require 'hieratic/rspec'` in spec_helper.rb, or
# `RUBYOPT=-rhieratic/rspec rspec`.

module Hieratic
  # The connection between rspec-puppet and Hieratic.
  module RSpec
    # Replaces what compiles catalogs, once rspec-puppet is loaded.
    def self.install
      return if @installed || !defined?(::RSpec::Puppet::Adapters::Base) || !defined?(::RSpec::Puppet::Cache)

      @installed = true
      require 'hieratic/rspec/session'
      require 'hieratic/rspec/autoloader'
      require 'hieratic/rspec/hooks'
      Hooks.install
    end

    # Whether rspec-puppet was loaded, and hooks are in place.
    def self.installed?
      @installed ? true : false
    end

    # Waits for rspec-puppet to be required: with RUBYOPT, this file is loaded before everything else.
    module RequireHook
      private

      def require(path)
        loaded = super
        if loaded && path == 'facterdb' && defined?(::FacterDB.get_facts) && defined?(::JGrep)
          require 'hieratic/rspec/fact_sets'
          ::FacterDB.singleton_class.prepend(FactSets)
        end
        ::Hieratic::RSpec.install if loaded && path.to_s.end_with?('rspec-puppet', 'rspec-puppet.rb')
        loaded
      end
    end
  end
end

Hieratic::RSpec.install
Object.prepend(Hieratic::RSpec::RequireHook)
