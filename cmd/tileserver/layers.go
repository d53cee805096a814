package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tileserver/layer"
)

// rasterExtensions are what files in a folder must end in to be layers.
var rasterExtensions = []string{".tif", ".tiff", ".gtiff", ".gtif", ".btf", ".tf8"}

// file is a file to be served. One that was named must open; one that was found
// in a folder is passed over if it does not.
type file struct {
	address
	named bool
}

// findFiles lists the files at paths, and those below the folders among them.
// What cannot be looked into below a folder is told to passOver.
func findFiles(paths []string, passOver func(path string, err error)) ([]file, error) {
	var files []file
	for _, text := range paths {
		named, err := parseAddress(text)
		if err != nil {
			return nil, err
		}
		path := named.path
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, file{named, true})
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil { // the walk follows none
			return nil, err
		}
		top := path
		err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil && path == top:
				return err
			case err != nil:
				passOver(path, err)
				return nil
			}
			if !entry.IsDir() && slices.Contains(rasterExtensions, strings.ToLower(filepath.Ext(path))) {
				files = append(files, file{address{path, 1}, false})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// identity is the same for all ways to write the address of an image.
func identity(a address) address {
	if absolute, err := filepath.Abs(a.path); err == nil {
		return address{absolute, a.page}
	}
	return address{filepath.Clean(a.path), a.page}
}

// ids gives out layer ids, each one once.
type ids map[string]bool

// take is an id for an image: the name of its file without the extension, made safe
// for a URL, with its number if it is not the first one, and with a number behind it
// if that is taken.
func (i ids) take(a address) string {
	base := filepath.Base(a.path)
	base = safeID(strings.TrimSuffix(base, filepath.Ext(base)))
	if a.page > 1 {
		base += fmt.Sprintf("-%d", a.page)
	}
	id := base
	for n := 2; i[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	i[id] = true
	return id
}

// safeID keeps letters, digits, "-", "_" and "." of a name.
func safeID(name string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '-'
		}
	}, name)
	if id = strings.Trim(id, "-."); id == "" {
		return "layer"
	}
	return id
}

// apply gives a layer what its configuration says.
func (l *layerConfig) apply(to *layer.Config) error {
	to.Title, to.BlockSize, to.MaxMakingBytes = l.Title, l.Block, int64(l.MaxMaking)
	to.StatisticsPixels = l.StatisticsPixels
	var err error
	if to.Style, err = l.style(); err != nil {
		return fmt.Errorf("layer %q: %w", to.ID, err)
	}
	own, err := stylesOf(l.Styles)
	if err != nil {
		return fmt.Errorf("layer %q: %w", to.ID, err)
	}
	to.Styles = own
	return nil
}
