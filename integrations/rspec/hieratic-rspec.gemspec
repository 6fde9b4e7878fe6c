Gem::Specification.new do |spec|
  spec.name = 'hieratic-rspec'
  spec.version = File.read(File.join(__dir__, 'VERSION')).strip
  spec.summary = 'Compiles the catalogs of rspec-puppet with Hieratic'
  spec.description = 'rspec-puppet takes its catalogs from the service of the hieratic command; all matchers work unchanged.'
  spec.authors = ['The authors of Hieratic']
  spec.licenses = %w[Apache-2.0 MIT]
  spec.homepage = 'https://github.com/hieratic/hieratic'
  spec.files = Dir.chdir(__dir__) { Dir['lib/**/*.rb'] + %w[README.md VERSION exe/hieratic-rspec] }
  spec.bindir = 'exe'
  spec.executables = %w[hieratic-rspec]
  spec.required_ruby_version = '>= 2.7'
  spec.add_dependency 'rspec-puppet', '>= 2.9', '< 6'
end
