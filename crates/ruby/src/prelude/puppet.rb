module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message = nil, original = nil)
      super(message)
      @original = original
    end
  end

  class ParseError < Error
    attr_accessor :file, :line, :pos

    def initialize(message = nil, file = nil, line = nil, pos = nil, original = nil)
      super(message)
      @file = file
      @line = line
      @pos = pos
    end
  end

  class ParseErrorWithIssue < ParseError; end
  class PreformattedError < ParseErrorWithIssue; end
  class DevError < Error; end
  class ResourceError < Error; end
  class MissingCommand < Error; end

  module ExternalFileError; end

  %w[debug info notice warning err alert emerg crit].each do |level|
    define_singleton_method(level) { |*message| HieraticNative.log(level, message.join(' ')); nil }
  end

  def self.warn_once(_kind, _key, message, *)
    warning(message)
  end

  def self.deprecation_warning(message, *)
    warning(message)
  end

  def self.puppet_deprecation_warning(message, *)
    warning(message)
  end

  def self.version
    HieraticNative.setting('version')
  end

  def self.[](name)
    HieraticNative.setting(name.to_s)
  end

  def self.settings
    self
  end

  def self.lookup(name, &block)
    case name
    when :current_environment then Node::Environment.new
    else
      block ? block.call : nil
    end
  end

  PUPPETVERSION = '7.23.0'

  # What types need is read when a type is.
  def self.const_missing(name)
    if %i[Type Parameter Property Provider ResourceApi CompilableResourceType].include?(name) && HieraticNative.load_library('puppet_type')
      return const_get(name)
    end
    raise NameError, "uninitialized constant Puppet::#{name}"
  end

  def self.features
    Features
  end

  module Features
    def self.method_missing(name, *)
      name.to_s.end_with?('?') ? name == :posix? : super
    end

    def self.respond_to_missing?(*)
      true
    end

    def self.add(*, **); end
  end

  module DataBinding
    class LookupError < Puppet::PreformattedError; end
    class RecursiveLookupError < LookupError; end
  end

  class Module
    class Error < Puppet::Error; end

    attr_reader :name, :path

    def self.find(name, _environment = nil)
      path = name && HieraticNative.module(name.to_s)
      path && new(name.to_s, path)
    end

    def initialize(name, path)
      @name = name
      @path = path
    end

    %w[files templates plugins manifests lib].each do |folder|
      define_method(folder == 'plugins' || folder == 'lib' ? :plugin_directory : :"#{folder}_directory") { "#{@path}/#{folder}" }
    end

    def forge_name
      metadata['name']
    end

    def version
      metadata['version']
    end

    def metadata
      @metadata ||= File.file?("#{@path}/metadata.json") ? JSON.parse(File.read("#{@path}/metadata.json")) : {}
    end

    def to_s
      "Module #{@name}(#{@path})"
    end
  end

  # Files of the repository.
  module FileSystem
    class << self
      def exist?(path)
        File.exist?(path)
      end

      def file?(path)
        File.file?(path)
      end

      def directory?(path)
        File.directory?(path)
      end

      def read(path, **)
        File.read(path)
      end

      def read_preserve_line_endings(path)
        File.read(path)
      end

      def binread(path)
        File.binread(path)
      end

      def pathname(path)
        Pathname.new(path)
      end

      def path_string(path)
        path.to_s
      end

      def dir_string(path)
        File.dirname(path)
      end

      def dir(path)
        Pathname.new(File.dirname(path))
      end

      def basename_string(path)
        File.basename(path)
      end

      def basename(path)
        Pathname.new(File.basename(path))
      end

      def expand_path(path, folder = nil)
        File.expand_path(path, folder)
      end

      def readlines(path)
        File.readlines(path)
      end

      def size(path)
        File.size(path)
      end

      def method_missing(name, *, **)
        HieraticNative.refuse("Puppet::FileSystem.#{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end
  end

  class Node
    class Environment
      def name
        HieraticNative.setting('environment').to_sym
      end

      def to_s
        name.to_s
      end

      def modulepath
        []
      end

      def module(name)
        Puppet::Module.find(name)
      end
    end
  end

  module Util
    # The class of the tags of a catalog is made when it is used: most code needs no sets.
    def self.const_missing(name)
      return super unless name == :TagSet
      const_set(:TagSet, Class.new(::Set) { def join(*arguments) = to_a.join(*arguments) })
    end

    def self.symbolizehash(hash)
      hash.transform_keys { |key| key.to_s.to_sym }
    end

    def symbolizehash(hash)
      Util.symbolizehash(hash)
    end

    def self.which(_name)
      nil
    end

    def self.absolute_path?(path, platform = nil)
      slash = %r{[\\/]}
      windows = %r{^(?:[A-Z]:#{slash}|#{slash}#{slash}[^\\/]+#{slash}[^\\/]+|#{slash}#{slash}\?#{slash}[^\\/]+)}i
      path.match?(platform.to_s == 'windows' ? windows : %r{^/})
    end

    def self.path_to_uri(path)
      URI.parse("file://#{path}")
    end

    def self.uri_encode(text, *)
      URI.escape(text)
    end

    module Platform
      def self.windows?
        false
      end
    end

    class Errors
    end

    module Package
      def self.versioncmp(a, b)
        HieraticNative.call('versioncmp', [a, b])
      end

      def versioncmp(a, b)
        Package.versioncmp(a, b)
      end
      module_function :versioncmp
    end

    class Log
      def self.log_func(*)
      end
    end
  end

  module Pops
    module Types
      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def self.from_string(text)
            new(text)
          end

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def initialize(bytes)
            @binary_buffer = bytes
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def relaxed_to_s
            [@binary_buffer].pack('m')
          end

          def length
            @binary_buffer.bytesize
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end

          def eql?(other)
            self == other
          end

          def hash
            @binary_buffer.hash
          end
        end
      end

      class PSensitiveType
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{to_s}>"
          end

          def ==(other)
            other.is_a?(Sensitive) && other.hash == hash
          end

          def eql?(other)
            self == other
          end

          def hash
            @value.hash
          end
        end
      end
    end

    module Evaluator
    end
  end

  module Parser
    # What templates and functions see of the scope that calls them.
    class Scope
      # The scope at the top, or that of the caller.
      def initialize(top = false)
        @top = top
      end

      def hieratic_name(name)
        name = name.to_s
        @top && !name.include?('::') ? "::#{name}" : name
      end

      def [](name, _options = {})
        HieraticNative.variable(hieratic_name(name))
      end

      def []=(name, value)
        HieraticNative.set_variable(hieratic_name(name), value)
      end

      def setvar(name, value, _options = {})
        HieraticNative.set_variable(hieratic_name(name), value)
      end

      def lookupvar(name, _options = {})
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        HieraticNative.variable(hieratic_name(name))
      end

      def lookup_qualified_variable(class_name, name, _options = {})
        HieraticNative.variable("#{class_name}::#{name}")
      end

      def include?(name)
        !HieraticNative.variable(hieratic_name(name)).nil?
      end

      def exist?(name)
        HieraticNative.variable?(hieratic_name(name))
      end

      def bound?(name)
        HieraticNative.variable?(hieratic_name(name))
      end

      def to_hash(_recursive = true, include_undef = false)
        include_undef ? HieraticNative.variables : HieraticNative.variables.compact
      end

      def call_function(name, args = [], &block)
        @top ? HieraticNative.call_at_top(name.to_s, args, &block) : HieraticNative.call(name.to_s, args, &block)
      end

      def is_topscope?
        @top ? true : false
      end

      def class_name
        ''
      end

      def environment
        Puppet::Node::Environment.new
      end

      def compiler
        self
      end

      def catalog
        self
      end

      def classes
        HieraticNative.classes
      end

      def findresource(type, title = nil)
        if title.nil?
          return nil unless type =~ /\A([^\[]+)\[(.*)\]\z/m
          type, title = $1, $2
        end
        found = HieraticNative.resource(type.to_s, title.to_s)
        found && FoundResource.new(type.to_s, title.to_s, found)
      end

      def resource(*args)
        return findresource(*args) unless args.empty?
        own = HieraticNative.own_resource
        own && findresource(own[0], own[1])
      end

      def known_resource_types
        self
      end

      def find_hostclass(name)
        HieraticNative.call('defined', [name]) ? name : nil
      end

      def source
        nil
      end

      def respond_to_missing?(name, private = false)
        name.to_s.start_with?('function_') && HieraticNative.function?(name.to_s.delete_prefix('function_')) || super
      end

      def method_missing(name, *args, &block)
        text = name.to_s
        if text.start_with?('function_')
          unless args[0].is_a?(Array)
            raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)'
          end
          function = text.delete_prefix('function_')
          # Functions of Puppet 3 go before those of later versions that have their names.
          return Functions.hieratic_call(function, args[0]) if Functions.hieratic_old?(function)
          return HieraticNative.call(function, args[0], &block)
        end
        super_missing(name)
      end

      def inspect
        'Scope()'
      end

      def to_s
        'Scope()'
      end

      private

      def super_missing(name)
        raise NoMethodError, "undefined method `#{name}' for Scope():Puppet::Parser::Scope"
      end
    end

    class FoundResource
      attr_reader :type, :title

      def initialize(type, title, parameters)
        @type = type
        @title = title
        @parameters = parameters
      end

      def [](name)
        @parameters[name.to_s]
      end

      def to_hash
        name = @type == 'class' ? @title.split('::').map(&:capitalize).join('::') : @title
        { name: name }.merge(@parameters.compact.transform_keys(&:to_sym))
      end

      def file
        nil
      end

      def line
        nil
      end

      def name
        @title
      end

      def ref
        to_s
      end

      def to_s
        "#{@type}[#{@title}]"
      end
    end

    class TemplateWrapper
      def scope
        @__scope__ ||= Scope.new
      end

      def file
        @__file__
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def all_tags
        Puppet::Util::TagSet.new(HieraticNative.all_tags)
      end

      def tags
        raise NotImplementedError, "Call 'all_tags' instead."
      end

      def classes
        HieraticNative.classes
      end

      def script_line
        nil
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      def inspect
        "#<Puppet::Parser::TemplateWrapper>"
      end
    end

    module Files
      def self.find_file(name, _environment = nil)
        HieraticNative.call('find_file', [name])
      end

      def self.find_template(name, _environment = nil)
        nil
      end
    end

    # The API of functions of Puppet 3.
    module Functions
      @functions = {}

      def self.newfunction(name, options = {}, &block)
        name = name.to_s
        @functions[name] = { block: block, rvalue: options[:type] == :rvalue, arity: options[:arity] || -1 }
        Scope.send(:define_method, :"real_function_#{name}", &block)
        name
      end

      def self.hieratic_functions
        @functions
      end

      # Whether there is a function of Puppet 3 of a name, once the file is loaded that a module may have for it.
      def self.hieratic_old?(name)
        return true if @functions.key?(name)
        file = HieraticNative.old_function(name)
        require file if file
        @functions.key?(name)
      end

      def self.function(name, *)
        HieraticNative.function?(name.to_s) ? "function_#{name}" : false
      end

      def self.autoloader
        self
      end

      def self.load(*)
        true
      end

      def self.loadall
        true
      end

      def self.rvalue?(name)
        @functions.key?(name.to_s) ? @functions[name.to_s][:rvalue] : true
      end

      def self.hieratic_call(name, args)
        info = @functions[name]
        arity = info[:arity]
        if arity >= 0 && args.size != arity
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{args.size} for #{arity})"
        elsif arity < 0 && args.size < arity.abs - 1
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{args.size} for minimum #{arity.abs - 1})"
        end
        found = Scope.new.__send__(:"real_function_#{name}", args)
        info[:rvalue] ? found : nil
      end

      # The one of stdlib logs only if an environment variable asks for it, and Ruby sees none here.
      newfunction(:deprecation) { |_arguments| nil }
    end
  end

  # The API of functions of Puppet 4 and later.
  module Functions
    @functions = {}

    def self.create_function(name, base = nil, &block)
      made = Class.new(base || Function)
      made.instance_variable_set(:@function_name, name.to_s)
      # Made here, so that asking for them changes nothing.
      made.instance_variable_set(:@types, [])
      made.instance_variable_set(:@dispatches, [])
      made.class_eval(&block)
      made.hieratic_finish
      made.instance_variable_set(:@instance, made.new)
      @functions[name.to_s] = made
    end

    def self.hieratic_functions
      @functions
    end

    class Function
      class << self
        def dispatch(method, &block)
          builder = DispatcherBuilder.new(method)
          builder.instance_eval(&block)
          hieratic_dispatches << builder
        end

        def argument_mismatch(method, &block)
          builder = DispatcherBuilder.new(method)
          builder.instance_eval(&block)
          builder.mismatch = true
          hieratic_dispatches << builder
        end

        def local_types(&block)
          LocalTypes.new(self).instance_eval(&block)
        end

        def hieratic_types
          @types
        end

        def hieratic_dispatches
          @dispatches
        end

        def hieratic_finish
          return unless hieratic_dispatches.empty?
          name = @function_name.split('::').last
          return unless method_defined?(name)
          builder = DispatcherBuilder.new(name.to_sym)
          instance_method(name).parameters.each do |kind, parameter|
            case kind
            when :req then builder.param('Any', parameter || :arg)
            when :opt then builder.optional_param('Any', parameter || :arg)
            when :rest then builder.optional_repeated_param('Any', parameter || :args)
            when :block then builder.optional_block_param
            end
          end
          hieratic_dispatches << builder
        end

        def hieratic_describe
          # A function with a method `call` dispatches itself.
          ways = method_defined?(:call) ? [DispatcherBuilder.hieratic_any(:call)] : hieratic_dispatches
          {
            'name' => @function_name,
            'types' => hieratic_types,
            'dispatches' => ways.map(&:hieratic_describe),
          }
        end

        def dispatcher
          Dispatcher.new(@function_name, hieratic_dispatches)
        end

        def hieratic_call(index, args, block)
          target = block && lambda { |*values| HieraticNative.call_block(block, values) }
          return @instance.call(Puppet::Parser::Scope.new, *args, &target) if method_defined?(:call)
          dispatch = hieratic_dispatches[index]
          args = [Puppet::Parser::Scope.new] + args if dispatch.scope
          @instance.__send__(dispatch.method_name, *args, &target)
        end

        def builder
          self
        end
      end

      # Functions run where they are defined: at the top.
      def call_function(name, *args, &block)
        HieraticNative.call_at_top(name.to_s, args, &block)
      end

      def closure_scope
        Puppet::Parser::Scope.new(true)
      end

      def loader
        nil
      end
    end

    class InternalFunction < Function; end
    PuppetFunction = Function
    Function3x = Function

    class LocalTypes
      def initialize(function)
        @function = function
      end

      def type(text)
        @function.hieratic_types << text
      end
    end

    # Calls the method of the first dispatch that accepts the arguments.
    class Dispatcher
      def initialize(name, ways)
        @name = name
        @ways = ways
      end

      def dispatch(instance, scope, args, &block)
        way = @ways.find { |one| one.hieratic_accepts?(args) }
        raise ArgumentError, "'#{@name}' cannot be called with these arguments" if way.nil?
        args = [scope] + args if way.scope
        found = instance.__send__(way.method_name, *args, &block)
        raise ArgumentError, "'#{@name}' #{found}" if way.mismatch
        found
      end
    end

    class DispatcherBuilder
      attr_reader :method_name, :scope
      attr_accessor :mismatch

      # Accepts any arguments.
      def self.hieratic_any(method)
        way = new(method)
        way.repeated_param('Any', :args)
        way.optional_block_param
        way
      end

      def initialize(method)
        @method_name = method
        @params = []
      end

      def param(type, name)
        @params << [type.to_s, name.to_s, true, false]
      end

      def required_param(type, name)
        param(type, name)
      end

      def optional_param(type, name)
        @params << [type.to_s, name.to_s, false, false]
      end

      def repeated_param(type, name)
        @params << [type.to_s, name.to_s, false, true]
      end

      def optional_repeated_param(type, name)
        repeated_param(type, name)
      end

      def required_repeated_param(type, name)
        @params << [type.to_s, name.to_s, true, true]
      end

      def block_param(*args)
        hieratic_block(args, true)
      end

      def required_block_param(*args)
        hieratic_block(args, true)
      end

      def optional_block_param(*args)
        hieratic_block(args, false)
      end

      def return_type(type)
        @return_type = type.to_s
      end

      def scope_param
        @scope = true
      end

      def compiler_param
        @scope = true
      end

      def cache_param
        @scope = true
      end

      def pal_compiler_param(*)
        @scope = true
      end

      def hieratic_accepts?(args)
        least = @params.count { |param| param[2] }
        most = @params.any? { |param| param[3] } ? args.size : @params.size
        return false unless args.size.between?(least, most)
        args.each_with_index.all? do |value, at|
          type = (@params[at] || @params.last)[0]
          type == 'Any' || hieratic_instance?(type, value)
        end
      end

      def hieratic_describe
        {
          'method' => @method_name.to_s,
          'parameters' => @params,
          'block' => @block,
          'returns' => @return_type,
          'mismatch' => @mismatch ? true : false,
        }
      end

      private

      def hieratic_instance?(type, value)
        HieraticNative.call_at_top('assert_type', [type, value])
        true
      rescue StandardError
        false
      end

      def hieratic_block(args, required)
        type, name = args.size == 1 ? (args[0].is_a?(String) && args[0] =~ /\A[A-Z]/ ? [args[0], 'block'] : ['Callable', args[0]]) : args
        @block = [(type || 'Callable').to_s, (name || 'block').to_s, required]
      end
    end
  end

  module DataTypes
    def self.create_type(_name)
      nil
    end
  end
end

module Facter
  def self.value(name)
    HieraticNative.fact(name.to_s)
  end

  def self.fact(name)
    found = value(name)
    found.nil? ? nil : Struct.new(:value).new(found)
  end

  def self.[](name)
    fact(name)
  end
end
