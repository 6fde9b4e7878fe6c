# frozen_string_literal: true

# Runs the suite of the module `own` with Puppet and with Hieratic, and compares them example by example.
#
#   HIERATIC=/path/of/hieratic ruby integrations/rspec/test/all.rb

require 'fileutils'
require 'json'
require 'minitest/autorun'
require 'open3'
require 'tmpdir'

LIB = File.expand_path('../lib', __dir__)
$LOAD_PATH.unshift(LIB)
require 'hieratic/rspec/service'

class RSpecTest < Minitest::Test
  def setup
    @folder = Dir.mktmpdir
    @root = File.join(@folder, 'own')
    FileUtils.cp_r(File.join(__dir__, 'own'), @root)
    modules = File.join(@root, 'spec/fixtures/modules')
    FileUtils.mkdir_p(modules)
    # As puppetlabs_spec_helper makes it: a link that leads out of the folder of modules.
    FileUtils.ln_s(@root, File.join(modules, 'own'))
  end

  def teardown
    FileUtils.remove_entry(@folder)
  end

  # Runs the suite. Returns the statuses of all examples by place and text, the numbers of the gem, and what it printed.
  def run_suite(*options, environment: {}, specs: SPECS)
    report, summary = File.join(@folder, 'report.json'), File.join(@folder, 'summary.json')
    FileUtils.rm_f([report, summary])
    output, = Open3.capture2e({ 'HIERATIC_RSPEC_SUMMARY' => summary }.merge(environment), 'ruby', *options, '-S', 'rspec', '--order', 'defined',
                              '--format', 'json', '--out', report, *specs, chdir: @root)
    data = JSON.parse(File.read(report))
    assert_equal 0, data['summary']['errors_outside_of_examples_count'], output
    statuses = data['examples'].to_h { |example| ["#{example['id']} #{example['full_description']}", example['status']] }
    messages = data['examples'].to_h { |example| [example['id'], example.dig('exception', 'message')] }
    [statuses, messages, File.exist?(summary) ? JSON.parse(File.read(summary)) : nil, output]
  end

  SPECS = %w[classes defines functions hosts type_aliases types].map { |kind| "spec/#{kind}" }.freeze
  WITH_GEM = ["-I#{LIB}", '-rhieratic/rspec'].freeze

  def test_examples_are_as_with_puppet
    reference, reference_messages, = run_suite
    statuses, messages, summary, output = run_suite(*WITH_GEM)
    assert_operator reference.length, :>, 60
    assert_equal({}, statuses.reject { |name, status| reference[name] == status })
    assert_equal reference.keys, statuses.keys
    assert_equal({}, messages.reject { |id, message| reference_messages[id] == message })
    reference.each { |name, status| assert_equal(name.include?('fails') ? 'failed' : status, status, name) unless name.include?('or not') }
    assert_operator summary['hieratic'], :>, 15
    assert_equal({ 'mocked Ruby: Facter' => 1, 'a function that the suite defines in Ruby' => 1,
                   'a fact or a parameter of the node is a symbol' => 1 }, summary['reasons'])
    assert_includes output, 'by Puppet, 1: mocked Ruby: Facter'
  end

  def test_catalogs_are_equal_with_parity
    _, _, summary, output = run_suite(*WITH_GEM, environment: { 'HIERATIC_RSPEC_PARITY' => '1' })
    assert_operator summary['compared'], :>, 15
    assert_equal [], summary['differences'], output
    assert_includes output, 'Compared with Puppet:'
  end

  def test_the_command_takes_parity_and_the_arguments_of_rspec
    output, status = Open3.capture2e('ruby', "-I#{LIB}", File.expand_path('../exe/hieratic-rspec', __dir__), '--parity', '--format', 'json',
                                     'spec/defines', chdir: @root)
    assert status.success?, output
    assert_match(/Compared with Puppet: \d+ catalogs in [\d.]+ s, 0 different/, output)
  end

  def test_a_missing_command_leaves_everything_to_puppet
    reference, = run_suite(specs: ['spec/defines'])
    statuses, _, summary, output = run_suite(*WITH_GEM, environment: { 'HIERATIC' => '/nowhere/hieratic' }, specs: ['spec/defines'])
    assert_equal reference, statuses
    assert_equal 0, summary['hieratic']
    assert_includes output, 'set HIERATIC to the path of the command'
  end

  def test_a_service_that_ends_leaves_everything_to_puppet
    reference, = run_suite(specs: ['spec/defines'])
    statuses, _, summary, = run_suite(*WITH_GEM, environment: { 'HIERATIC' => '/bin/false' }, specs: ['spec/defines'])
    assert_equal reference, statuses
    assert_equal 0, summary['hieratic']
  end

  def test_it_can_be_required_by_the_suite
    helper = File.join(@root, 'spec/spec_helper.rb')
    File.write(helper, "require 'hieratic/rspec'\n#{File.read(helper)}")
    _, _, summary, = run_suite("-I#{LIB}", specs: ['spec/defines'])
    assert_operator summary['hieratic'], :>, 0
    File.write(helper, "#{File.read(helper).lines.drop(1).join}\nrequire 'hieratic/rspec'\n")
    _, _, summary, = run_suite("-I#{LIB}", specs: ['spec/defines'])
    assert_operator summary['hieratic'], :>, 0
  end

  def test_coverage_is_the_same
    report = lambda do |*options|
      _, _, _, output = run_suite(*options, environment: { 'OWN_COVERAGE' => '1' }, specs: ['spec/classes'])
      output[/Coverage Report:.*?(?=\n\n(?:Hieratic|\z)|\z)/m].split("\nHieratic:").first.strip
    end
    assert_equal report.call, report.call(*WITH_GEM)
  end

  def test_relative_folders_of_hiera_3_are_for_puppet
    require 'hieratic/rspec/obstacles'
    pattern = Hieratic::RSpec::Obstacles::RELATIVE_DATADIR
    ["---\n:yaml:\n  :datadir: 'spec/fixtures/hiera'\n", ":yaml:\n  :datadir: data\n", "  :datadir: \"%{x}/data\"\n"].each { |text| assert_match pattern, text }
    ["---\n:yaml:\n  :datadir: '/srv/data'\n", "version: 5\ndefaults:\n  datadir: data\n", ":yaml:\n  :datadir:\n"].each { |text| refute_match pattern, text }
  end

  # JGrep takes seconds for each filter, so there are few.
  def test_fact_sets_are_those_of_jgrep
    require 'facterdb'
    require 'hieratic/rspec/fact_sets'
    windows = { operatingsystem: 'windows', hardwaremodel: 'x86_64' }
    filters = [
      windows.merge(operatingsystemrelease: '"10"'), windows.merge(operatingsystemrelease: '"2012 R2"'),
      { operatingsystem: 'Ubuntu', operatingsystemrelease: '20.040' }, { operatingsystem: 'Debian', operatingsystemmajrelease: '11' },
      [windows.merge(operatingsystemrelease: '"2019"', facterversion: '/\A4\./'), { operatingsystem: 'AIX', hardwaremodel: '/^IBM,.*/' }],
      [{ 'os.name' => 'Debian', 'os.release.full' => '/^11/', 'os.hardware' => 'x86_64' }, { 'os.name.x' => 'Gentoo' }]
    ]
    documents = Hieratic::RSpec::FactSets.documents(FacterDB.database)
    filters.each do |filter|
      found = Hieratic::RSpec::FactSets.search(documents, Hieratic::RSpec::FactSets.conditions(filter))
      refute_empty found, filter
      assert_equal FacterDB.get_facts(filter, false), found.map { |set| set.transform_keys(&:to_sym) }, filter
    end
    [{ osfamily: 'null' }, { is_virtual: 'true' }, { operatingsystemmajrelease: '011' }, { 'a..b' => 'c' }, { operatingsystem: '/[a]/' }, {}, 'a=b'].each do |filter|
      assert_nil Hieratic::RSpec::FactSets.conditions(filter), filter
    end
  rescue LoadError => e
    skip "facterdb is not installed: #{e.message}"
  end

  def test_hostile_code_reaches_nothing_and_ends
    service = Hieratic::RSpec::Service.new
    target = '/tmp/hieratic-rspec-hostile'
    FileUtils.rm_f(target)
    %w[program write read environment loop memory recursion socket kill exit].each do |how|
      request = { 'node' => 'n', 'code' => "class { 'own::hostile': how => '#{how}' }", 'modulepath' => [File.join(@root, 'spec/fixtures/modules')],
                  'readable' => [@root], 'version' => '7', 'facts' => { 'os' => { 'family' => 'Debian' } }, 'limits' => { 'steps' => 2_000_000 } }
      answer = service.ask(request)
      assert_nil answer['catalog'], how
      refute_empty answer['errors'], how
      refute_includes JSON.generate(answer), 'root:', how
    end
    refute_path_exists target
    assert service.ask('node' => 'n', 'code' => "notify { 'alive': }")['catalog']
  ensure
    service&.stop
  end
end
