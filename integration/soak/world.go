package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// world is the files that are served, in three folders: those that stay as they are, those that
// change, and, for the quiet server, each version of those that change as a file of its own.
type world struct {
	folder  string
	real    []string // folders of real files
	changed []*changing
	coming  [][]byte // files that come and go
}

const (
	stableFolder   = "stable"
	changingFolder = "changing"
	versionsFolder = "versions"

	versionsOfAFile = 3
	filesReplaced   = 2 // of each way to replace
	filesComing     = 4
)

// writeWorld writes all files. Real files are served where they are.
func writeWorld(folder, real string) (*world, error) {
	w := &world{folder: folder}
	for _, kind := range []string{"tiff", "jp2k", "nitf"} {
		path := filepath.Join(real, kind)
		if info, err := os.Stat(path); real != "" && err == nil && info.IsDir() {
			w.real = append(w.real, path)
		}
	}
	for _, name := range []string{stableFolder, changingFolder, versionsFolder} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			return nil, err
		}
	}
	for name, encode := range stableFiles {
		data, err := encode()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := w.write(stableFolder, name, data); err != nil {
			return nil, err
		}
	}
	if err := w.writeComing(); err != nil {
		return nil, err
	}
	return w, w.writeChanging()
}

// write writes a file that looks old, so that its pictures may be cached.
func (w *world) write(folder, name string, data []byte) error {
	path := filepath.Join(w.folder, folder, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	old := time.Now().Add(-time.Hour)
	return os.Chtimes(path, old, old)
}

func (w *world) writeComing() error {
	for i := range filesComing {
		data, err := versioned(100 + i)
		if err != nil {
			return err
		}
		w.coming = append(w.coming, data)
		if err := w.write(versionsFolder, comingLayer(i)+".tif", data); err != nil {
			return err
		}
	}
	return nil
}

func comingLayer(i int) string { return fmt.Sprint("coming", i) }

func (w *world) writeChanging() error {
	for i := range filesReplaced {
		for _, way := range []string{renamed, written} {
			c := &changing{id: fmt.Sprint(way, i), way: way}
			c.path = filepath.Join(w.folder, changingFolder, c.id+".tif")
			for v := range versionsOfAFile {
				data, err := versioned(10*len(w.changed) + v)
				if err != nil {
					return err
				}
				c.versions = append(c.versions, data)
				if err := w.write(versionsFolder, c.idOf(v)+".tif", data); err != nil {
					return err
				}
			}
			if err := w.write(changingFolder, c.id+".tif", c.versions[0]); err != nil {
				return err
			}
			w.changed = append(w.changed, c)
		}
	}
	return nil
}

// The budgets of the servers. The largest picture of the traffic needs most of rendering.
const (
	cacheMiB, inFlightMiB, renderingMiB, sendingMiB = 128, 128, 512, 128

	budgetsMiB = cacheMiB + inFlightMiB + renderingMiB + sendingMiB
)

// configuration returns a file of the configuration that serves folders of the world, and the real
// files.
func (w *world) configuration(state string, timeout time.Duration, folders ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cache: %dMiB\nin_flight: %dMiB\nrendering: %dMiB\nsending: %dMiB\n", cacheMiB, inFlightMiB, renderingMiB, sendingMiB)
	fmt.Fprintf(&b, "request_timeout: %v\nsend_allowance: 5s\nstate: '%s'\npaths:\n", timeout, state)
	for _, folder := range folders {
		fmt.Fprintf(&b, "  - '%s'\n", filepath.Join(w.folder, folder))
	}
	for _, folder := range w.real {
		fmt.Fprintf(&b, "  - '%s'\n", folder)
	}
	fmt.Fprintf(&b, "layers:\n  - {id: bare, path: '%s', max_making: 4MiB}\n", filepath.Join(w.folder, stableFolder, "bare.tif"))
	return b.String()
}

// attacked returns the configuration of the server under attack.
func (w *world) attacked() string {
	return w.configuration(filepath.Join(w.folder, "state"), 20*time.Second, stableFolder, changingFolder)
}

// untouched returns the configuration of the quiet server.
func (w *world) untouched() string {
	return w.configuration("", 5*time.Minute, stableFolder, versionsFolder)
}
