#!/usr/bin/env ruby
# frozen_string_literal: true

# Records the catalogs that Puppet compiles from small environments with data of their own.
#
#     record_data.rb FILE > environments/data.jsonl
#
# A case starts with a line `### NAME`, may have a line `#: FACTS` with facts as JSON, and has files: each after a line `--- PATH`; the
# first is `manifests/site.pp`. Each line of output is the case with `logs`, and with the `parameters` of the resources that it declares.

require_relative 'server'

def cases(path)
  all = []
  file = nil
  File.foreach(path) do |line|
    case line
    when /\A### (.*)$/
      all << { 'name' => $1.strip, 'facts' => {}, 'files' => {} }
      file = 'manifests/site.pp'
    when /\A#: (.*)$/ then all.last['facts'] = JSON.parse($1)
    when /\A--- (.*)$/ then file = $1.strip
    else (all.last['files'][file] ||= +'') << line
    end
  end
  all
end

cases(ARGV.fetch(0)).each do |one|
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
