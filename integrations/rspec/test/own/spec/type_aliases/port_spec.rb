require 'spec_helper'

describe 'Own::Port' do
  it { is_expected.to allow_value(80) }
  it { is_expected.to allow_values(1, 65_535) }
  it { is_expected.not_to allow_value('80') }
  it { is_expected.not_to allow_values(0, 65_536) }
  it('fails') { is_expected.to allow_value(0) }
end
