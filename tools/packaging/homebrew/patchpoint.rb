class Patchpoint < Formula
  include Language::Python::Virtualenv

  desc "Language server that makes language-model edits safe in any editor"
  homepage "@REPOSITORY@"
  url "https://files.pythonhosted.org/packages/source/p/patchpoint/patchpoint-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "python@3.14"

  # brew update-python-resources patchpoint writes the resources here.

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"patchpoint", "completion")
  end

  test do
    (testpath/"a.py").write "x = 1\n"
    (testpath/"answer.md").write "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
    system bin/"patchpoint", "apply", "--no-checkpoint", "answer.md"
    assert_equal "x = 2\n", (testpath/"a.py").read
  end
end
