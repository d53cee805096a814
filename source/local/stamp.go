package local

import (
	"io/fs"
	"os"

	"tileserver/source"
)

// stampOf returns what tells versions of a file apart.
func stampOf(info fs.FileInfo) source.Stamp {
	return source.Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Tag: tagOf(info)}
}

// stateOf returns the state of what lies at a path.
func stateOf(info fs.FileInfo) source.State {
	return source.State{Stamp: stampOf(info), Mode: info.Mode()}
}

// isSame reports whether two infos of a path describe the same unchanged file: whether their stamps
// are equal. It makes no stamps, and where these have no tag, the system compares the files.
func isSame(now, then fs.FileInfo) bool {
	return os.SameFile(now, then) && now.Size() == then.Size() && now.ModTime().Equal(then.ModTime())
}
