# frozen_string_literal: true

require 'json'

# The cases of a file, as record.rb describes them.
def cases(path)
  all = []
  current = nil
  file = nil
  File.foreach(path) do |line|
    if line =~ /\A### (.*)$/
      current = { 'name' => $1.strip, 'files' => {} }
      file = 'manifests/site.pp'
      all << current
    elsif current && line =~ /\A#: (\w+) ?(.*)$/
      current[$1] = %w[facts classes parameters exported].include?($1) ? JSON.parse($2) : $2.strip
    elsif current && line =~ /\A--- (.*)$/
      file = $1.strip
      current['files'][file] = +''
    elsif current
      (current['files'][file] ||= +'') << line
    end
  end
  all.each { |one| one['files'].each_value { |text| text.sub!(/\n+\z/, "\n") } }
  all
end
