# Versions of gems are compared; nothing is installed.
module Gem
  VERSION = '3.3.5'

  class LoadError < ::LoadError; end
  class MissingSpecError < Gem::LoadError; end

  class Version
    include Comparable

    PATTERN = /\A\s*([0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z/

    def self.correct?(version)
      version.to_s.match?(PATTERN)
    end

    def self.create(version)
      version.is_a?(Version) || version.nil? ? version : new(version)
    end

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless self.class.correct?(version)
      @version = version.to_s.strip.gsub('-', '.pre.')
      @version = '0' if @version.empty?
    end

    def version
      @version
    end

    def to_s
      @version
    end

    def inspect
      "Gem::Version.new(#{@version.inspect})"
    end

    def segments
      @version.scan(/[0-9]+|[a-z]+/i).map { |part| part =~ /\A\d/ ? part.to_i : part }
    end

    def prerelease?
      @version.match?(/[a-zA-Z]/)
    end

    def release
      return self unless prerelease?
      Version.new(segments.take_while { |one| one.is_a?(Integer) }.join('.'))
    end

    def bump
      parts = segments.take_while { |one| one.is_a?(Integer) }
      parts.pop if parts.size > 1
      parts[-1] += 1
      Version.new(parts.join('.'))
    end

    def canonical_segments
      numbers, rest = segments.partition.with_index { |_, at| segments[0..at].all?(Integer) }
      numbers.pop while numbers.last == 0
      rest.pop while rest.last == 0
      numbers + rest
    end

    def <=>(other)
      other = Version.new(other) if other.is_a?(String) && Version.correct?(other)
      return nil unless other.is_a?(Version)
      mine, theirs = canonical_segments, other.canonical_segments
      [mine.size, theirs.size].max.times do |at|
        left, right = mine[at] || 0, theirs[at] || 0
        next if left == right
        return -1 if left.is_a?(String) && right.is_a?(Integer)
        return 1 if left.is_a?(Integer) && right.is_a?(String)
        return left <=> right
      end
      0
    end

    def eql?(other)
      other.is_a?(Version) && @version == other.version
    end

    def hash
      canonical_segments.hash
    end
  end

  class Requirement
    def self.default
      new('>= 0')
    end

    def initialize(*requirements)
      @requirements = requirements.flatten.compact.map do |text|
        raise ArgumentError, "Illformed requirement [#{text.inspect}]" unless text.to_s =~ /\A\s*(=|!=|>=|<=|>|<|~>)?\s*(\S+)\s*\z/
        [$1 || '=', Version.new($2)]
      end
    end

    def satisfied_by?(version)
      @requirements.all? do |operator, wanted|
        case operator
        when '=' then version == wanted
        when '!=' then version != wanted
        when '>=' then version >= wanted
        when '<=' then version <= wanted
        when '>' then version > wanted
        when '<' then version < wanted
        when '~>' then version >= wanted && version.release < wanted.bump
        end
      end
    end
  end

  class Dependency
    attr_reader :name, :requirement

    def initialize(name, *requirements)
      @name = name
      @requirement = Requirement.new(*requirements)
    end

    def match?(_name, version, *)
      @requirement.satisfied_by?(Version.create(version))
    end
  end
end
