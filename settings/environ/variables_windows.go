package environ

// The variables of the home folder, and of the folders that ConfigDir and StateDir are in where those of the
// specification are not set.
const HomeVariable, ConfigVariable, StateVariable = "USERPROFILE", "APPDATA", "LOCALAPPDATA"
