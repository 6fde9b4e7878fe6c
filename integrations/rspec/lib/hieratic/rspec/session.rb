# frozen_string_literal: true

require 'hieratic/rspec/service'
require 'hieratic/rspec/request'
require 'hieratic/rspec/catalog_builder'
require 'hieratic/rspec/obstacles'
require 'hieratic/rspec/difference'
require 'hieratic/rspec/summary'

module Hieratic
  module RSpec
    # The compiling of one run of examples.
    class Session
      # The versions of Puppet that Hieratic reproduces.
      VERSIONS = %w[7 8 9].freeze

      attr_reader :summary

      def initialize(service: Service.new, parity: %w[1 true yes].include?(ENV['HIERATIC_RSPEC_PARITY']))
        @service = service
        @parity = parity
        @summary = Summary.new(parity)
      end

      def self.current
        @current ||= new
      end

      # Returns the catalog of a node, or raises the error of the code. The block compiles with Puppet.
      def catalog(node, exported, &by_puppet)
        reason = @disabled || (VERSIONS.include?(Puppet.version[/\A\d+/]) ? Obstacles.find(node) : "Puppet #{Puppet.version}")
        return compile_by_puppet(reason, &by_puppet) if reason

        outcome = ask(node, exported)
        return compile_by_puppet(outcome.reason, &by_puppet) if outcome.reason
        return compare(node, outcome, &by_puppet) if @parity

        outcome.logs.each { |log| replay(log) }
        outcome.value
      end

      def finish
        @service.stop
        @summary
      end

      # The result of the service: a catalog, an error, or the reason why there is neither.
      Outcome = Struct.new(:catalog, :error, :reason, :logs) do
        def value
          raise error if error

          catalog
        end
      end

      private

      def ask(node, exported)
        begun = now
        answer = @service.ask(Request.new(node, exported).to_h)
        outcome = read(answer, node.environment, exported)
        @summary.add_hieratic(now - begun, answer['milliseconds']) unless outcome.reason
        outcome
      rescue Request::Inexpressible => e
        Outcome.new(nil, nil, "a fact or a parameter of the node is #{e.message}", [])
      rescue Service::Unavailable => e
        @disabled = e.message
        Outcome.new(nil, nil, e.message, [])
      end

      def read(answer, environment, exported)
        errors = answer['errors']
        # Errors of the code have one code. Others are about the request, or what it names.
        limitation = errors.find { |error| error['limitation'] || error['code'] != 'evaluation' }
        return Outcome.new(nil, nil, "not supported: #{limitation['message'].lines.first.to_s.strip}", []) if limitation
        return Outcome.new(nil, Puppet::PreformattedError.new(errors.first['message']), nil, answer['warnings']) if errors.any?

        catalog = CatalogBuilder.new(answer['catalog'], environment).build
        catalog = catalog.filter { |resource| !resource.exported? } if exported
        Outcome.new(catalog, nil, nil, answer['warnings'])
      rescue CatalogBuilder::UnknownType => e
        Outcome.new(nil, nil, "Puppet has no resource type '#{e.message}' here", [])
      rescue Puppet::Error => e
        # Two resources have one name for Puppet, which only their types in Ruby tell.
        Outcome.new(nil, e, nil, answer['warnings'])
      end

      def compile_by_puppet(reason)
        begun = now
        yield
      ensure
        @summary.add_puppet(now - begun, reason)
      end

      def compare(node, outcome)
        begun = now
        begin
          expected = yield
        rescue Puppet::Error => e
          error = e
        end
        @summary.add_reference(now - begun)
        lines = Difference.new(outcome, expected, error).lines
        @summary.add_difference(::RSpec::Puppet.current_example, node, lines) unless lines.empty?
        raise error if error

        expected
      end

      # Logs what code said, so that it is seen where Puppet's own messages are.
      def replay(log)
        level = log['level'].to_sym
        return unless Puppet::Util::Log.levels.include?(level)

        Puppet::Util::Log.create(level: level, source: log['source'].to_s.empty? ? 'Puppet' : log['source'], message: log['message'])
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
