# frozen_string_literal: true

module Hieratic
  module RSpec
    # Makes a Puppet::Resource::Catalog of an answer, as Puppet's own compiler would.
    class CatalogBuilder
      # A type of a resource that Puppet does not have here, so that it would refuse the code.
      class UnknownType < StandardError; end

      TYPE = '__ptype'
      VALUE = '__pvalue'
      REFERENCE = 'Puppet::Resource'

      def initialize(document, environment)
        @document = document
        @environment = environment
      end

      def build
        catalog = Puppet::Resource::Catalog.new(@document['name'], @environment)
        catalog.tag(*@document['tags'])
        catalog.catalog_format = @document['catalog_format']
        catalog.environment = @document['environment']
        catalog.environment_instance = @environment
        resources = @document['resources'].map { |resource| build_resource(resource) }
        catalog.add_resource(*resources)
        by_reference = resources.to_h { |resource| [resource.ref, resource] }
        @document['edges'].each do |edge|
          source, target = edge.values_at('source', 'target').map { |reference| by_reference[reference] || catalog.resource(reference) }
          catalog.add_edge(Puppet::Relationship.new(source, target)) if source && target
        end
        catalog.add_class(*@document['classes'])
        catalog
      end

      private

      def build_resource(data)
        type, title = data.values_at('type', 'title')
        # Puppet's compiler has a symbol here.
        title = :main if type == 'Class' && title.casecmp?('main')
        resource = Puppet::Resource.allocate
        sensitive = data['sensitive_parameters'] || []
        resource.instance_variable_set(:@type, type)
        resource.instance_variable_set(:@title, title)
        resource.instance_variable_set(:@parameters, {})
        resource.instance_variable_set(:@sensitive_parameters, sensitive.map(&:to_sym))
        resource.environment = @environment
        resource.kind = data['kind']
        resource.resource_type = definition(data['kind'], type, title)
        raise UnknownType, type.downcase if data['kind'] == 'compilable_type' && resource.resource_type.nil? && Puppet::Type.type(type).nil?

        resource.file, resource.line, resource.exported = data.values_at('file', 'line', 'exported')
        # Code that is in no file has an empty name there.
        resource.file = '' if resource.file.nil? && resource.line
        resource.virtual = false
        resource.tag(*data['tags'])
        (data['parameters'] || {}).each do |name, value|
          value = convert(value)
          value = value.unwrap if sensitive.include?(name) && value.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive)
          resource[name.to_sym] = value
        end
        resource
      end

      # What stands for a class or a defined type, whose code was not read by Puppet. Types of Puppet are found by name.
      def definition(kind, type, title)
        case kind
        when 'class' then Puppet::Resource::Type.new(:hostclass, title == :main ? '' : title.to_s.downcase)
        when 'defined_type' then (@definitions ||= {})[type] ||= Puppet::Resource::Type.new(:definition, type.downcase)
        when 'node' then Puppet::Resource::Type.new(:node, title.to_s)
        else type == 'Node' ? Puppet::Resource::Type.new(:node, title.to_s) : nil
        end
      end

      def convert(value)
        case value
        when Array then value.map { |element| convert(element) }
        when Hash
          case value[TYPE]
          when nil then value.transform_values { |element| convert(element) }
          when REFERENCE then reference(value[VALUE])
          when 'Sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(convert(value[VALUE]))
          when 'Default' then :default
          when 'Hash' then value[VALUE].each_slice(2).to_h { |key, element| [convert(key), convert(element)] }
          else Puppet::Pops::Serialization::FromDataConverter.convert(value)
          end
        else value
        end
      end

      def reference(text)
        type, title = text.match(/\A([^\[]+)\[(.*)\]\z/m).captures
        resource = Puppet::Resource.allocate
        resource.instance_variable_set(:@type, type)
        resource.instance_variable_set(:@title, type == 'Class' && title.casecmp?('main') ? :main : title)
        resource.instance_variable_set(:@parameters, {})
        resource.instance_variable_set(:@sensitive_parameters, [])
        resource.environment = @environment
        resource.exported = false
        resource.tag(type)
        resource.tag_if_valid(title)
        resource
      end
    end
  end
end
