# frozen_string_literal: true

require 'json'

module Hieratic
  module RSpec
    # Finds fact sets in facterdb without JGrep, which takes seconds for each call of `on_supported_os`. What a filter found is kept, and
    # each call gets a copy, as if it were found again.
    module FactSets
      # The values of filters whose meaning is known without JGrep: words, which may be numbers, quoted words, and regular expressions.
      WORD = /\A(?!(?:null|true|false)\z)[\w.-]+\z/.freeze
      QUOTED = /\A"((?!(?:null|true|false)"\z)[\w. -]+)"\z/.freeze
      # Brackets, quotes and operators inside of an expression are another thing for JGrep, or an error.
      PATTERN = %r{\A/([^/\[\](){}"'=<>!&|\s]+)/\z}.freeze
      KEY = /\A\w+(?:\.\w+)*\z/.freeze
      # Texts that JGrep compares as numbers. With a leading zero, they are errors there.
      INTEGER = /\A\d+\z/.freeze
      FLOAT = /\A\d+\.\d+\z/.freeze
      UNCERTAIN = /\A0\d|\n/.freeze

      # Versions of facterdb from 3 on have a keyword for names as strings. Before, a hash is the second argument, and means nothing.
      def get_facts(filter = nil, *rest, **options)
        conditions = respond_to?(:database, true) && (options.keys - %i[symbolize_keys]).empty? ? FactSets.conditions(filter) : nil
        return super if conditions.nil?

        @hieratic_found ||= {}
        found = @hieratic_found[conditions] ||= FactSets.search(FactSets.documents(database), conditions)&.then { |sets| Marshal.dump(sets) }
        return super if found.nil?

        sets = Marshal.load(found)
        has_strings = options[:symbolize_keys] == false && method(:get_facts).super_method&.parameters&.include?(%i[key symbolize_keys])
        has_strings ? sets : sets.map { |set| set.transform_keys(&:to_sym) }
      end

      class << self
        # The alternatives of a filter, each a list of keys and values; nil for a filter with another meaning in JGrep.
        def conditions(filter)
          alternatives = filter.is_a?(Hash) ? [filter] : filter
          return unless alternatives.is_a?(Array) && !alternatives.empty? && alternatives.all? { |one| one.is_a?(Hash) && !one.empty? }

          known = alternatives.flat_map(&:to_a).all? { |key, value| KEY.match?(key.to_s) && value.is_a?(String) && [WORD, QUOTED, PATTERN].any? { |form| form.match?(value) } }
          return if known && alternatives.any? { |one| one.any? { |_, value| UNCERTAIN.match?(value[QUOTED, 1] || value) } }

          alternatives.map { |one| one.map { |key, value| [key.to_s, value] } } if known
        end

        # The database is read once, unless it is another one.
        def documents(database)
          return @documents if @database.equal?(database)

          @database = database
          @documents = JSON.parse(database)
        end

        # Returns the fitting sets in the order of the database; nil if one has a value that JGrep would convert.
        def search(documents, conditions)
          tests = conditions.map do |one|
            one.map { |key, value| [key.split('.'), (pattern = value[PATTERN, 1]) ? Regexp.new(pattern) : value[QUOTED, 1] || value] }
          end
          documents.select do |document|
            tests.any? do |one|
              one.all? do |path, value|
                fact = dig(document, path)
                next false if fact.nil?
                return nil unless fact.is_a?(String) && !UNCERTAIN.match?(fact)

                value.is_a?(Regexp) ? value.match?(fact) : same?(fact, value)
              end
            end
          end
        end

        private

        # The value that JGrep finds: it stops at the first one that is no hash.
        def dig(document, path)
          path.inject(document) do |value, part|
            found = value[part]
            return found unless found.is_a?(Hash)

            found
          end
        end

        def same?(fact, value)
          return true if fact == value
          return Integer(fact, 10) == Integer(value, 10) if INTEGER.match?(fact) && INTEGER.match?(value)

          FLOAT.match?(fact) && FLOAT.match?(value) && Float(fact) == Float(value)
        end
      end
    end
  end
end
