require 'spec_helper'

describe 'own::double' do
  it { is_expected.to run.with_params(2).and_return(4) }
  it { is_expected.to run.with_params('x').and_raise_error(ArgumentError, /expects an Integer/) }
end

describe 'own::ruby_double' do
  let(:pre_condition) { 'include own::more' }

  it { is_expected.to run.with_params('x').and_return('xx') }
  it { expect(catalogue).to contain_file('/etc/own.d') }
end
