{
  lib,
  python3Packages,
  fetchPypi,
}:

let
  # Grammars that nixpkgs has; without one, edits are applied and their syntax is not checked.
  grammars = builtins.filter (name: python3Packages ? ${name}) [
@GRAMMARS:    "{}"@
  ];
in
python3Packages.buildPythonApplication rec {
  pname = "patchpoint";
  version = "@VERSION@";
  pyproject = true;

  src = fetchPypi {
    inherit pname version;
    sha256 = "@SHA256@";
  };

  build-system = [ python3Packages.hatchling ];

  dependencies =
    (with python3Packages; [
@REQUIRED:      {}@
    ])
    ++ map (name: python3Packages.${name}) grammars;

  pythonRemoveDeps = lib.subtractLists grammars [
@GRAMMARS:    "{}"@
  ];

  pythonImportsCheck = [ "patchpoint" ];

  meta = {
    description = "Language server that makes language-model edits safe in any editor";
    homepage = "@REPOSITORY@";
    license = lib.licenses.mit;
    mainProgram = "patchpoint";
  };
}
