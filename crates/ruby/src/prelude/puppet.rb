module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message, original = nil)
      super(message)
      @original = original
    end
  end

  class ParseError < Error
    attr_accessor :file, :line, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      super(message)
      @file = file
      @line = line
      @pos = pos
    end
  end

  class ParseErrorWithIssue < ParseError
    def self.from_issue_and_stack(*, **)
      HieraticNative.refuse('Puppet::ParseErrorWithIssue.from_issue_and_stack')
    end
  end
  class PreformattedError < ParseErrorWithIssue; end
  class DevError < Error; end
  class ResourceError < Error; end
  class MissingCommand < Error; end
  class ExecutionFailure < Error; end

  module ExternalFileError; end

  # A constant of Puppet that is not here is refused: what code would do without it is not what it does with it.
  module Constants
    def const_missing(name)
      HieraticNative.refuse("#{self}::#{name}")
    end
  end

  # The level `debug` takes any arguments, and a block for them.
  def self.debug(*message)
    HieraticNative.log('debug', message.join(' ')) unless block_given?
    nil
  end

  %w[info notice warning err alert emerg crit].each do |level|
    define_singleton_method(level) { |message| HieraticNative.log(level, message.is_a?(::Array) ? message.join(' ') : message.to_s); nil }
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
    Settings[name]
  end

  def self.[]=(name, value)
    Settings[name] = value
  end

  def self.settings
    Settings
  end

  module Settings
    extend Constants

    # Settings whose values are symbols.
    SYMBOLS = %w[
      strict node_terminus data_binding_terminus catalog_terminus default_file_terminus storeconfigs_backend
      certificate_revocation
    ]

    # Settings that depend on the process and its libraries.
    OF_PROCESS = %w[name pidfile http_user_agent ciphers]

    class << self
      def [](name)
        return @strict if @strict && name.to_s == 'strict'
        HieraticNative.refuse("Puppet[:#{name}]") if OF_PROCESS.include?(name.to_s)
        value = HieraticNative.setting(name.to_s)
        SYMBOLS.include?(name.to_s) && value ? value.to_sym : value
      end

      # Functions change what unknown variables are, for a while: the code of Puppet around them keeps its own setting.
      def []=(name, value)
        # Other values are an error of a class of Puppet's settings.
        HieraticNative.refuse("Puppet[:#{name}] = ...") unless name.to_s == 'strict' && %w[off warning error].include?(value.to_s)
        @strict = value.to_s.to_sym
      end

      def value(name, *)
        self[name]
      end

      def method_missing(name, *)
        HieraticNative.refuse("Puppet.settings.#{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end
  end

  class Context
    extend Constants
    extend HieraticPartial

    class UndefinedBindingError < Puppet::Error; end
  end

  # What a server binds besides the environment.
  BINDINGS = %i[root_environment environments loaders trusted_information static_files pal_env pal_compiler pal_catalog_compiler
                pal_current_node current_node pal_script_compiler ssl_context ssl_host http_session plugins rich_data]

  def self.lookup(name, &block)
    return Node::Environment.new if name == :current_environment
    HieraticNative.refuse("Puppet.lookup(:#{name})") if BINDINGS.include?(name)
    return block.call if block
    raise Context::UndefinedBindingError, "Unable to lookup '#{name}'"
  end

  # Objects of Puppet that are here in part. A method that Puppet has and that is not here is refused; one that Puppet does
  # not have either is a NoMethodError, as there.
  module Partial
    def method_missing(name, *)
      list = is_a?(::Module) ? const_get(:HIERATIC_METHODS) : self.class.const_get(:HIERATIC_METHODS)
      HieraticNative.refuse("#{hieratic_shown}#{name}") if list.include?(name.to_s.delete_suffix('='))
      super
    end

    def respond_to_missing?(*)
      false
    end

    def hieratic_shown
      is_a?(::Module) ? "#{self}." : "#{self.class}#"
    end
  end

  # What types need is read when a type is.
  def self.const_missing(name)
    if %i[Type Parameter Property Provider ResourceApi CompilableResourceType].include?(name) && HieraticNative.load_library('puppet_type')
      return const_get(name)
    end
    return const_set(:PUPPETVERSION, version) if name == :PUPPETVERSION
    HieraticNative.refuse("Puppet::#{name}")
  end

  extend Partial
  HIERATIC_METHODS = %w[
    alert base_context bootstrap_context clear clear_deprecation_warnings crit debug default_basemodulepath
    default_cadir default_diffargs default_digest_algorithm default_file_checksum_types default_vendormoduledir
    deprecation_warning emerg err features format_backtrace format_exception get_deprecation_offender ignore info
    initialize_default_settings! initialize_facts initialize_settings log_and_raise log_deprecations_to_file
    log_exception lookup mark_context minor_version notice override pop_context puppet_deprecation_warning
    push_context push_context_global replace_settings_object restore rollback_context run_mode runtime send_log
    settings valid_digest_algorithms valid_file_checksum_types version warn_once warning
  ]

  def self.features
    Features
  end

  module Features
    # The server runs on an operating system of Unix. Which libraries it has is not known.
    def self.posix?
      true
    end

    %i[microsoft_windows? cygwin?].each { |name| define_singleton_method(name) { false } }

    def self.method_missing(name, *)
      HieraticNative.refuse("Puppet.features.#{name}")
    end

    def self.respond_to_missing?(name, *)
      name.to_s.end_with?('?')
    end

    def self.add(*, **); end
  end

  module DataBinding
    class LookupError < Puppet::PreformattedError; end
    class RecursiveLookupError < LookupError; end
  end

  class Module
    extend Constants
    extend HieraticPartial

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
      metadata['name']&.sub('-', '/')
    end

    def version
      metadata['version']
    end

    def metadata
      @metadata ||= File.file?("#{@path}/metadata.json") ? JSON.parse(File.read("#{@path}/metadata.json")) : {}
    end

    %w[file template manifest].each do |kind|
      define_method(kind) do |name = nil|
        HieraticNative.refuse("Puppet::Module##{kind} without a name") if name.nil?
        path = "#{@path}/#{kind}s/#{name}"
        File.exist?(path) ? path : nil
      end
      define_method(:"#{kind}s?") { File.directory?("#{@path}/#{kind}s") }
    end

    def has_metadata?
      File.file?("#{@path}/metadata.json")
    end

    def to_s
      "Module #{@name}(#{@path})"
    end

    include Partial
    HIERATIC_METHODS = %w[
      alert all_manifests author clear_deprecation_warnings crit debug dependencies dependencies_as_modules
      deprecation_warning description emerg environment err file files files? forge_name format_backtrace
      format_exception get_deprecation_offender has_external_facts? has_hiera_conf? has_metadata? has_translations?
      hiera_conf_file info license license_file load_metadata locale locale_directory locales locales? log_and_raise
      log_deprecations_to_file log_exception manifest manifests manifests? match_manifests metadata metadata_file
      modulepath name notice path plan_file plans plans_directory plugin plugin_directory plugin_fact_directory
      pluginfact pluginfacts pluginfacts? plugins plugins? project_page puppet_deprecation_warning puppetversion
      read_metadata required_by script scripts scripts? send_log source summary supports task_file tasks
      tasks_directory template templates templates? unmet_dependencies validate_puppet_version version warn_once
      warning
    ]
  end

  # Files of the repository.
  module FileSystem
    extend Constants

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

      include HieraticPartial
    end
  end

  # The node whose catalog is compiled.
  class Node
    extend Constants
    extend HieraticPartial

    def name
      trusted = HieraticNative.variable('::trusted')
      trusted && trusted['certname'] || HieraticNative.refuse('the name of the node')
    end

    def to_s
      name
    end

    def environment
      Environment.new
    end

    include Partial
    HIERATIC_METHODS = %w[
      add_extra_facts add_server_facts classes encode_with environment environment_name expiration expired?
      fact_merge facts has_environment_instance? init_with initialize_from_hash ipaddress merge mime name names
      parameters render sanitize serializable_parameters server_facts source split_name support_format? time
      to_data_hash trusted_data
    ]

    class Environment
      extend Constants
      extend HieraticPartial

      def name
        HieraticNative.setting('environment').to_sym
      end

      def to_s
        name.to_s
      end

      def modulepath
        HieraticNative.setting('modulepath').to_s.split(':').reject(&:empty?)
      end

      alias full_modulepath modulepath

      def module(name)
        Puppet::Module.find(name)
      end

      def ==(other)
        other.is_a?(Environment)
      end

      include Partial
      HIERATIC_METHODS = %w[
        check_for_reparse config_version configuration conflicting_manifest_settings? each_plugin_directory
        full_modulepath known_resource_types loaders lock manifest module module_by_forge_name module_requirements
        modulepath modules modules_by_path name override_from_commandline override_with rich_data?
        rich_data_from_env_conf static_catalogs? to_sym validation_errors warn_about_mistaken_path with_text_domain
      ]
    end
  end

  module Util
    # The class of the tags of a catalog is made when it is used: most code needs no sets.
    def self.const_missing(name)
      HieraticNative.refuse("Puppet::Util::#{name}") unless name == :TagSet
      const_set(:TagSet, Class.new(::Set) { def join(*arguments) = to_a.join(*arguments) })
    end

    extend Partial
    HIERATIC_METHODS = %w[
      absolute_path? benchmark chuser clear_environment create_erb default_env deterministic_rand
      deterministic_rand_int display_mode exit_on_fail format_backtrace_array format_puppetstack_frame get_env
      get_environment get_posix_field gid idfield logmethods merge_environment methodbyid methodbyname
      normalize_symbolic_mode path_to_uri pretty_backtrace replace_file resolve_stackframe rfc2396_escape
      safe_posix_fork search_posix_field set_env skip_external_facts symbolic_mode_to_int symbolizehash thinmark uid
      uri_encode uri_query_encode uri_to_path uri_unescape valid_symbolic_mode? which withenv withumask
    ]

    def self.deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end

    def self.deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end

    def self.symbolizehash(hash)
      hash.transform_keys { |key| key.to_s.to_sym }
    end

    def symbolizehash(hash)
      Util.symbolizehash(hash)
    end

    def self.absolute_path?(path, platform = nil)
      slash = %r{[\\/]}
      windows = %r{^(?:[A-Z]:#{slash}|#{slash}#{slash}[^\\/]+#{slash}[^\\/]+|#{slash}#{slash}\?#{slash}[^\\/]+)}i
      path.match?(platform.to_s == 'windows' ? windows : %r{^/})
    end

    module Yaml
      extend Puppet::Constants

      class YamlLoadError < Puppet::Error; end

      def self.safe_load(text, allowed_classes = [], _filename = nil)
        data = YAML.safe_load(text, permitted_classes: allowed_classes, aliases: true)
        data.nil? ? false : data
      rescue ::Psych::DisallowedClass, ::Psych::SyntaxError => e
        raise YamlLoadError, "(<unknown>): #{e.message}"
      end

      extend HieraticPartial
    end

    def self.path_to_uri(path)
      URI.parse("file://#{path}")
    end

    def self.uri_encode(text, *)
      URI.escape(text)
    end

    module Platform
      extend Puppet::Constants

      def self.windows?
        false
      end

      def self.jruby?
        false
      end

      extend HieraticPartial
    end

    module Errors
      extend Constants
      extend HieraticPartial
    end

    module Package
      extend Constants
      extend HieraticPartial

      def versioncmp(a, b)
        HieraticNative.call('versioncmp', [a, b])
      end
      module_function :versioncmp
    end

    # Properties include these, and use them on the agent.
    module Diff
      extend Constants
      extend HieraticPartial

      %i[diff string_file_diff string_to_lines].each { |name| define_method(name) { |*| HieraticNative.refuse("Puppet::Util::Diff##{name}") } }
    end

    module SymbolicFileMode
      extend Constants
      extend HieraticPartial

      %i[valid_symbolic_mode? normalize_symbolic_mode symbolic_mode_to_int display_mode].each do |name|
        define_method(name) { |*| HieraticNative.refuse("Puppet::Util::SymbolicFileMode##{name}") }
      end
    end

    module Checksums
      extend Constants
      extend HieraticPartial

      def known_checksum_types
        %i[sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none]
      end
      module_function :known_checksum_types

      %w[md5 sha1 sha224 sha256 sha384 sha512].each do |name|
        define_method(name) { |content| Digest.const_get(name.upcase).hexdigest(content) }
        define_method(:"#{name}lite") { |content| public_send(name, content[0, 512]) } unless %w[sha224 sha384 sha512].include?(name)
        define_method(:"#{name}_file") { |*| HieraticNative.refuse("Puppet::Util::Checksums##{name}_file") }
      end
    end

    class Log
      extend Constants
      extend HieraticPartial

      def self.log_func(*)
      end
    end
  end

  module Pops
    extend Constants

    module Types
      extend Constants

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
      extend Constants
    end
  end

  class Resource
    extend Constants

    extend HieraticPartial

    def self.new(*)
      HieraticNative.refuse('Puppet::Resource.new')
    end

    # The catalog that is being compiled, as far as it can be read.
    class Catalog
      extend Constants
      extend HieraticPartial

      class DuplicateResourceError < Puppet::Error; end

      def name
        Puppet::Node.new.name
      end

      def environment
        HieraticNative.setting('environment')
      end

      def classes
        HieraticNative.classes
      end

      def resource(*arguments)
        Puppet::Parser::Resource.hieratic_find(*arguments)
      end

      include Partial
      HIERATIC_METHODS = %w[
        add_class add_edge add_relationship add_resource add_resource_after add_resource_before add_vertex
        adjacent alias apply catalog_format catalog_uuid classes clear client_version code_id container_of
        create_resource dependencies dependents direct_dependencies_of direct_dependents_of directed?
        downstream_from_vertex each_edge edge? edges edges_between encode_with environment environment_instance
        expiration expired? filter finalize find_cycles_in_graph from_cache host_config host_config? init_with
        initialize_from_hash leaves make_default_resources matching_edges merge_into merge_tags_from metadata mime
        name path_between paths_in_cycle raw_tagged? recursive_metadata relationship_graph remove_edge!
        remove_resource remove_vertex! render report_cycles_in_graph resource resource_keys resource_refs
        resources retrieval_duration reversal server_version set_tags size stringify support_format? tag
        tag_if_valid tagged? tags tarjan title_key_for_ref to_a to_data_hash to_dot to_dot_graph to_ral
        to_resource tree_from_vertex upstream_from_vertex valid_tag? version vertex? vertices walk
        write_class_file write_cycles_to_graph write_graph write_resource_file
      ]
    end
  end

  module Parser
    extend Constants

    # What templates and functions see of the scope that calls them.
    class Scope
      extend Constants
      extend HieraticPartial

      # The scope at the top, or that of the caller.
      def initialize(top = false)
        @top = top
      end

      def hieratic_name(name)
        name = name.to_s
        @top && !name.include?('::') ? "::#{name}" : name
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def []=(name, value)
        HieraticNative.set_variable(hieratic_name(name), value)
      end

      def setvar(name, value, _options = {})
        HieraticNative.set_variable(hieratic_name(name), value)
      end

      def lookupvar(name, _options = {})
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        value = HieraticNative.variable(hieratic_name(name))
        hieratic_unknown(name) if value.nil? && !HieraticNative.variable?(hieratic_name(name))
        value
      end

      def lookup_qualified_variable(name, *)
        lookupvar(name)
      end

      def include?(name)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        !HieraticNative.variable(hieratic_name(name)).nil?
      end

      def exist?(name)
        HieraticNative.variable?(hieratic_name(name))
      end

      def bound?(name)
        HieraticNative.variable?(hieratic_name(name))
      end

      def to_hash(_recursive = true, include_undef = false)
        HieraticNative.variables(include_undef)
      end

      def call_function(name, args = [], &block)
        @top ? HieraticNative.call_at_top(name.to_s, args, &block) : HieraticNative.call(name.to_s, args, &block)
      end

      %w[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) { |message| HieraticNative.log(level, message.to_s); nil }
      end

      def is_topscope?
        @top || hieratic_own == %w[class main] ? true : false
      end

      # Puppet's: an error of its class, and an original error as the last of several arguments.
      def fail(*args)
        type = args[0].is_a?(::Class) ? args.shift : Puppet::Error
        original = args.pop if args.size > 1
        error = type.new(args.join(' '))
        error.set_backtrace(original.backtrace) if original.respond_to?(:backtrace)
        raise error
      end

      def environment
        Puppet::Node::Environment.new
      end

      def compiler
        Compiler.new
      end

      def catalog
        Puppet::Resource::Catalog.new
      end

      def find_global_scope
        Scope.new(true)
      end

      # A template runs in the scope of this resource.
      def resource
        type, title = hieratic_own
        Resource.hieratic_find(type, title) || Resource.new(type, title, {})
      end

      def findresource(type, title = nil)
        Resource.hieratic_find(*(title.nil? ? [type] : [type, title]))
      end

      def find_hostclass(name, *)
        HieraticNative.call('defined', [name]) ? name : nil
      end

      # The class, define or node whose body runs.
      def source
        type, title = hieratic_own
        case type.downcase
        when 'class' then Source.new(:hostclass, title.downcase == 'main' ? '' : title.downcase)
        when 'node' then Source.new(:node, title)
        else Source.new(:definition, type.downcase)
        end
      end

      # A method or a variable of a scope would be seen by all code that gets the scope, up to Puppet's own. What a function of
      # Puppet 3 adds to itself, which is its scope there, is for itself in most of them.
      def hieratic_refuse_singleton
        HieraticNative.refuse('a method of one scope (`def scope.name`)') unless @own
      end

      # A Ruby that is not Hieratic's says it so.
      def singleton_method_added(name)
        Scope.hieratic_refuse_method(name)
        hieratic_refuse_singleton
      end

      def self.hieratic_refuse_method(name)
        return unless HIERATIC_METHODS.include?(name.to_s) || method_defined?(name)
        HieraticNative.refuse("the method #{name} of one scope, which Puppet itself would call,")
      end

      def hieratic_for_function
        @own = true
        self
      end

      def instance_variable_set(*)
        HieraticNative.refuse('a variable in a scope (`scope.instance_variable_set`)')
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
        # Those that modules define are methods.
        if text.start_with?('real_function_') && HieraticNative.function?(text.delete_prefix('real_function_'))
          HieraticNative.refuse("scope.#{text}")
        end
        super_missing(name)
      end

      def to_s
        type, title = hieratic_own
        "Scope(#{Resource.hieratic_capitalize(type)}[#{type.downcase == 'class' && title.downcase != 'main' ? Resource.hieratic_capitalize(title) : title}])"
      end

      alias inspect to_s

      private

      def hieratic_own
        type, title = HieraticNative.own_resource unless @top
        title.nil? || title.empty? ? ['class', 'main'] : [type, title]
      end

      # As settings say: a warning in Puppet 7, an error later.
      def hieratic_unknown(name)
        return if %w[module_name caller_module_name].include?(name) || name.match?(/\A\d+\z/)
        reason = name.include?('::') && !name.start_with?('::') ? "class #{name.rpartition('::')[0]} could not be found" : ''
        message = "Undefined variable '#{name}'; #{reason}"
        case Puppet[:strict]
        when nil, :off then nil
        when :warning then HieraticNative.warn_once("#{message}\n   (file & line not available)")
        else raise ArgumentError, message
        end
      end

      HIERATIC_METHODS = %w[
        adderrorcontext alert bound? call_function catalog class_scope class_set compiler crit debug defaults
        define_settings devfail effective_symtable emerg enclosing_scope environment ephemeral_from ephemeral_level
        err error_context exceptwrap exist? fail find_builtin_resource_type find_defined_resource_type
        find_definition find_hostclass find_resource_type findresource get_local_variable
        handle_not_found has_local_variable? include? info inherited_scope is_classscope? is_default? is_nodescope?
        is_topscope? lookup_qualified_variable lookupdefaults lookuptype lookupvar merge_settings new_ephemeral
        new_match_scope newscope notice parent parent_module_name pop_ephemerals push_ephemerals
        resolve_type_and_titles resource set_facts set_match_data set_server_facts set_trusted setvar source to_hash
        transform_and_assert_classnames undef_as variable_not_found warning with_global_scope with_guarded_scope
        with_local_scope with_parameter_scope without_ephemeral_scopes
      ]

      def super_missing(name)
        HieraticNative.refuse("scope.#{name}") if HIERATIC_METHODS.include?(name.to_s.delete_suffix('='))
        raise NoMethodError, "undefined method `#{name}' for #{self}:Puppet::Parser::Scope"
      end
    end

    # What is known of the type of a resource.
    Source = Struct.new(:type, :name) do
      def module_name
        HieraticNative.variable('module_name').to_s
      end

      def hostclass?
        type == :hostclass
      end

      def definition?
        type == :definition
      end

      def node?
        type == :node
      end

      %w[
        file file= line line= doc doc= arguments code code= parent parent= resource_type_collection
        resource_type_collection= adderrorcontext argument_types behaves_like child_of? devfail ensure_in_catalog
        error_context evaluate_code exceptwrap fail instantiate_resource match merge name_is_regex? namespace
        override override= parent_type set_argument_types set_arguments set_resource_parameters valid_parameter?
        validate_resource
      ].each do |method|
        define_method(method) { |*| HieraticNative.refuse("scope.source.#{method}") }
      end
    end

    class Compiler
      extend Constants
      extend HieraticPartial

      def environment
        Puppet::Node::Environment.new
      end

      def catalog
        Puppet::Resource::Catalog.new
      end

      def topscope
        Scope.new(true)
      end

      def node
        Puppet::Node.new
      end

      def findresource(*arguments)
        topscope.findresource(*arguments)
      end

      def known_resource_types
        topscope
      end

      def fail(*)
        HieraticNative.refuse('Puppet::Parser::Compiler#fail')
      end

      include Partial
      HIERATIC_METHODS = %w[
        add_catalog_validator add_catalog_validators add_class add_collection add_override add_relationship
        add_resource adderrorcontext call_function capitalize_qualified_name catalog classlist code_id
        coerce_numeric collections compile context_overrides convert create_local_scope_from create_match_scope_from
        create_resource_defaults create_resource_overrides create_resource_parameter create_resources
        delete_collection devfail diagnostic_producer environment error_context evaluate_ast_node evaluate_classes
        evaluate_node_classes evaluate_relationships exceptwrap external_call_function extract_file_line facts fail
        find_resource findresource get_resource_parameter_value get_scope_nesting_level get_variable_value
        is_boolean? is_parameter_of_resource? is_true? loaders newscope node optionally_fail qualified_variables
        relationships resource_overrides resource_to_ptype resources runtime_issue set_match_data
        set_scope_nesting_level set_variable topscope validate_catalog variable_bound? variable_exists?
        with_context_overrides
      ]
    end

    # A resource of the catalog, as far as it can be read.
    class Resource
      extend Constants
      extend HieraticPartial

      attr_reader :type, :title

      def self.hieratic_capitalize(name)
        name.to_s.split('::').map(&:capitalize).join('::')
      end

      # Returns a resource by its type and title, or by `Type[title]`.
      def self.hieratic_find(type, title = nil)
        if title.nil?
          return nil unless type.to_s =~ /\A([^\[]+)\[(.*)\]\z/m
          type, title = $1, $2
        end
        type, title = type.to_s, title.to_s
        title = title.downcase if type.downcase == 'class'
        found = HieraticNative.resource(type.downcase, title)
        found && new(type, title, found)
      end

      def initialize(type, title, parameters)
        @type = Resource.hieratic_capitalize(type)
        @title = @type == 'Class' && title != 'main' ? Resource.hieratic_capitalize(title) : title
        @parameters = parameters
      end

      def [](name)
        name.to_s == 'title' ? @title : @parameters[name.to_s]
      end

      def to_hash
        { name: @title }.merge(@parameters.compact.transform_keys(&:to_sym))
      end

      # A parameter with its value.
      Param = Struct.new(:name, :value) do
        %w[
          source source= line line= line_to_i file file= add add= adderrorcontext devfail error_context exceptwrap fail
        ].each do |method|
          define_method(method) { |*| HieraticNative.refuse("the #{method} of a parameter of a resource") }
        end
      end

      def fail(*)
        HieraticNative.refuse('Puppet::Parser::Resource#fail')
      end

      def parameters
        @parameters.to_h { |name, value| [name.to_sym, Param.new(name.to_sym, value)] }
      end

      def class?
        @type == 'Class'
      end

      def stage?
        @type == 'Stage'
      end

      def name
        self[:name] || @title
      end

      def ref
        to_s
      end

      def environment
        Puppet::Node::Environment.new
      end

      def catalog
        Puppet::Resource::Catalog.new
      end

      def ==(other)
        other.is_a?(Resource) && to_s == other.to_s
      end

      def to_s
        "#{@type}[#{@title}]"
      end

      def inspect
        to_s
      end

      include Partial
      HIERATIC_METHODS = %w[
        add_edge_to_stage adderrorcontext alert all? any? builtin? builtin_type? catalog chain chunk chunk_while
        class? clear_deprecation_warnings collect collect_concat collector_id compact copy_as_resource count crit
        cycle debug delete deprecation_warning detect devfail drop drop_while each each_cons each_entry each_slice
        each_with_index each_with_object eachparam emerg empty? encode_with entries environment err error_context
        evaluate evaluated evaluated? exceptwrap expiration expired? exported exported? fail file filter
        filter_map find find_all find_index finish finish_evaluation finished? first flat_map format_backtrace
        format_exception get_deprecation_offender grep grep_v group_by has_key? include? info init_with
        initialize_from_hash inject isomorphic? key_attributes keys kind lazy length line log_and_raise
        log_deprecations_to_file log_exception map max max_by member? merge merge_into merge_tags_from mime min
        min_by minmax minmax_by name none? notice offset one? override override? partition path pos
        prune_parameters puppet_deprecation_warning raw_tagged? reduce ref reject render resolve resource_type
        reverse_each scope select send_log sensitive_parameters set_parameter set_tags slice_after slice_before
        slice_when sort sort_by source stage? strict strict? sum support_format? tag tag_if_valid tagged? tags
        take take_while tally title to_a to_data_hash to_h to_hash to_hiera_hash to_hierayaml to_manifest to_ral
        to_ref to_set translated translated? type uniq uniqueness_key valid_parameter? valid_tag?
        validate_parameter validate_parameters virtual virtual? warn_once warning yaml_property_munge zip
      ]
    end

    class TemplateWrapper
      extend Constants
      extend HieraticPartial

      def scope
        @__scope__ ||= Scope.new
      end

      def file
        @__file__
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      %w[debug info notice warning err alert emerg crit].each do |level|
        define_method(level) { |message| HieraticNative.log(level, message.to_s); nil }
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
        return (File.exist?(name) ? name : nil) if name.start_with?('/')
        owner, file = name.split('/', 2)
        found = file && Puppet::Module.find(owner)
        found && found.template(file)
      end

      extend HieraticPartial
    end

    # The API of functions of Puppet 3.
    module Functions
      extend HieraticPartial

      # Functions are written inside of this module: a constant that Puppet does not have either is unknown.
      def self.const_missing(name)
        HieraticNative.refuse("Puppet::Parser::Functions::#{name}") if %i[AnonymousModuleAdapter AutoloaderDelegate Environment Error].include?(name)
        super
      end

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
        found = Scope.new.hieratic_for_function.__send__(:"real_function_#{name}", args)
        info[:rvalue] ? found : nil
      end

      # The one of stdlib logs only if an environment variable asks for it, and Ruby sees none here.
      newfunction(:deprecation) { |_arguments| nil }
    end
  end

  # The API of functions of Puppet 4 and later.
  module Functions
    extend Constants
    extend HieraticPartial

    @functions = {}

    def self.create_function(name, base = nil, &block)
      made = Class.new(base || Function)
      made.instance_variable_set(:@function_name, name.to_s)
      # Made here, so that asking for them changes nothing.
      made.instance_variable_set(:@types, [])
      made.instance_variable_set(:@dispatches, [])
      made.class_eval(&block)
      made.hieratic_finish
      made.instance_variable_set(:@instance, made.new(Puppet::Parser::Scope.new(true), nil))
      @functions[name.to_s] = made
    end

    def self.hieratic_functions
      @functions
    end

    class Function
      class << self
        def name
          @function_name
        end

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

      attr_reader :closure_scope

      def initialize(closure_scope, _loader)
        @closure_scope = closure_scope
      end

      # Functions run where they are defined: at the top.
      def call_function(name, *args, &block)
        unless HieraticNative.function?(name.to_s)
          raise ArgumentError, "Function #{self.class.instance_variable_get(:@function_name)}(): Unknown function: '#{name}'"
        end
        HieraticNative.call_at_top(name.to_s, args, &block)
      end

      def loader
        HieraticNative.refuse('the loader of a function')
      end

      %i[call_function_with_scope internal_call_function].each do |method|
        define_method(method) { |*| HieraticNative.refuse("#{method} of a function") }
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
  extend Puppet::Constants

  # A name with dots that is no fact leads to a value inside of one.
  def self.value(name)
    found = HieraticNative.fact(name.to_s)
    return found unless found.nil? && name.to_s.include?('.')
    name.to_s.split('.').each_with_index do |part, at|
      found = at.zero? ? HieraticNative.fact(part) : inside(found, part)
    end
    found
  end

  def self.inside(value, part)
    case value
    when ::Hash then value[part]
    when ::Array then part.match?(/\A\d+\z/) ? value[part.to_i] : nil
    end
  end
  private_class_method :inside

  def self.warn(message)
    HieraticNative.log('warning', message.to_s)
    nil
  end

  def self.fact(name)
    found = value(name)
    found.nil? ? nil : Struct.new(:value).new(found)
  end

  def self.[](name)
    fact(name)
  end

  extend HieraticPartial
end
