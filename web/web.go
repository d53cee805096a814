// Package web embeds the web pages that show the layers: the viewer, if it was built, and a plain
// page that needs no build. It must never know how the files are served. The files must never load
// anything from another site.
package web

import (
	"embed"
	"io/fs"
)

// files holds the plain page and dist/, the output of the viewer's build from viewer/. dist/
// contains nothing else and is not in version control.
//
//go:embed all:dist plain
var files embed.FS

// Page returns the files of the viewer, or of the plain page if the viewer was not built. The entry
// page is index.html. The pages use relative addresses, so they work under any path.
func Page() fs.FS {
	if viewer, built := Viewer(); built {
		return viewer
	}
	return Plain()
}

// Viewer returns the files of the viewer, and whether it was built.
func Viewer() (viewer fs.FS, built bool) {
	viewer = folder("dist")
	_, err := fs.Stat(viewer, "index.html")
	return viewer, err == nil
}

// Plain returns the files of the plain page.
func Plain() fs.FS { return folder("plain") }

// folder returns one of the embedded folders.
func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err)
	}
	return sub
}
