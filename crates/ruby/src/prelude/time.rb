# Times are in UTC: the zone of the machine is nothing that code may know.
module HieraticCalendar
  MONTHS = %w[January February March April May June July August September October November December]
  DAYS = %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday]

  def self.days(year, month, day)
    year -= 1 if month <= 2
    era = year.div(400)
    of_era = year - era * 400
    of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2).div(5) + day - 1
    era * 146097 + of_era * 365 + of_era.div(4) - of_era.div(100) + of_year - 719468
  end

  def self.civil(days)
    days += 719468
    era = days.div(146097)
    of_era = days - era * 146097
    year = (of_era - of_era.div(1460) + of_era.div(36524) - of_era.div(146096)).div(365)
    of_year = of_era - (365 * year + year.div(4) - year.div(100))
    part = (5 * of_year + 2).div(153)
    day = of_year - (153 * part + 2).div(5) + 1
    month = part < 10 ? part + 3 : part - 9
    [year + era * 400 + (month <= 2 ? 1 : 0), month, day]
  end

  def self.month(text)
    MONTHS.index { |one| one[0, 3].casecmp?(text[0, 3]) }&.succ
  end

  def strftime(layout = '%F')
    layout.gsub(/%([-0^#_:]*)(\d*)([a-zA-Z%+])/) do
      flags = $1
      width = $2
      letter = $3
      value, size, fill =
        case letter
        when 'Y' then [year, 0, '0']
        when 'C' then [year.div(100), 2, '0']
        when 'y' then [year % 100, 2, '0']
        when 'm' then [month, 2, '0']
        when 'B' then [MONTHS[month - 1], 0, ' ']
        when 'b', 'h' then [MONTHS[month - 1][0, 3], 0, ' ']
        when 'd' then [day, 2, '0']
        when 'e' then [day, 2, ' ']
        when 'j' then [yday, 3, '0']
        when 'H' then [hour, 2, '0']
        when 'k' then [hour, 2, ' ']
        when 'I' then [(hour % 12).zero? ? 12 : hour % 12, 2, '0']
        when 'l' then [(hour % 12).zero? ? 12 : hour % 12, 2, ' ']
        when 'M' then [min, 2, '0']
        when 'S' then [sec, 2, '0']
        when 'L' then [format('%03d', (subsec * 1000).floor), 0, ' ']
        when 'N' then [format('%09d', (subsec * 1_000_000_000).floor), 0, ' ']
        when 'z' then [flags.include?(':') ? '+00:00' : '+0000', 0, ' ']
        when 'Z' then ['UTC', 0, ' ']
        when 'A' then [DAYS[wday], 0, ' ']
        when 'a' then [DAYS[wday][0, 3], 0, ' ']
        when 'u' then [wday.zero? ? 7 : wday, 1, '0']
        when 'w' then [wday, 1, '0']
        when 'p' then [hour < 12 ? 'AM' : 'PM', 0, ' ']
        when 'P' then [hour < 12 ? 'am' : 'pm', 0, ' ']
        when 's' then [to_i, 0, '0']
        when 'U' then [(yday - 1 + 7 - wday).div(7), 2, '0']
        when 'W' then [(yday - 1 + 7 - (wday - 1) % 7).div(7), 2, '0']
        when 'G' then [hieratic_week[0], 0, '0']
        when 'g' then [hieratic_week[0] % 100, 2, '0']
        when 'V' then [hieratic_week[1], 2, '0']
        when 'n' then ["\n", 0, ' ']
        when 't' then ["\t", 0, ' ']
        when '%' then ['%', 0, ' ']
        when 'F' then [strftime('%Y-%m-%d'), 0, ' ']
        when 'T', 'X' then [strftime('%H:%M:%S'), 0, ' ']
        when 'R' then [strftime('%H:%M'), 0, ' ']
        when 'D', 'x' then [strftime('%m/%d/%y'), 0, ' ']
        when 'c' then [strftime('%a %b %e %H:%M:%S %Y'), 0, ' ']
        when 'r' then [strftime('%I:%M:%S %p'), 0, ' ']
        else next $~[0]
        end
      text = value.to_s
      text = text.upcase if flags.include?('^') || flags.include?('#')
      size = width.to_i unless width.empty?
      fill = '0' if flags.include?('0')
      fill = ' ' if flags.include?('_')
      flags.include?('-') ? text : text.rjust(size, fill)
    end
  end

  # The year and the number of the week that ISO 8601 counts.
  def hieratic_week
    week = (yday - (wday - 1) % 7 + 9).div(7)
    if week < 1
      before = year - 1
      [before, hieratic_weeks(before)]
    elsif week > hieratic_weeks(year)
      [year + 1, 1]
    else
      [year, week]
    end
  end

  def hieratic_weeks(year)
    first = lambda { |of| (of + of.div(4) - of.div(100) + of.div(400)) % 7 }
    first.call(year) == 4 || first.call(year - 1) == 3 ? 53 : 52
  end

  def leap?
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  end

  DAYS.each_with_index { |name, at| define_method(:"#{name.downcase}?") { wday == at } }
end

class Time
  include Comparable
  include HieraticCalendar

  attr_reader :year, :month, :day, :hour, :min, :sec, :subsec

  def dst?
    false
  end
  alias isdst dst?

  def round(digits = 0)
    Time.at((to_i + subsec).round(digits)).utc
  end

  def self.now(**)
    at(HieraticNative.now)
  end

  def self.at(seconds, *)
    seconds = seconds.to_f if seconds.is_a?(Time)
    allocate.tap { |time| time.__send__(:hieratic_set, seconds) }
  end

  def self.utc(year, month = 1, day = 1, hour = 0, min = 0, sec = 0, *)
    month = HieraticCalendar.month(month) || month.to_i if month.is_a?(String)
    at(HieraticCalendar.days(year.to_i, month.to_i, day.to_i) * 86_400 + hour.to_i * 3600 + min.to_i * 60 + sec)
  end

  def self.gm(*args)
    utc(*args)
  end

  def self.mktime(*args)
    utc(*args)
  end

  def self.local(*args)
    utc(*args)
  end

  def self.new(*args, **options)
    args.empty? ? now : utc(*args[0, 6])
  end

  def self.parse(text, *)
    date = Date._hieratic_parse(text) or raise ArgumentError, "no time information in #{text.inspect}"
    hour, min, sec, zone = 0, 0, 0, nil
    if text =~ /(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?/
      hour, min, sec, zone = $1.to_i, $2.to_i, ($3.to_s.include?('.') ? $3.to_f : $3.to_i), $4
    end
    offset = zone =~ /([+-])(\d{2}):?(\d{2})/ ? ($1 == '-' ? -1 : 1) * ($2.to_i * 3600 + $3.to_i * 60) : 0
    utc(*date, hour, min, sec) - offset
  end

  def self.iso8601(text)
    parse(text)
  end

  def self.strptime(text, _layout = nil)
    parse(text)
  end

  def mon
    month
  end

  def mday
    day
  end

  def wday
    (@days + 4) % 7
  end

  def yday
    @days - HieraticCalendar.days(year, 1, 1) + 1
  end

  def to_i
    @seconds.floor
  end

  def to_f
    @seconds.to_f
  end

  def to_r
    @seconds
  end

  def usec
    (subsec * 1_000_000).floor
  end

  def nsec
    (subsec * 1_000_000_000).floor
  end

  def utc
    self
  end

  def getutc
    self
  end

  def gmtime
    self
  end

  def localtime(*)
    self
  end

  def getlocal(*)
    self
  end

  def utc?
    true
  end

  def utc_offset
    0
  end

  def zone
    'UTC'
  end

  def +(other)
    Time.at(@seconds + other)
  end

  def -(other)
    other.is_a?(Time) ? (@seconds - other.hieratic_seconds).to_f : Time.at(@seconds - other)
  end

  def <=>(other)
    other.is_a?(Time) ? @seconds <=> other.hieratic_seconds : nil
  end

  def eql?(other)
    other.is_a?(Time) && @seconds == other.hieratic_seconds
  end

  def hash
    @seconds.hash
  end

  def iso8601(digits = 0)
    strftime('%Y-%m-%dT%H:%M:%S') + (digits > 0 ? format(".%0#{digits}d", (subsec * 10**digits).floor) : '') + 'Z'
  end

  def xmlschema(digits = 0)
    iso8601(digits)
  end

  def rfc2822
    strftime('%a, %d %b %Y %H:%M:%S -0000')
  end

  def httpdate
    strftime('%a, %d %b %Y %H:%M:%S GMT')
  end

  def to_a
    [sec, min, hour, day, month, year, wday, yday, false, zone]
  end

  def to_time
    self
  end

  def to_date
    Date.new(year, month, day)
  end

  def to_s
    strftime('%Y-%m-%d %H:%M:%S UTC')
  end

  def inspect
    to_s
  end

  def hieratic_seconds
    @seconds
  end

  private

  def hieratic_set(seconds)
    @seconds = seconds
    whole = seconds.floor
    @subsec = seconds - whole
    @days = whole.div(86_400)
    @year, @month, @day = HieraticCalendar.civil(@days)
    rest = whole % 86_400
    @hour = rest / 3600
    @min = rest % 3600 / 60
    @sec = rest % 60
  end
end

class Date
  include Comparable
  include HieraticCalendar

  class Error < ArgumentError; end
  MONTHNAMES = [nil] + HieraticCalendar::MONTHS
  ABBR_MONTHNAMES = [nil] + HieraticCalendar::MONTHS.map { |one| one[0, 3] }
  DAYNAMES = HieraticCalendar::DAYS
  ABBR_DAYNAMES = HieraticCalendar::DAYS.map { |one| one[0, 3] }

  attr_reader :year, :month, :day

  def self.today
    Time.now.to_date
  end

  def self.civil(*args)
    new(*args)
  end

  def self.valid_date?(year, month, day)
    HieraticCalendar.civil(HieraticCalendar.days(year, month, day)) == [year, month, day]
  rescue StandardError
    false
  end

  def self._hieratic_parse(text)
    case text
    when /(\d{4})-(\d{1,2})-(\d{1,2})/ then [$1.to_i, $2.to_i, $3.to_i]
    when /\b(\d{4})(\d{2})(\d{2})\b/ then [$1.to_i, $2.to_i, $3.to_i]
    when %r{(\d{4})/(\d{1,2})/(\d{1,2})} then [$1.to_i, $2.to_i, $3.to_i]
    when /(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3,})\.?,?\s+(-?\d{4})/ then [$3.to_i, HieraticCalendar.month($2), $1.to_i]
    when /([A-Za-z]{3,})\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:.*\s)?(\d{4})/ then (month = HieraticCalendar.month($1)) && [$3.to_i, month, $2.to_i]
    end
  end

  def self.parse(text, *)
    parts = _hieratic_parse(text)
    raise Error, 'invalid date' unless parts && valid_date?(*parts)
    new(*parts)
  end

  def self.iso8601(text)
    parse(text)
  end

  def self.strptime(text, _layout = nil)
    parse(text)
  end

  def initialize(year = -4712, month = 1, day = 1)
    if day < 0
      following = month == 12 ? HieraticCalendar.days(year + 1, 1, 1) : HieraticCalendar.days(year, month + 1, 1)
      day = HieraticCalendar.civil(following + day)[2]
    end
    @days = HieraticCalendar.days(year, month, day)
    raise Error, 'invalid date' unless HieraticCalendar.civil(@days) == [year, month, day]
    @year, @month, @day = year, month, day
  end

  def hour
    0
  end

  def min
    0
  end

  def sec
    0
  end

  def subsec
    0
  end

  def mon
    month
  end

  def mday
    day
  end

  def wday
    (@days + 4) % 7
  end

  def yday
    @days - HieraticCalendar.days(year, 1, 1) + 1
  end

  def to_i
    @days * 86_400
  end

  def jd
    @days + 2_440_588
  end

  def hieratic_days
    @days
  end

  def +(other)
    Date.new(*HieraticCalendar.civil(@days + other))
  end

  def -(other)
    other.is_a?(Date) ? @days - other.hieratic_days : self + -other
  end

  def >>(count)
    total = year * 12 + month - 1 + count
    last = Date.new(total.div(12), total % 12 + 1, -1).day
    Date.new(total.div(12), total % 12 + 1, [day, last].min)
  end

  def <<(count)
    self >> -count
  end

  def next_day(count = 1)
    self + count
  end

  def prev_day(count = 1)
    self - count
  end

  def next_month(count = 1)
    self >> count
  end

  def prev_month(count = 1)
    self >> -count
  end

  def next_year(count = 1)
    self >> count * 12
  end

  def succ
    self + 1
  end

  def next
    succ
  end

  def <=>(other)
    other.is_a?(Date) ? @days <=> other.hieratic_days : nil
  end

  def eql?(other)
    other.is_a?(Date) && self == other
  end

  def hash
    @days
  end

  def to_date
    self
  end

  def to_time
    Time.utc(year, month, day)
  end

  def iso8601
    to_s
  end

  def to_s
    format('%04d-%02d-%02d', year, month, day)
  end

  def inspect
    "#<Date: #{self}>"
  end
end

class DateTime < Date
  def self.now
    Time.now
  end

  def self.parse(text, *)
    Time.parse(text)
  end
end
