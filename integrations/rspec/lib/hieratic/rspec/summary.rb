# frozen_string_literal: true

require 'json'

module Hieratic
  module RSpec
    # What was compiled by whom in a run, and how long it took.
    class Summary
      # The maximum number of lines that are shown of a difference.
      MAX_LINES = 20

      def initialize(parity)
        @parity = parity
        @hieratic = @puppet = @reference = 0
        @hieratic_time = @puppet_time = @reference_time = @service_time = 0.0
        @reasons = Hash.new(0)
        @differences = []
      end

      def add_hieratic(time, milliseconds)
        @hieratic += 1
        @hieratic_time += time
        @service_time += milliseconds.to_f / 1000
      end

      def add_puppet(time, reason)
        @puppet += 1
        @puppet_time += time
        @reasons[reason] += 1
      end

      def add_reference(time)
        @reference += 1
        @reference_time += time
      end

      def add_difference(example, node, lines)
        place = example.respond_to?(:class) && example.class.respond_to?(:metadata) ? example.class.metadata[:location] : nil
        @differences << { 'place' => place.to_s, 'node' => node.name, 'lines' => lines }
      end

      def empty?
        (@hieratic + @puppet).zero?
      end

      def lines
        text = ["Hieratic: #{count(@hieratic, 'catalog')} in #{seconds(@hieratic_time)}"]
        text[0] += ", #{count(@puppet, 'catalog')} by Puppet in #{seconds(@puppet_time)}" if @puppet.positive?
        @reasons.sort_by { |_, number| -number }.each { |reason, number| text << "  by Puppet, #{number}: #{reason}" }
        text.concat(parity_lines) if @parity
        text
      end

      def to_h
        { 'hieratic' => @hieratic, 'hieratic_seconds' => @hieratic_time, 'service_seconds' => @service_time,
          'puppet' => @puppet, 'puppet_seconds' => @puppet_time, 'reasons' => @reasons,
          'compared' => @reference, 'reference_seconds' => @reference_time, 'differences' => @differences }
      end

      # Writes the numbers for programs to the file that HIERATIC_RSPEC_SUMMARY names.
      def write
        file = ENV['HIERATIC_RSPEC_SUMMARY']
        File.open(file, 'a') { |out| out.puts(JSON.generate(to_h)) } if file && !file.empty?
      end

      private

      def parity_lines
        text = ["Compared with Puppet: #{count(@reference, 'catalog')} in #{seconds(@reference_time)}, #{@differences.length} different"]
        @differences.each do |one|
          text << "  #{one['place']}"
          one['lines'].first(MAX_LINES).each { |line| text << "    #{line[0, 300]}" }
          hidden = one['lines'].length - MAX_LINES
          text << "    and #{hidden} more lines" if hidden.positive?
        end
        text
      end

      def count(number, noun)
        "#{number} #{noun}#{number == 1 ? '' : 's'}"
      end

      def seconds(time)
        format('%.1f s', time)
      end
    end
  end
end
