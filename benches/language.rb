# The reference on manifests, in one process.
# Usage: ruby language.rb evaluate FILE... prints name and seconds of each; ruby language.rb check LIST prints the number
# of files and the seconds that parsing and validating them take.
require 'puppet'
require 'puppet/pops'
require 'tmpdir'

scratch = Dir.mktmpdir
Puppet.initialize_settings(['--confdir', scratch, '--vardir', scratch, '--codedir', scratch])
environment = Puppet::Node::Environment.create(:production, [])
clock = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment),
                loaders: Puppet::Pops::Loaders.new(environment)) do
  case ARGV.shift
  when 'evaluate'
    ARGV.map { |file| File.expand_path(file) }.each do |file|
      compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('bench.example.com', environment: environment))
      Puppet.override(compiler.context_overrides) do
        parser = Puppet::Pops::Parser::EvaluatingParser.new
        program = parser.parse_file(file)
        compiler.loaders.instantiate_definitions(program, compiler.loaders.public_environment_loader)
        start = clock.call
        parser.evaluate(compiler.topscope, program)
        puts format('%s %.4f', File.basename(file), clock.call - start)
      end
    end
  when 'check'
    texts = File.readlines(ARGV[0], chomp: true).map { |file| [file, File.read(file)] }
    parser = Puppet::Pops::Parser::Parser.new
    start = clock.call
    texts.each do |file, text|
      begin
        result = parser.parse_string(text, file)
        acceptor = Puppet::Pops::Validation::Acceptor.new
        Puppet::Pops::Validation::ValidatorFactory_4_0.new.validator(acceptor).validate(result.model)
      rescue Puppet::ParseError
        # A text that is none takes time too.
      end
    end
    puts format('%d %.4f', texts.size, clock.call - start)
  end
end
