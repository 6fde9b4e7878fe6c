#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks Puppet which mutants it refuses.
#
#     mutants.rb MUTANTS MODULES [FACTS] > refused.jsonl
#
# MUTANTS is what `mutate.py` writes about files below MODULES, a folder of modules. FACTS is a file of JSON, for mutants that name none.
# Each line of the output is a mutant with `refused` and `message`. No file is written: reading one gives the text with the mistake.

require_relative 'one_process'
mutants, folder = ARGV
Dir["#{folder}/*/lib"].each { |lib| $LOAD_PATH << lib }
all_facts = Hash.new { |h, f| h[f] = JSON.parse(File.read(f)) }
# Reads of the file that has a mistake get the text with it.
module Mistaken
  def read(path, *rest, **o)
    $mistaken && path.to_s == $mistaken[0] ? $mistaken[1].dup : super
  end
end
File.singleton_class.prepend(Mistaken)
module MistakenFS
  def read(path, opts = {})
    $mistaken && path.to_s == $mistaken[0] ? $mistaken[1].dup : super
  end
  def read_preserve_line_endings(path)
    $mistaken && path.to_s == $mistaken[0] ? $mistaken[1].dup : super
  end
end
Puppet::FileSystem.singleton_class.prepend(MistakenFS)
class Puppet::Pops::Parser::Lexer2
  alias keep_lex_file lex_file
  def lex_file(file)
    return keep_lex_file(file) unless $mistaken && file.to_s == $mistaken[0]
    initvars
    contents = $mistaken[1].dup
    @scanner = StringScanner.new(contents.freeze)
    @locator = Puppet::Pops::Parser::Locator.locator(contents, file)
  end
end
File.foreach(mutants) do |line|
  one = JSON.parse(line)
  $mistaken = [one['file'], one['text']]
  kind, msg, _ = ask(folder, all_facts[one['facts'] || ARGV[2]], "include #{one['cls']}\n")
  $mistaken = nil
  one.delete('text')
  puts JSON.generate(one.merge('refused'=>kind,'message'=>msg.gsub(folder+'/','')))
  $stdout.flush
end
