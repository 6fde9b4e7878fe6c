# frozen_string_literal: true

require 'io/wait'
require 'json'

module Hieratic
  module RSpec
    # The process `hieratic catalog --serve`: a request is a line of JSON, and so is its answer.
    class Service
      # The service cannot be started, or has ended.
      class Unavailable < StandardError; end

      # The time after which an answer is no longer expected, in seconds.
      TIMEOUT = 120

      def initialize(command = default_command)
        @command = command
        @last_id = 0
        @lock = Mutex.new
      end

      # Sends a request and returns the answer to it.
      def ask(request)
        @lock.synchronize do
          start unless @input
          @last_id += 1
          @input.write(JSON.generate(request.merge('id' => @last_id)), "\n")
          @input.flush
          read_answer
        end
      rescue SystemCallError, IOError => e
        stop
        raise Unavailable, "the service of hieratic has ended: #{e.message}"
      end

      # Ends the process.
      def stop
        input, output, pid = @input, @output, @pid
        @input = @output = @pid = nil
        [input, output].compact.each { |stream| stream.close unless stream.closed? }
        Process.wait(pid) if pid && @owner == Process.pid
      rescue SystemCallError, IOError
        # It has ended already.
        nil
      end

      private

      def default_command
        # Secrets are not hidden: examples compare them. No permission is given to the code under test.
        [ENV.fetch('HIERATIC', 'hieratic'), 'catalog', '--serve', '--reveal']
      end

      def start
        input_reader, @input = IO.pipe
        @output, output_writer = IO.pipe
        @output.set_encoding(Encoding::UTF_8)
        # RUBYOPT and BUNDLE_* are of no use to it. Its settings come from requests only: it starts in the root folder.
        @pid = Process.spawn({ 'RUBYOPT' => nil }, *@command, in: input_reader, out: output_writer, chdir: '/')
        @owner = Process.pid
        input_reader.close
        output_writer.close
      rescue SystemCallError => e
        @input = @output = @pid = nil
        raise Unavailable, "cannot run #{@command.first}: #{e.message}; set HIERATIC to the path of the command"
      end

      def read_answer
        loop do
          raise Unavailable, "no answer within #{TIMEOUT} seconds" unless @output.wait_readable(TIMEOUT)

          line = @output.gets
          raise Unavailable, 'the service of hieratic has ended' if line.nil?

          answer = JSON.parse(line, max_nesting: false)
          # An answer that came too late for an earlier request.
          next if answer['id'].is_a?(Integer) && answer['id'] < @last_id

          return answer
        end
      rescue Unavailable
        stop
        raise
      end
    end
  end
end
