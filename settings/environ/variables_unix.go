//go:build unix

package environ

// HomeVariable is that of the home folder.
const HomeVariable = "HOME"

// ConfigVariable says where ConfigDir is, without the variable of the specification.
const ConfigVariable = "HOME"

// StateVariable says where StateDir is, without the variable of the specification.
const StateVariable = "HOME"
