require 'spec_helper'

describe 'web01.example.com' do
  let(:pre_condition) { "node 'web01.example.com' { include own::more } node default { }" }

  it { is_expected.to compile }
  it { is_expected.to contain_class('own::more') }
end

describe 'other.example.com' do
  let(:pre_condition) { "node 'web01.example.com' { include own::more } node default { }" }

  it { is_expected.not_to contain_class('own::more') }
end
