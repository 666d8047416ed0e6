package environ

// HomeVariable is that of the home folder.
const HomeVariable = "USERPROFILE"

// ConfigVariable says where ConfigDir is, without the variable of the specification.
const ConfigVariable = "APPDATA"

// StateVariable says where StateDir is, without the variable of the specification.
const StateVariable = "LOCALAPPDATA"
