# frozen_string_literal: true

module Hieratic
  module RSpec
    # What is replaced in rspec-puppet.
    module Hooks
      # Catalogs come from the session. What adapters of versions do afterwards, they do with these as well.
      module Adapter
        def catalog(node, exported)
          Session.current.catalog(node, exported) { super }
        end
      end

      # Keeps more catalogs than rspec-puppet does, and finds them without copying the arguments.
      module Cache
        MAX_ENTRIES = 64

        def get(*arguments, &block)
          key = Marshal.dump(arguments)
          @kept ||= {}
          if @kept.key?(key)
            # The most recently used one is the last.
            @kept[key] = @kept.delete(key)
          else
            made = (block || @default_proc).call(*arguments)
            @kept.shift if @kept.size >= MAX_ENTRIES
            @kept[key] = made
          end
        end
      end

      def self.install
        ::RSpec::Puppet::Adapters::Base.prepend(Adapter)
        ::RSpec::Puppet::Cache.prepend(Cache)
        Puppet::Parser::Functions.singleton_class.prepend(Obstacles::OldFunctions)
        Puppet::Functions.singleton_class.prepend(Obstacles::NewFunctions)
        ::RSpec.configure do |configuration|
          configuration.after(:suite) do
            summary = Session.current.finish
            $stderr.puts('', summary.lines) unless summary.empty?
            summary.write
          end
        end
      end
    end
  end
end
