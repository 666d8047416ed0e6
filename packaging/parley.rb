class Parley < Formula
  desc "Terminal chat for coding agents"
  version "@version@"
  license "MIT"

  on_macos do
    on_arm do
      url "@url darwin_arm64@"
      sha256 "@sha256 darwin_arm64@"
    end
    on_intel do
      url "@url darwin_amd64@"
      sha256 "@sha256 darwin_amd64@"
    end
  end

  on_linux do
    on_arm do
      url "@url linux_arm64@"
      sha256 "@sha256 linux_arm64@"
    end
    on_intel do
      url "@url linux_amd64@"
      sha256 "@sha256 linux_amd64@"
    end
  end

  def install
    bin.install "parley"
    man1.install "man/parley.1", "man/parley-sessions.1"
    man5.install "man/parley.toml.5"
    man7.install "man/parley-keys.7"
    bash_completion.install "completions/parley.bash" => "parley"
    zsh_completion.install "completions/_parley"
    fish_completion.install "completions/parley.fish"
    pkgshare.install "completions/parley.ps1"
    doc.install "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/parley --version")
  end
end
