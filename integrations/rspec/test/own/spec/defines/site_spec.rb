require 'spec_helper'

describe 'own::site' do
  let(:title) { 'shop' }

  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_file('/etc/own.d/shop').that_requires('File[/etc/own.d]') }

  context 'with a quote' do
    let(:title) { "it's" }
    let(:params) { { owner: :undef, port: 443 } }

    it { is_expected.to contain_own__site("it's").with_port(443).without_owner }
  end
end
