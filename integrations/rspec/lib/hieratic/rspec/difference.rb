# frozen_string_literal: true

module Hieratic
  module RSpec
    # The differences between the catalog of Hieratic and that of Puppet.
    class Difference
      def initialize(outcome, expected, error)
        @outcome = outcome
        @expected = expected
        @error = error
      end

      # Returns a line for each difference: `-` what Puppet has, `+` what Hieratic has.
      def lines
        return error_lines if @error || @outcome.error

        ours, theirs = [@outcome.catalog, @expected].map { |catalog| describe(catalog) }
        keys = theirs.keys | ours.keys
        keys.flat_map do |key|
          next [] if theirs[key] == ours[key]

          [("- #{key}: #{theirs[key]}" if theirs.key?(key)), ("+ #{key}: #{ours[key]}" if ours.key?(key))].compact
        end
      end

      private

      def error_lines
        theirs = @error ? @error.message : 'a catalog'
        ours = @outcome.error ? @outcome.error.message : 'a catalog'
        theirs == ours ? [] : ["- #{theirs}", "+ #{ours}"]
      end

      def describe(catalog)
        parts = { 'classes' => catalog.classes.sort.join(' ') }
        catalog.resources.each do |resource|
          reference = resource.ref
          parts[reference] = "#{resource.file.inspect}:#{resource.line} exported=#{resource.exported ? true : false}"
          parts["#{reference} tags"] = resource.tags.to_a.sort.join(' ')
          resource.to_hash.each { |name, value| parts["#{reference} #{name}"] = shown(value) }
          parts["#{reference} sensitive"] = resource.sensitive_parameters.map(&:to_s).sort.join(' ')
        end
        catalog.edges.each { |edge| parts["#{edge.source.ref} => #{edge.target.ref}"] = 'edge' }
        parts
      end

      def shown(value)
        case value
        when Puppet::Resource then value.ref
        when Array then "[#{value.map { |element| shown(element) }.join(', ')}]"
        when Hash then "{#{value.map { |key, element| "#{shown(key)} => #{shown(element)}" }.join(', ')}}"
        when Symbol then value.to_s.inspect
        when Puppet::Pops::Types::PSensitiveType::Sensitive then "Sensitive(#{shown(value.unwrap)})"
        when Puppet::Pops::Types::PuppetObject then "#{value._pcore_type.name}(#{shown(value._pcore_init_hash)})"
        else value.inspect
        end
      end
    end
  end
end
