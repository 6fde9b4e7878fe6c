require 'spec_helper'

describe 'own_thing' do
  let(:title) { 'x' }

  it { is_expected.to be_valid_type.with_parameters(:size) }
end
