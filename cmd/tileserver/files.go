package main

import (
	"tileserver/source"
	"tileserver/source/local"
)

// files returns the store of all files that commands read and the server serves.
func files() source.Store { return local.Store{} }
