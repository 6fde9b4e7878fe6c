# Names of files, and the files that the host lets code read: those of the repository. Nothing is ever written.
class IO
  SEEK_SET = 0
end

class File < IO
  SEPARATOR = '/'
  Separator = '/'
  ALT_SEPARATOR = nil
  PATH_SEPARATOR = ':'
  FNM_PATHNAME = 2
  FNM_DOTMATCH = 4

  class << self
    def hieratic_path(path)
      path = path.to_path if path.respond_to?(:to_path)
      raise TypeError, "no implicit conversion of #{path.nil? ? 'nil' : path.class} into String" unless path.is_a?(String)
      raise ArgumentError, 'string contains null byte' if path.include?("\0")
      path
    end

    def join(*parts)
      parts = parts.flatten.map { |part| hieratic_path(part) }
      return +'' if parts.empty?
      parts.each_with_index.reduce(+'') do |joined, (part, at)|
        if at == 0 then joined << part
        elsif joined.end_with?('/') then part.start_with?('/') ? joined.sub(%r{/+\z}, '') + part : joined << part
        else part.start_with?('/') ? joined << part : joined << '/' << part
        end
      end
    end

    def basename(path, suffix = nil)
      path = hieratic_path(path)
      return +'' if path.empty?
      name = path.sub(%r{/+\z}, '')
      return +'/' if name.empty?
      name = name.split('/').last.dup
      if suffix == '.*'
        at = name.rindex('.')
        name = name[0...at] if at && at > 0
      elsif suffix && name != suffix
        name = name.delete_suffix(suffix)
      end
      name
    end

    def dirname(path)
      path = hieratic_path(path)
      cut = path.sub(%r{/+\z}, '')
      return path.start_with?('/') ? '/' : '.' if cut.empty?
      at = cut.rindex('/')
      return '.' if at.nil?
      folder = cut[0...at].sub(%r{/+\z}, '')
      folder.empty? ? '/' : folder
    end

    def extname(path)
      name = basename(path)
      at = name.rindex('.')
      return '' if at.nil? || at == 0 || at == name.size - 1 || name[0...at].delete('.').empty?
      name[at..-1]
    end

    def split(path)
      [dirname(path), basename(path)]
    end

    def absolute_path?(path)
      hieratic_path(path).start_with?('/')
    end

    def expand_path(path, folder = nil)
      path = hieratic_path(path)
      path = join(folder.nil? ? HieraticNative.refuse('the working directory') : expand_path(folder), path) unless path.start_with?('/')
      parts = []
      path.split('/').each do |part|
        case part
        when '', '.' then next
        when '..' then parts.pop
        else parts << part
        end
      end
      '/' + parts.join('/')
    end

    def absolute_path(path, folder = nil)
      expand_path(path, folder)
    end

    def fnmatch(pattern, path, *)
      source = pattern.gsub(/[.()+^$|{}\\]/) { |one| "\\#{one}" }.gsub('**/', "\0").gsub('*', '[^/]*').gsub('?', '[^/]').gsub("\0", '(?:.*/)?')
      path.match?(/\A#{source}\z/)
    end

    def fnmatch?(*arguments)
      fnmatch(*arguments)
    end

    def exist?(path)
      HieraticNative.path_kind(hieratic_path(path)) != :nothing
    end

    def exists?(path)
      exist?(path)
    end

    def file?(path)
      HieraticNative.path_kind(hieratic_path(path)) == :file
    end

    def directory?(path)
      HieraticNative.path_kind(hieratic_path(path)) == :folder
    end

    def readable?(path)
      exist?(path)
    end

    def read(path, *, **)
      path = hieratic_path(path)
      case HieraticNative.path_kind(path)
      when :folder then raise Errno::EISDIR, "Is a directory @ io_fread - #{path}"
      when :nothing then raise Errno::ENOENT, "No such file or directory @ rb_sysopen - #{path}"
      end
      HieraticNative.read_file(path)
    end

    def binread(path, *)
      read(path).b
    end

    def readlines(path, *arguments, **options)
      read(path).lines(*arguments, **options)
    end

    def foreach(path, &block)
      return readlines(path).each unless block
      readlines(path).each(&block)
      nil
    end

    def size(path)
      read(path).bytesize
    end

    def zero?(path)
      file?(path) && read(path).empty?
    end

    def empty?(path)
      zero?(path)
    end

    def size?(path)
      file?(path) && !zero?(path) ? size(path) : nil
    end

    def open(path, mode = 'r', *_arguments, **options)
      mode = options[:mode] || mode
      HieraticNative.refuse("File.open with the mode #{mode.inspect}") unless mode.is_a?(String) && mode =~ /\Ar(?!\+)[bt]?(?!\+)/
      file = StringIO.new(read(path))
      return file unless block_given?
      yield file
    end

    def new(*arguments, **options)
      open(*arguments, **options)
    end

    %i[write binwrite delete unlink rename chmod chown symlink link truncate mkfifo utime umask lchmod lchown readlink realpath
       realdirpath stat lstat ftype mtime atime ctime birthtime symlink? executable? writable? owned? identical? pipe? socket?
       world_readable? copy_stream popen sysopen select pipe for_fd].each do |name|
      define_method(name) { |*| HieraticNative.refuse("File.#{name}") }
    end
  end
end

class IO
  class << self
    def read(path, *)
      HieraticNative.refuse('IO.read of a command') if path.to_s.start_with?('|')
      File.read(path)
    end

    def readlines(path, *)
      HieraticNative.refuse('IO.readlines of a command') if path.to_s.start_with?('|')
      File.readlines(path)
    end

    def binread(path, *)
      File.binread(path)
    end

    %i[write binwrite popen sysopen select pipe for_fd copy_stream foreach open new].each do |name|
      define_method(name) { |*| HieraticNative.refuse("IO.#{name}") } unless name == :new || name == :open
    end
  end
end

# Folders of the repository. Nothing is ever made.
class Dir
  class << self
    def glob(patterns, flags = 0, base: nil, sort: true, &block)
      patterns = patterns.is_a?(Array) ? patterns : [patterns]
      found = patterns.flat_map { |one| hieratic_glob(File.hieratic_path(one), flags & File::FNM_DOTMATCH != 0, base) }
      return found if block.nil?
      found.each(&block)
      nil
    end

    def [](*patterns, base: nil, sort: true)
      glob(patterns.flatten, base: base)
    end

    def exist?(path)
      File.directory?(path)
    end

    def exists?(path)
      exist?(path)
    end

    def children(path)
      hieratic_folder(path)
      cut = File.expand_path(path) + '/'
      HieraticNative.glob(cut.gsub(/[*?\[\]{}\\]/) { |one| "\\#{one}" } + '*', true).map { |one| one.delete_prefix(cut) }
    end

    def entries(path)
      ['.', '..'] + children(path)
    end

    def each_child(path, &block)
      return to_enum(:each_child, path) unless block
      children(path).each(&block)
      nil
    end

    def foreach(path, &block)
      return to_enum(:foreach, path) unless block
      entries(path).each(&block)
      nil
    end

    def empty?(path)
      File.directory?(path) && children(path).empty?
    end

    include HieraticPartial

    %i[new open mkdir rmdir delete unlink chdir chroot pwd getwd home tmpdir mktmpdir].each do |name|
      define_method(name) { |*| HieraticNative.refuse("Dir.#{name}") }
    end

    private

    def hieratic_folder(path)
      return if File.directory?(path)
      raise Errno::ENOENT, "@ dir_initialize - #{path}"
    end

    def hieratic_glob(pattern, hidden, base)
      return HieraticNative.glob(pattern, hidden) if base.nil? || pattern.start_with?('/')
      cut = File.expand_path(base.to_s) + '/'
      HieraticNative.glob(cut.gsub(/[*?\[\]{}\\]/) { |one| "\\#{one}" } + pattern, hidden).map { |one| one.delete_prefix(cut) }
    end
  end
end

module FileTest
  %i[exist? exists? file? directory? readable? size zero?].each do |name|
    define_singleton_method(name) { |path| File.public_send(name, path) }
  end
end

class Pathname
  include Comparable

  def initialize(path)
    @path = File.hieratic_path(path)
  end

  def to_s
    @path.dup
  end

  alias to_path to_s
  alias to_str to_s

  def inspect
    "#<Pathname:#{@path}>"
  end

  def <=>(other)
    other.is_a?(Pathname) ? @path <=> other.to_s : nil
  end

  def ==(other)
    other.is_a?(Pathname) && @path == other.to_s
  end

  def eql?(other)
    self == other
  end

  def hash
    @path.hash
  end

  def +(other)
    other = other.to_s
    return Pathname.new(other) if other.start_with?('/')
    folder = @path
    other = other.sub(%r{\A(\./+)+}, '')
    while other == '..' || other.start_with?('../')
      break if folder.empty? || folder == '..' || folder.end_with?('/..')
      folder = folder == '.' ? '..' : File.dirname(folder)
      other = other == '..' ? '' : other[3..-1]
    end
    return Pathname.new(folder) if other.empty? || other == '.'
    folder == '.' ? Pathname.new(other) : Pathname.new(File.join(folder, other))
  end

  alias / +

  def join(*parts)
    parts.reduce(self) { |path, part| path + part }
  end

  def cleanpath(*)
    absolute = @path.start_with?('/')
    parts = []
    @path.split('/').each do |part|
      case part
      when '', '.' then next
      when '..' then parts.empty? || parts.last == '..' ? (parts << '..' unless absolute) : parts.pop
      else parts << part
      end
    end
    return Pathname.new('/' + parts.join('/')) if absolute
    Pathname.new(parts.empty? ? '.' : parts.join('/'))
  end

  def absolute?
    @path.start_with?('/')
  end

  def relative?
    !absolute?
  end

  def root?
    !@path.empty? && @path.delete('/').empty?
  end

  def basename(*suffix)
    Pathname.new(File.basename(@path, *suffix))
  end

  def dirname
    Pathname.new(File.dirname(@path))
  end

  alias parent dirname

  def extname
    File.extname(@path)
  end

  def sub(*arguments, &block)
    Pathname.new(@path.sub(*arguments, &block))
  end

  def sub_ext(extension)
    Pathname.new(@path.delete_suffix(File.extname(@path)) + extension)
  end

  def each_filename(&block)
    @path.split('/').reject(&:empty?).each(&block)
  end

  def expand_path(folder = nil)
    Pathname.new(File.expand_path(@path, folder))
  end

  %i[exist? file? directory? readable? read binread readlines size zero? empty?].each do |name|
    define_method(name) { |*arguments| File.public_send(name, @path, *arguments) }
  end

  %i[write delete unlink children entries glob mkdir mkpath rmtree rename realpath stat open symlink? writable? executable?].each do |name|
    define_method(name) { |*| HieraticNative.refuse("Pathname##{name}") }
  end
end

module Kernel
  def Pathname(path)
    path.is_a?(Pathname) ? path : Pathname.new(path)
  end
end
