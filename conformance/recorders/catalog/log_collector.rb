# frozen_string_literal: true
# A destination of logs as Puppet's own tests have one.

require 'puppet'

module Puppet::Test
  class LogCollector
    def initialize(logs)
      @logs = logs
    end

    def <<(value)
      @logs << value
    end
  end
end
