# frozen_string_literal: true

# Looks up a key with the gem ffi: ruby lookup.rb FOLDER NODE KEY. HIERATIC_LIBRARY is the path of the library.

require 'ffi'
require 'json'

# The functions of the library that this program calls.
module Hieratic
  extend FFI::Library
  ffi_lib ENV.fetch('HIERATIC_LIBRARY', 'hieratic')
  attach_function :hieratic_environment_open, %i[string string pointer], :pointer
  attach_function :hieratic_environment_free, [:pointer], :void
  attach_function :hieratic_node_open, %i[pointer string string string pointer], :pointer
  attach_function :hieratic_node_free, [:pointer], :void
  attach_function :hieratic_lookup, %i[pointer string string pointer], :pointer
  attach_function :hieratic_string_free, [:pointer], :void
  attach_function :hieratic_error_message, [:pointer], :string
  attach_function :hieratic_error_free, [:pointer], :void

  # The result of a call that sets an error: a pointer that is not NULL.
  def self.call(function, *arguments)
    FFI::MemoryPointer.new(:pointer) do |place|
      result = public_send(function, *arguments, place)
      return result unless result.null?

      error = place.read_pointer
      message = hieratic_error_message(error)
      hieratic_error_free(error)
      raise message
    end
  end
end

folder, name, key = ARGV
environment = Hieratic.call(:hieratic_environment_open, folder, nil)
node = Hieratic.call(:hieratic_node_open, environment, name, nil, nil)
text = Hieratic.call(:hieratic_lookup, node, key, nil)
puts JSON.generate(JSON.parse(text.read_string.force_encoding('UTF-8')))
Hieratic.hieratic_string_free(text)
Hieratic.hieratic_node_free(node)
Hieratic.hieratic_environment_free(environment)
