# What the source of a resource type needs to be read for: the names of its attributes and what names its resources. Bodies of
# parameters are kept for what they say on their own level; what they do when a resource is applied is never run.
module Puppet
  module CompilableResourceType
    def is_3x_ruby_plugin?
      true
    end
  end

  class Parameter
    class << self
      attr_accessor :name, :default, :required_features, :metaparam, :hieratic_names, :doc
      attr_reader :unmunge_block

      def desc(text)
        @doc = text
      end

      def nodoc; end

      def doc
        @doc || ''
      end

      def isnamevar
        @isnamevar = true
        @required = true
      end

      def isnamevar?
        @isnamevar ? true : false
      end

      def isrequired
        @required = true
      end

      def required?
        @required ? true : false
      end

      def isrelationship; end

      def defaultto(value = nil, &block)
        @default = block || value
      end

      def nodefault
        @default = nil
      end

      def newvalues(*values)
        (@allowed ||= []).concat(values)
      end

      def newvalue(value, _options = {}, &_block)
        (@allowed ||= []) << value
      end

      def aliasvalue(name, other)
        unless (@allowed || []).any? { |one| one == other || one.to_s == other.to_s }
          raise DevError, "Cannot alias nonexistent value #{other}"
        end
        (@allowed ||= []) << name
      end

      def format_value_for_display(*)
        HieraticNative.refuse('Puppet::Parameter.format_value_for_display')
      end

      def value_collection
        @value_collection ||= ValueCollection.new(@allowed || [])
      end

      def defaultvalues
        newvalue(:present)
        newvalue(:absent)
        defaultto { :present }
      end

      # The words and the patterns of which a value must be or match one: nil if code decides, or if every value is allowed.
      def hieratic_allowed
        return if method_defined?(:unsafe_validate) || method_defined?(:validate)
        all = hieratic_own_words
        return if all.empty?
        patterns = all.select { |one| one.is_a?(Regexp) }
        words = all.reject { |one| one.is_a?(Regexp) }
        [words.map(&:to_s).uniq, patterns.map { |one| [one.source, one.options] }]
      end

      def hieratic_own_words
        @allowed || []
      end

      # The data type of the Resource API, and whether only the provider sets the attribute.
      attr_accessor :hieratic_declared

      def initvars; end

      def munge(&block)
        define_method(:unsafe_munge, &block)
      end

      def unmunge(&block)
        define_method(:unmunge, &block)
      end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      def sensitive(_value = nil, &block); end

      def proxymethods(*names)
        names.each { |name| define_method(name) { |*args| resource.send(name, *args) } }
      end

      def proxy_methods(*names)
        proxymethods(*names)
      end

      def required_features=(*features)
        @required_features = features.flatten.map { |one| one.to_s.downcase.intern }
      end

      def format=(*); end

      def inspect
        "#<Puppet::Parameter #{@name}>"
      end

      # Options that are given by name are set as attributes of the class.
      def hieratic_options(options)
        options.each do |key, value|
          next if %i[parent prefix block attributes namevar required_features].include?(key)
          setter = :"#{key}="
          public_send(setter, value) if respond_to?(setter)
        end
      end

      attr_accessor :boolean, :array_matching, :retrieve, :unmanaged
    end

    attr_accessor :resource, :value

    def provider
      @resource && @resource.provider
    end

    def name
      self.class.name
    end

    class ValueCollection
      attr_reader :values

      def initialize(values = [])
        @values = values
      end

      def match?(value)
        @values.any? { |one| one.is_a?(Regexp) ? one =~ value.to_s : one.to_s == value.to_s }
      end
    end

    class Boolean < Parameter
      def self.hieratic_own_words
        %w[true false yes no] + super
      end
    end
    class Path < Parameter
      class << self
        def accept_arrays(_bool = true); end

        def arrays?
          false
        end
      end
    end
    class PackageOptions < Parameter; end
  end

  class Property < Parameter
    attr_accessor :should

    class << self
      attr_writer :options

      def array_matching
        @array_matching || :first
      end

      def unmanaged
        @unmanaged ? true : false
      end

      def method_added(*); end
    end

    class Ensure < Property
      class << self
        attr_accessor :hieratic_ensure
      end
    end
    class Boolean < Property
      def self.hieratic_own_words
        %w[true false] + super
      end
    end
    class List < Property
      def self.is_to_s(*); end
    end
    class OrderedList < List; end
    class KeyValue < Property
      class << self
        attr_accessor :log_only_changed_or_new_keys
      end
    end
  end

  class Provider
    class << self
      attr_accessor :name, :resource_type, :doc

      # Declarations of a provider mean nothing to a compiler. Its commands are not run.
      def method_missing(name, *, &_block)
        HieraticNative.refuse("Puppet::Provider.#{name}") if %i[execute execpipe which command instances suitable?].include?(name)
        nil
      end

      def respond_to_missing?(*)
        true
      end
    end
  end

  class Type
    extend CompilableResourceType

    METAPARAMETERS = %i[noop schedule audit loglevel alias tag require subscribe before notify stage].freeze
    RELATIONSHIPS = %i[require subscribe before notify].freeze

    @hieratic_types = {}

    class RelationshipMetaparam < Puppet::Parameter; end

    class << self
      attr_accessor :self_refresh, :providerloader, :doc, :hieratic_parameters, :hieratic_properties
      attr_reader :name

      def hieratic_types
        Puppet::Type.instance_variable_get(:@hieratic_types)
      end

      def newtype(name, options = {}, &block)
        name = name.to_s.downcase.intern
        made = Class.new(options[:parent] || Puppet::Type)
        made.hieratic_start(name)
        Puppet::Type.const_set(name.to_s.capitalize, made) if name.to_s =~ /\A[a-z]\w*\z/
        hieratic_types[name] = made
        options.each do |key, value|
          setter = :"#{key}="
          made.public_send(setter, value) if key != :parent && made.respond_to?(setter)
        end
        Puppet::Type.hieratic_read { made.class_eval(&block) } if block
        made.ensurable if made.ensurable? && !made.validproperty?(:ensure)
        made
      end

      # While the source of a type is read, providers are nothing; later, code that asks for one needs it.
      def hieratic_read
        @reading = (@reading || 0) + 1
        yield
      ensure
        @reading -= 1
      end

      def hieratic_need_provider(what)
        HieraticNative.refuse("#{what} of a resource type") unless (Puppet::Type.instance_variable_get(:@reading) || 0).positive?
      end

      def hieratic_start(name)
        @name = name
        @hieratic_parameters = []
        @hieratic_properties = []
        @features = {}
      end

      def type(name)
        name = name.to_s.downcase.intern
        hieratic_types[name] || (HieraticNative.load_type(name.to_s) ? hieratic_types[name] : nil) || hieratic_agent_type(name)
      end

      # A type of the agent: its attributes are known, not its code.
      def hieratic_agent_type(name)
        @agent_types ||= {}
        return @agent_types[name] if @agent_types.key?(name)
        attributes = HieraticNative.agent_type(name.to_s)
        return nil if attributes.nil?
        made = Class.new(AgentType)
        made.hieratic_start(name)
        attributes.each { |attribute| made.newparam(attribute.intern) }
        Puppet::Type.const_set(name.to_s.capitalize, made)
        @agent_types[name] = made
      end

      def const_missing(constant)
        found = equal?(Puppet::Type) && constant.to_s =~ /\A[A-Z][a-z0-9_]*\z/ ? type(constant.to_s.downcase) : nil
        found || raise(NameError, "uninitialized constant #{self}::#{constant}")
      end

      def rmtype(name)
        hieratic_types.delete(name)
      end

      def eachtype(&block)
        hieratic_types.each_value(&block)
      end

      def metaparams
        METAPARAMETERS
      end

      def metaparam?(name)
        METAPARAMETERS.include?(name.to_s.intern)
      end

      def eachmetaparam(&block)
        METAPARAMETERS.each(&block)
      end

      def newmetaparam(name, *, &_block)
        Puppet::Parameter
      end

      def desc(text)
        @doc = text
      end

      def doc
        @doc || ''
      end

      def ensurable(&block)
        block ||= proc { defaultvalues }
        newproperty(:ensure, parent: Puppet::Property::Ensure, &block)
      end

      def ensurable?
        %i[exists? create destroy].all? { |name| public_method_defined?(name) }
      end

      def newparam(name, options = {}, &block)
        name = name.to_s.intern
        made = hieratic_attribute(name, options[:parent] || Puppet::Parameter, options[:attributes] || {}, 'Parameter', block)
        if options[:boolean]
          define_method(:"#{name}?") { ![nil, false, :false, 'false', :no, 'no', 0, '0', ''].include?(self[name]) }
        end
        made.required_features = options[:required_features] if options[:required_features]
        made.isnamevar if options[:namevar]
        @hieratic_parameters.reject! { |one| one.name == name }
        @hieratic_parameters << made
        made
      end

      def newproperty(name, options = {}, &block)
        name = name.to_s.intern
        raise DevError, "Options must be a hash, not #{options.inspect}" unless options.is_a?(Hash)
        raise DevError, "Class #{self.name} already has a property named #{name}" if validproperty?(name)
        rest = options.reject { |key, _| key == :parent }
        made = hieratic_attribute(name, options[:parent] || Puppet::Property, rest, '', block)
        name == :ensure ? @hieratic_properties.unshift(made) : @hieratic_properties << made
        made
      end

      def hieratic_attribute(name, parent, options, prefix, block)
        made = Class.new(parent)
        made.name = name
        const = "#{prefix}#{name.to_s.capitalize}"
        const_set(const, made) if const =~ /\A[A-Z]\w*\z/ && !const_defined?(const, false)
        made.hieratic_options(options)
        made.class_eval(&block) if block
        made
      end

      def parameters
        @hieratic_parameters.map(&:name)
      end

      def properties
        @hieratic_properties
      end

      def validproperties
        @hieratic_properties.map(&:name)
      end

      def validproperty?(name)
        name = name.to_s.intern
        @hieratic_properties.any? { |one| one.name == name }
      end

      def validparameter?(name)
        name = name.to_s.intern
        @hieratic_parameters.any? { |one| one.name == name } || metaparam?(name)
      end

      def validattr?(name)
        name.to_s == 'name' || validproperty?(name) || validparameter?(name)
      end

      def valid_parameter?(name)
        validattr?(name)
      end

      def attrclass(name)
        name = name.to_s.intern
        (@hieratic_properties + @hieratic_parameters).find { |one| one.name == name }
      end

      def paramclass(name)
        attrclass(name)
      end

      def propertybyname(name)
        attrclass(name)
      end

      def attrtype(name)
        return :property if validproperty?(name)
        metaparam?(name) ? :meta : :param
      end

      def allattrs
        key_attributes | (parameters & [:provider]) | validproperties | parameters | metaparams
      end

      def key_attribute_parameters
        @hieratic_parameters.select { |one| one.isnamevar? || one.name == :name }
      end

      def key_attributes
        key_attribute_parameters.map(&:name)
      end

      def title_patterns
        case key_attributes.size
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else
          raise DevError, 'you must specify title patterns when there are two or more key attributes'
        end
      end

      def isomorphic?
        @isomorphic.nil? ? true : @isomorphic
      end

      def feature(name, docs = nil, options = {}, &_block)
        @features[name] = [docs, options]
      end

      def features
        @features.keys
      end

      def provider_feature(name)
        @features[name]
      end

      def has_feature(*); end

      def autorequire(*); end

      def autobefore(*); end

      def autosubscribe(*); end

      def autonotify(*); end

      def apply_to(*); end

      def apply_to_all; end

      def apply_to_device; end

      def apply_to_host; end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      def provide(name, _options = {}, &_block)
        (@hieratic_providers ||= []) << name.to_s.intern
        Class.new(Puppet::Provider)
      end

      def provider(*)
        hieratic_need_provider('a provider')
        nil
      end

      def providers
        @hieratic_providers || []
      end

      def suitableprovider
        hieratic_need_provider('suitableprovider')
        []
      end

      def defaultprovider
        hieratic_need_provider('defaultprovider')
        nil
      end

      def mk_resource_methods; end

      def initvars; end

      def newattr(*); end

      def instances
        hieratic_need_provider('instances')
        []
      end

      def relationship_params
        []
      end

      # What a compiler wants to know.
      def hieratic_describe
        attributes = (validproperties + parameters).map(&:to_s).uniq
        keys = key_attributes.map(&:to_s).sort
        patterns = title_patterns
        {
          'attributes' => attributes,
          'keys' => keys,
          'isomorphic' => isomorphic? ? true : false,
          'provides' => !providers.empty?,
          'allowed' => attributes.map { |name| [name, attrclass(name.intern)&.hieratic_allowed] },
          'declared' => attributes.map { |name| [name, attrclass(name.intern)&.hieratic_declared] },
          'patterns' => patterns && patterns.map do |pattern, parts|
            [pattern.source, pattern.options, parts.map { |name, code| [name.to_s, Type.hieratic_changes?(code)] }]
          end,
        }
      end

      # Whether code makes something else of a part of a title.
      def hieratic_changes?(code)
        return false if code.nil?
        ['a', 'A b', '/a/b', '/a/', 'c:/x', 'a::b', ' a'].any? { |text| code.call(text.dup) != text }
      rescue StandardError
        true
      end
    end

    def [](name)
      nil
    end

    class AgentType < Type
      # The classes of its attributes.
      def self.const_missing(constant)
        const_set(constant, Class.new(Puppet::Property))
      end
    end

    def self.to_s
      @name ? "Puppet::Type::#{@name.to_s.capitalize}" : 'Puppet::Type'
    end
  end

  # Types that are declared as data.
  module ResourceApi
    def self.register_type(definition)
      raise DevError, 'requires a hash as definition' unless definition.is_a?(Hash)
      raise DevError, 'requires a `:name`' unless definition.key?(:name)
      raise DevError, 'requires `:attributes`' unless definition.key?(:attributes)
      namevars = []
      made = Puppet::Type.newtype(definition[:name].to_sym) do
        definition[:attributes].each do |name, options|
          behaviour = options[:behaviour] || options[:behavior]
          attribute =
            case behaviour
            when :namevar
              namevars << name
              newparam(name) { isnamevar }
            when :parameter then newparam(name)
            else newproperty(name)
            end
          attribute.hieratic_declared = [options[:type].to_s, behaviour == :read_only] if options[:type]
        end
        newparam(:provider) if (definition[:features] || []).include?('remote_resource_provider')
      end
      made.define_singleton_method(:title_patterns) do
        given = definition[:title_patterns]
        if given
          given.map { |one| [one[:pattern], one[:pattern].names.map { |name| [name.to_sym] }] }
        else
          [[/(.*)/m, [[namevars.size == 1 ? namevars.first : :title]]]]
        end
      end
      made
    end

    def self.register_transport(*); end

    class SimpleProvider; end
  end
end
