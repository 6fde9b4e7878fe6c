# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = 'hieratic'
  spec.version = ENV.fetch('HIERATIC_VERSION')
  spec.platform = Gem::Platform.new(ENV.fetch('HIERATIC_PLATFORM'))
  spec.summary = 'The hieratic command: Hiera data, Puppet code, Unfurl YAML and Nomad jobs'
  spec.description = 'Looks keys up in Hiera data and shows where every part comes from; evaluates and checks the Puppet language. ' \
                     'The gem has a binary that needs no Puppet.'
  spec.authors = ['The authors of Hieratic']
  spec.licenses = %w[Apache-2.0 MIT]
  spec.homepage = 'https://github.com/hieratic/hieratic'
  spec.files = Dir['exe/*'] + Dir['libexec/*'] + %w[README.md LICENSE-MIT LICENSE-APACHE]
  spec.bindir = 'exe'
  spec.executables = ['hieratic']
  spec.required_ruby_version = '>= 2.7'
  spec.metadata = { 'source_code_uri' => 'https://github.com/hieratic/hieratic', 'rubygems_mfa_required' => 'true' }
end
