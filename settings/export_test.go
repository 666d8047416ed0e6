package settings

// FolderLock is the lock of who writes in a folder.
var FolderLock = folderLock
