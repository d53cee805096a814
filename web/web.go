// Package web holds the pages that show the layers: the viewer, where it was built, and a plain page that needs no
// building. It must never know how the files are served, and the files must never need anything from another site.
package web

import (
	"embed"
	"io/fs"
)

// The viewer is built from viewer/ into dist/, which holds nothing else and is not stored.
//
//go:embed all:dist plain
var files embed.FS

// Page returns the files of the viewer, or those of the plain page where the viewer was not built: index.html first among
// them. They find the server by relative addresses, so they may live under any path.
func Page() fs.FS {
	if viewer, built := Viewer(); built {
		return viewer
	}
	return Plain()
}

// Viewer returns the files of the viewer, if it was built.
func Viewer() (viewer fs.FS, built bool) {
	viewer = folder("dist")
	_, err := fs.Stat(viewer, "index.html")
	return viewer, err == nil
}

// Plain returns the files of the plain page.
func Plain() fs.FS { return folder("plain") }

// folder returns one of the folders that are part of the program.
func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err)
	}
	return sub
}
