# frozen_string_literal: true

require 'json'
require 'net/http'
require 'uri'

module PuppetX
  module Hieratic
    # The service that `hieratic serve` runs, for a level of Hiera.
    class Service
      # What stands for a secret that the service does not reveal.
      REDACTED = '[value redacted]'

      # The service answers as many keys at once.
      MOST_KEYS = 1000

      OPTIONS = %w[uri token_file environment send_facts reveal timeout ca_file node].freeze

      # The service of a level. `scope` is that of the lookup: it knows the node and its facts.
      def initialize(options, scope)
        unknown = options.keys.reject { |name| OPTIONS.include?(name) }
        raise Puppet::DataBinding::LookupError, "hieratic: unknown options #{unknown.join(', ')}" unless unknown.empty?

        @options = options
        @uri = URI(options['uri'] || raise(Puppet::DataBinding::LookupError, "hieratic: the level names no 'uri'"))
        @trusted = scope['trusted'] || {}
        @facts = scope['facts'] || {}
        @name = scope.compiler.node.name
      end

      # The name of the node that is asked for.
      def node
        # `puppet lookup` knows no trusted data of a node whose facts do not name it.
        @options['node'] || @trusted['certname'] || @name || raise(Puppet::DataBinding::LookupError, 'hieratic: the node has no name')
      end

      # The values of keys that have one. The keys are those of the data: dots and quotes in them are letters.
      def lookup(keys)
        keys.each_slice(MOST_KEYS).each_with_object({}) { |some, values| values.update(lookup_some(some)) }
      end

      # The keys that the hierarchies of the node have. The service has to know the node.
      def keys
        path = "/v1/nodes/#{URI.encode_www_form_component(node)}/keys"
        names = []
        loop do
          query = { 'limit' => 1000, 'after' => names.last, 'environment' => @options['environment'] }.compact
          page = get("#{path}?#{URI.encode_www_form(query)}")
          names.concat(page.fetch('keys'))
          return names unless page['more'] && !page['keys'].empty?
        end
      end

      private

      def lookup_some(keys)
        names = keys.to_h { |key| [quoted(key), key] }
        question = { 'node' => node, 'keys' => names.keys }
        question['environment'] = @options['environment'] if @options['environment']
        question['reveal'] = true if @options['reveal']
        if @options.fetch('send_facts', true)
          question['facts'] = @facts
          question['trusted'] = @trusted unless @trusted.empty?
        end
        answers = post('/v1/lookup', question).fetch('answers')
        answers.each_with_object({}) { |answer, values| values[names.fetch(answer['key'])] = value(answer) if found?(answer) }
      end

      # A key as a lookup names it: a dot leads into a value.
      def quoted(key)
        return key unless key.match?(/[.'"]/)

        key.include?("'") ? "\"#{key}\"" : "'#{key}'"
      end

      # Whether a key has a value. An error that is no missing key is one of the lookup.
      def found?(answer)
        return true if answer['found']

        error = answer['error'] || {}
        return false if error['code'] == 'key-not-found'

        raise Puppet::DataBinding::LookupError, "hieratic: #{answer['key']}: #{error['message']}"
      end

      # A mark in the place of a secret would be taken for the value.
      def value(answer)
        if !@options['reveal'] && redacted?(answer['value'])
          raise Puppet::DataBinding::LookupError,
                "hieratic: the value of #{answer['key']} is secret: set the option 'reveal', and start the service with --reveal"
        end
        answer['value']
      end

      def redacted?(value)
        case value
        when Hash then value.any? { |key, item| redacted?(key) || redacted?(item) }
        when Array then value.any? { |item| redacted?(item) }
        when String then value.include?(REDACTED)
        else false
        end
      end

      def get(path)
        ask(Net::HTTP::Get.new(path))
      end

      def post(path, question)
        request = Net::HTTP::Post.new(path, 'Content-Type' => 'application/json')
        request.body = JSON.generate(question)
        ask(request)
      end

      def ask(request)
        request['Authorization'] = "Bearer #{token}" if @options['token_file']
        request['Accept'] = 'application/json'
        seconds = @options.fetch('timeout', 10)
        options = { use_ssl: @uri.scheme == 'https', open_timeout: seconds, read_timeout: seconds }
        options[:ca_file] = @options['ca_file'] if @options['ca_file']
        answer = Net::HTTP.start(@uri.host, @uri.port, **options) { |http| http.request(request) }
        body = JSON.parse(answer.body)
        return body if answer.is_a?(Net::HTTPOK)

        told = [body['detail'], body['help']].compact.join('; ')
        raise Puppet::DataBinding::LookupError, "hieratic: #{@uri}: #{answer.code} #{told}"
      rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, JSON::ParserError => e
        raise Puppet::DataBinding::LookupError, "hieratic: #{@uri} does not answer: #{e.message}"
      end

      def token
        File.readlines(@options['token_file'], chomp: true).map(&:strip).find { |line| !line.empty? && !line.start_with?('#') } ||
          raise(Puppet::DataBinding::LookupError, "hieratic: #{@options['token_file']} has no token")
      end
    end
  end
end
