{
  description = "Layered configuration data in one engine: Hiera, Puppet, Unfurl YAML and Nomad";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      for = function: nixpkgs.lib.genAttrs systems (system: function nixpkgs.legacyPackages.${system});
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);
    in
    {
      packages = for (pkgs: rec {
        default = hieratic;
        hieratic = pkgs.rustPlatform.buildRustPackage {
          pname = "hieratic";
          version = manifest.workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "hieratic-cli" ];
          # The tests drive programs of a whole system; .ci/run runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/hieratic man man1
            installManPage man1/*.1
            for shell in bash zsh fish; do
              $out/bin/hieratic completions $shell > hieratic.$shell
            done
            installShellCompletion hieratic.bash hieratic.fish --zsh hieratic.zsh
          '';
          meta = {
            homepage = "https://github.com/hieratic/hieratic";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "hieratic";
          };
        };
      });
    };
}
