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

      # rspec-puppet makes and removes a folder for Puppet[:vardir] at each matcher, and adds the same folders of libraries
      # to the load path each time. The folder is used again while it is empty.
      module Vardir
        def with_vardir
          vardir = setup_puppet
          return yield(vardir) if block_given?
        ensure
          Vardir.give_back(vardir)
        end

        def setup_puppet
          vardir = Vardir.take
          Puppet[:vardir] = vardir
          Vardir.add_libraries(adapter.modulepath)
          vardir
        end

        class << self
          def take
            taken = @free
            @free = nil
            taken && File.directory?(taken) ? taken : Dir.mktmpdir
          end

          def give_back(vardir)
            return unless vardir && File.directory?(vardir)

            if @free.nil? && Dir.empty?(vardir)
              @free = vardir
            else
              FileUtils.rm_rf(vardir)
            end
          end

          def remove
            FileUtils.rm_rf(@free) if @free
            @free = nil
          end

          def add_libraries(modulepath)
            modulepath.flat_map { |folder| Dir["#{folder}/*/lib"] }.each do |library|
              $LOAD_PATH << library unless (@libraries ||= {})[library] && $LOAD_PATH.include?(library)
              @libraries[library] = true
            end
          end
        end
      end

      def self.install
        ::RSpec::Puppet::Adapters::Base.prepend(Adapter)
        ::RSpec::Puppet::Cache.prepend(Cache)
        Autoloader.install
        # Groups of examples have this module already, so that its methods are replaced, not those of a module before it.
        %i[with_vardir setup_puppet].each do |name|
          ::RSpec::Puppet::Support.send(:define_method, name, Vardir.instance_method(name)) if ::RSpec::Puppet::Support.method_defined?(name)
        end
        Puppet::Parser::Functions.singleton_class.prepend(Obstacles::OldFunctions)
        Puppet::Functions.singleton_class.prepend(Obstacles::NewFunctions)
        ::RSpec.configure do |configuration|
          configuration.after(:suite) do
            Vardir.remove
            summary = Session.current.finish
            $stderr.puts('', summary.lines) unless summary.empty?
            summary.write
          end
        end
      end
    end
  end
end
