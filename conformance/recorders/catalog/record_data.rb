#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs that Puppet compiles from small environments with data of their own.
#
#     record_data.rb FILE > environments/data.jsonl
#
# Cases are written as record.rb says; of the lines `#:` there may be one with facts. Each line of output is the case with `logs`, and with
# the `parameters` of the resources that it declares.

require_relative 'cases'
require_relative 'server'

cases(ARGV.fetch(0)).each do |one|
  one['facts'] ||= {}
  Dir.mktmpdir do |base|
    reader, writer = IO.pipe
    Process.wait(fork do
      one['files'].each do |path, text|
        path = File.join(base, 'production', path)
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text)
      end
      serve(environmentpath: base)
      environments = Puppet::Environments::Directories.new(base, [])
      environment = Puppet.override(environments: environments) { environments.get(:production) }
      collected = Collected.alone
      Puppet.override(environments: environments, current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
        catalog = catalog_data(compiled('web01.example.com', environment, one['facts']), rich: false)
        one['parameters'] = catalog['resources'].to_h { |resource| ["#{resource['type']}[#{resource['title']}]", resource['parameters'] || {}] }
                                                .reject { |name, _| %w[Stage[main] Class[Settings] Class[main]].include?(name) }
      end
      one['logs'] = collected.logs
      writer.write(JSON.generate(one).gsub("#{base}/production", '$ROOT'))
      exit!(0)
    end)
    writer.close
    puts reader.read
  end
end
