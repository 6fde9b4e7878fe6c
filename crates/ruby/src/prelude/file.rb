# Names of files, and the files that the host lets code read: those of the repository. Nothing is ever written.

# What code writes below `Puppet[:vardir]`, as functions do that keep what they have computed: it is there as long as the
# catalog is compiled, as if the folder had been empty.
module HieraticKept
  @files = {}
  @folders = {}

  class << self
    # The whole path if it is below the folder, or nil.
    def path(path)
      path = File.hieratic_path(path)
      root = HieraticNative.setting('vardir')
      return nil unless root.is_a?(String) && path.start_with?('/')
      root, path = File.expand_path(root), File.expand_path(path)
      path if root != '/' && (path == root || path.start_with?("#{root}/"))
    end

    # The same, or else the operation is refused.
    def path!(path, operation)
      path(path) || HieraticNative.refuse(operation)
    end

    def kind(path)
      return nil if @files.empty? && @folders.empty?
      path = path.start_with?('/') ? File.expand_path(path) : path
      return :file if @files.key?(path)
      :folder if @folders.key?(path)
    end

    def read(path)
      @files[File.expand_path(path)]
    end

    def write(path, text)
      folder(File.dirname(path))
      HieraticNative.warn_once("'#{path}' is not written: what it holds is there for one catalog")
      @files[path] = text.dup
    end

    def folder(path)
      while path(path) && !@folders.key?(path)
        @folders[path] = true
        path = File.dirname(path)
      end
    end

    def remove(path)
      @files.delete(path)
      @folders.delete(path)
      @files.delete_if { |one, _| one.start_with?("#{path}/") }
      @folders.delete_if { |one, _| one.start_with?("#{path}/") }
    end
  end
end

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
  HieraticStat = Struct.new(:uid, :gid, :mode)

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

    def hieratic_kind(path)
      path = hieratic_path(path)
      HieraticKept.kind(path) || HieraticNative.path_kind(path)
    end

    def exist?(path)
      hieratic_kind(path) != :nothing
    end

    def exists?(path)
      exist?(path)
    end

    def file?(path)
      hieratic_kind(path) == :file
    end

    def directory?(path)
      hieratic_kind(path) == :folder
    end

    def readable?(path)
      exist?(path)
    end

    def read(path, *, **)
      path = hieratic_path(path)
      return HieraticKept.read(path).dup if HieraticKept.kind(path) == :file
      case hieratic_kind(path)
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
      if mode.is_a?(String) && mode =~ /\A[wa][bt]?(:.*)?\z/
        refused = "File.open with the mode #{mode.inspect}"
        path = HieraticKept.path!(path, refused)
        HieraticNative.refuse("#{refused} without a block") unless block_given?
        file = StringIO.new
        result = yield file
        HieraticKept.write(path, (mode.start_with?('a') ? HieraticKept.read(path).to_s : '') + file.string)
        return result
      end
      HieraticNative.refuse("File.open with the mode #{mode.inspect}") unless mode.is_a?(String) && mode =~ /\Ar(?!\+)[bt]?(?!\+)/
      file = StringIO.new(read(path))
      return file unless block_given?
      yield file
    end

    def new(*arguments, **options)
      open(*arguments, **options)
    end

    def write(path, text, *, **)
      HieraticKept.write(HieraticKept.path!(path, 'File.write'), text.to_s)
      text.to_s.bytesize
    end

    alias binwrite write

    def delete(*paths)
      paths.each { |path| HieraticKept.remove(HieraticKept.path!(path, 'File.delete')) }.size
    end

    alias unlink delete

    # Owners and permissions of files that are nowhere.
    def chmod(_mode, *paths)
      paths.each { |path| HieraticKept.path!(path, 'File.chmod') }.size
    end

    def chown(_user, _group, *paths)
      paths.each { |path| HieraticKept.path!(path, 'File.chown') }.size
    end

    def stat(path)
      HieraticKept.path!(path, 'File.stat')
      HieraticStat.new(0, 0, 0o640)
    end

    %i[rename symlink link truncate mkfifo utime umask lchmod lchown readlink realpath
       realdirpath lstat ftype mtime atime ctime birthtime symlink? executable? writable? owned? identical? pipe? socket?
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

# Only below `Puppet[:vardir]`.
module FileUtils
  %i[mkdir mkdir_p makedirs mkpath].each do |name|
    define_method(name) do |paths, **|
      [paths].flatten.each { |path| HieraticKept.folder(HieraticKept.path!(path, "FileUtils.#{name}")) }
    end
  end

  %i[rm rm_f rm_r rm_rf rmdir remove safe_unlink rmtree].each do |name|
    define_method(name) do |paths, **|
      [paths].flatten.each { |path| HieraticKept.remove(HieraticKept.path!(path, "FileUtils.#{name}")) }
    end
  end

  %i[chmod chmod_R].each do |name|
    define_method(name) { |_mode, paths, **| [paths].flatten.each { |path| HieraticKept.path!(path, "FileUtils.#{name}") } }
  end

  %i[chown chown_R].each do |name|
    define_method(name) { |_user, _group, paths, **| [paths].flatten.each { |path| HieraticKept.path!(path, "FileUtils.#{name}") } }
  end

  def touch(paths, **)
    [paths].flatten.each do |path|
      path = HieraticKept.path!(path, 'FileUtils.touch')
      HieraticKept.write(path, HieraticKept.read(path).to_s)
    end
  end

  %i[cd chdir pwd cp copy cp_r copy_entry copy_file copy_stream mv move ln link ln_s symlink ln_sf install uptodate? compare_file cmp
     identical? compare_stream remove_dir remove_entry remove_entry_secure remove_file cp_lr].each do |name|
    define_method(name) { |*, **| HieraticNative.refuse("FileUtils.#{name}") }
  end

  extend self
  extend HieraticPartial
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
