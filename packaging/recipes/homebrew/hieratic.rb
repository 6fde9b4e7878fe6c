class Hieratic < Formula
  desc "Layered configuration data in one engine: Hiera, Puppet, Unfurl YAML and Nomad"
  homepage "https://github.com/hieratic/hieratic"
  version "@VERSION@"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "https://github.com/hieratic/hieratic/releases/download/v@VERSION@/hieratic-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 hieratic-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "https://github.com/hieratic/hieratic/releases/download/v@VERSION@/hieratic-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 hieratic-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/hieratic/hieratic/releases/download/v@VERSION@/hieratic-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 hieratic-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "https://github.com/hieratic/hieratic/releases/download/v@VERSION@/hieratic-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 hieratic-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "hieratic"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/hieratic.bash" => "hieratic"
    zsh_completion.install "completions/hieratic.zsh" => "_hieratic"
    fish_completion.install "completions/hieratic.fish"
  end

  test do
    (testpath/"hiera.yaml").write "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"
    (testpath/"data").mkpath
    (testpath/"data/common.yaml").write "port: 8080\n"
    assert_equal "--- 8080", shell_output("#{bin}/hieratic lookup port --environment-dir . --node n").strip
  end
end
