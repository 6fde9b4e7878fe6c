# Versions of modules.
module SemanticPuppet
  # Ranges are objects of Puppet as well.
  def self.const_missing(name)
    HieraticNative.refuse("SemanticPuppet::#{name}")
  end

  class Version
    include Comparable

    class ValidationFailure < ArgumentError; end

    HIERATIC_PARTS = /[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*/
    HIERATIC_FORM = /\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(#{HIERATIC_PARTS}))?(?:\+(#{HIERATIC_PARTS}))?\Z/

    attr_reader :major, :minor, :patch

    def self.parse(text)
      found = text.match(HIERATIC_FORM)
      raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier" if found.nil?
      new(found[1].to_i, found[2].to_i, found[3].to_i, hieratic_parts(found[4], true), hieratic_parts(found[5], false))
    end

    def self.valid?(text)
      parse(text)
      true
    rescue ValidationFailure
      false
    end

    def self.const_missing(name)
      HieraticNative.refuse("SemanticPuppet::Version::#{name}")
    end

    def self.hieratic_parts(text, is_prerelease)
      return nil if text.nil?
      parts = text.split('.')
      if is_prerelease && parts.any? { |part| part.match?(/\A0\d+\z/) }
        raise ValidationFailure, 'Numeric pre-release identifiers MUST NOT contain leading zeroes'
      end
      is_prerelease ? parts.map { |part| part.match?(/\A\d+\z/) ? part.to_i : part } : parts
    end

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      unless [prerelease, build].all? { |parts| parts.nil? || parts.is_a?(Array) }
        HieraticNative.refuse('SemanticPuppet::Version.new with parts that are no lists')
      end
      @major, @minor, @patch = major.to_i, minor.to_i, patch.to_i
      @prerelease, @build = prerelease, build
    end

    def prerelease
      @prerelease && @prerelease.join('.')
    end

    def build
      @build && @build.join('.')
    end

    def stable?
      @prerelease.nil?
    end

    def to_stable
      Version.new(@major, @minor, @patch, nil, @build)
    end

    def next(part)
      case part
      when :major then Version.new(@major + 1, 0, 0)
      when :minor then Version.new(@major, @minor + 1, 0)
      when :patch then Version.new(@major, @minor, @patch + 1)
      end
    end

    def <=>(other)
      return nil unless other.is_a?(Version)
      parts = hieratic_numbers <=> other.hieratic_numbers
      parts == 0 ? hieratic_compare_prerelease(other.hieratic_prerelease) : parts
    end

    def ==(other)
      other.is_a?(Version) && (self <=> other) == 0 && build == other.build
    end

    def eql?(other)
      self == other
    end

    def hash
      to_s.hash
    end

    def to_s
      text = "#{@major}.#{@minor}.#{@patch}"
      text += "-#{prerelease}" if @prerelease
      text += "+#{build}" if @build
      text
    end

    def inspect
      to_s
    end

    protected

    def hieratic_numbers
      [@major, @minor, @patch]
    end

    def hieratic_prerelease
      @prerelease
    end

    private

    def hieratic_compare_prerelease(other)
      return (@prerelease ? -1 : 0) - (other ? -1 : 0) if @prerelease.nil? || other.nil?
      @prerelease.zip(other).each do |one, another|
        return 1 if another.nil?
        # Numbers are before words.
        order = one.is_a?(Integer) == another.is_a?(Integer) ? one <=> another : (one.is_a?(Integer) ? -1 : 1)
        return order unless order == 0
      end
      @prerelease.size <=> other.size
    end
  end
end
