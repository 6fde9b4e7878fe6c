# frozen_string_literal: true

module Hieratic
  module RSpec
    # Puppet's autoloader adds each file that it loads to `$LOADED_FEATURES` by itself. The next `require` of any file then finds that the list
    # has changed, and resolves the links in the paths of all files that are loaded: a suite that loads some hundred types and providers
    # spends most of its time there. `require` adds a file to the list without that.
    module Autoloader
      def load_file(name, env)
        file = get_file(name.to_s, env)
        return false unless file

        path = File.expand_path(file)
        # A file that is loaded a second time is loaded by Puppet.
        return super if $LOADED_FEATURES.include?(path)

        loaded[cleanpath(name.to_s).chomp('.rb')] = [path, File.mtime(path)]
        begin
          # A link leads to a file that is loaded: Puppet loads it under its other name as well.
          Kernel.load(file) unless Kernel.require(path)
          true
        rescue SystemExit, NoMemoryError
          raise
        rescue Exception => e # rubocop:disable Lint/RescueException
          message = "Could not autoload #{name}: #{e}"
          Puppet.log_exception(e, message)
          raise Puppet::Error, message, e.backtrace
        end
      end

      def self.install
        return unless defined?(Puppet::Util::Autoload)

        autoload = Puppet::Util::Autoload
        used = %i[get_file loaded cleanpath load_file mark_loaded]
        autoload.singleton_class.prepend(self) if used.all? { |name| autoload.respond_to?(name, true) }
      end
    end
  end
end
