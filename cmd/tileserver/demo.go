package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tileserver/cmd/tileserver/demo"
	"tileserver/layer"
	"tileserver/source"
)

// greeting tells the user of the demo what to do next; %s is the address of the viewer.
const greeting = `
  The demo map is ready. Open it in a browser:

      %s

  Press Ctrl+C to stop. To serve your own files: tileserver FILE…

`

// demo serves the built-in demo layers, or writes their files.
func (p *program) demo(ctx context.Context, args []string) error {
	var folder string
	c, err := p.serverConfig("demo", args, func(set *flag.FlagSet) {
		set.StringVar(&folder, "save", "", "`FOLDER` Write the demo's files to a folder, and serve nothing")
	})
	switch {
	case err != nil:
		return err
	case len(c.Paths)+len(c.Layers) > 0:
		return usageError("demo serves no files; to serve them, run: tileserver serve PATH…")
	case folder != "":
		return p.saveDemo(folder)
	}
	c.State = "" // the demo stores nothing on disk
	s, at, err := p.boundServer(c)
	if err != nil {
		return err
	}
	defer s.close()
	defer at.close()
	if err := s.addDemo(ctx); err != nil {
		return err
	}
	s.library.started.Store(true)
	s.greeting = greeting
	return s.run(ctx, at)
}

// addDemo adds the demo files as layers, as the demo configuration describes them.
func (s *server) addDemo(ctx context.Context) error {
	var c config
	if err := c.decode(demoConfiguration, demo.Configuration); err != nil {
		return err
	}
	for i, file := range demo.Files() {
		config := layer.Config{ID: file.ID, Open: func(ctx context.Context) (*layer.Dataset, error) {
			f, err := s.opener.openSource(ctx, source.NewBytes(file.Name(), file.Data), openOptions{id: file.ID})
			if err != nil {
				return nil, err
			}
			return newDataset(f, 1)
		}}
		if err := c.Layers[i].apply(&config, c.source.at("layers[%d]", i)); err != nil {
			return err
		}
		if err := s.catalog.Add(ctx, config); err != nil {
			return err
		}
	}
	return nil
}

// demoConfiguration is the name of the file that configures the demo layers.
const demoConfiguration = "tileserver.yaml"

// saveDemo writes the demo files and their configuration to a folder. It overwrites no other file.
func (p *program) saveDemo(folder string) error {
	files := map[string][]byte{demoConfiguration: demo.Configuration}
	for _, file := range demo.Files() {
		files[file.Name()] = file.Data
	}
	names := slices.Sorted(maps.Keys(files))
	var others []string
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); err == nil && !holds(path, files[name]) {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		return unusableError("nothing is written: %s has other files named %s; remove them, or name another folder", folder, strings.Join(others, ", "))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		if err := p.saveNew(filepath.Join(folder, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// saveNew calls writeNew and prints the path.
func (p *program) saveNew(path string, data []byte) error {
	if err := writeNew(path, data); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s\n", path)
	return err
}

// writeNew writes a file that must either not exist or already have the same content.
func writeNew(path string, data []byte) error {
	if holds(path, data) {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// holds reports whether a path is a regular file with this content. It opens nothing else, since
// reading a pipe might never end.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	known, err := os.ReadFile(path)
	return err == nil && bytes.Equal(known, data)
}
