package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tileserver/cmd/tileserver/demo"
	"tileserver/layer"
	"tileserver/source"
)

// greeting tells whoever tries the demo what to do next; %s is the address of the viewer.
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
	c.State = "" // the demo leaves nothing behind
	s := p.newServer(c)
	defer s.close()
	handler, err := s.handler(c)
	if err != nil {
		return err
	}
	s.public.replace(handler)
	at, err := c.listen()
	if err != nil {
		return err
	}
	defer at.close()
	for _, file := range demo.Files() {
		if err := s.addDemo(ctx, file); err != nil {
			return err
		}
	}
	s.library.started.Store(true)
	s.greeting = greeting
	return s.run(ctx, at)
}

// addDemo serves a file of the demo.
func (s *server) addDemo(ctx context.Context, file demo.File) error {
	config := layer.Config{ID: file.ID, Title: file.Title, Abstract: file.Abstract}
	config.Open = func(ctx context.Context) (*layer.Dataset, error) {
		f, err := s.opener.openSource(ctx, source.NewBytes(file.Name(), file.Data), reading{id: file.ID})
		if err != nil {
			return nil, err
		}
		return datasetOf(f, 1)
	}
	shown := demoStyles()[file.ID]
	var err error
	if config.Style, err = shown.usual.style(); err != nil {
		return err
	}
	if config.Styles, err = stylesOf(shown.named, configPlace{}); err != nil {
		return err
	}
	return s.catalog.Add(ctx, config)
}

// saveDemo writes the files of the demo to a folder. It replaces no other file.
func (p *program) saveDemo(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, file := range demo.Files() {
		path := filepath.Join(folder, file.Name())
		if err := writeNew(path, file.Data); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s\n", path)
	}
	return nil
}

// writeNew writes a file that does not exist yet, or that holds the same.
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

// holds reports whether a path is a file with this content. Nothing else is opened: a pipe would
// never end.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	known, err := os.ReadFile(path)
	return err == nil && bytes.Equal(known, data)
}

// demoStyle is how a demo layer is shown.
type demoStyle struct {
	usual styleConfig // where a request names no style
	named []namedStyle
}

// seaAndLand are colors of heights in meters, for the floor of the sea and for the land.
const seaAndLand = `[
	[-260,"#1c4a78"],[-120,"#2a6b99"],[-50,"#468fb0"],[-20,"#6db4c0"],[-6,"#9fd0c8"],[-0.5,"#c2e3d4"],
	[0,"#80a873"],[70,"#a0bb7e"],[220,"#cccd92"],[450,"#e4d5a3"],[750,"#d3b384"],[1050,"#b08e6e"],[1350,"#a8958a"],[1700,"#f8f6f3"]
]`

// vegetation are colors of an index of vegetation, from water to forest.
const vegetation = `[
	[-1,"#2c5f8c"],[-0.2,"#3f7ba6"],[-0.06,"#dcdcd8"],[0.05,"#efe6bd"],[0.2,"#c5d583"],[0.35,"#6fb14d"],[0.55,"#146b2b"]
]`

func demoStyles() map[string]demoStyle {
	relief := styleConfig{Algorithm: "relief", Colormap: json.RawMessage(seaAndLand)}
	return map[string]demoStyle{
		"demo": {named: []namedStyle{
			{"natural", "Natural color", styleConfig{Bands: []string{"red,green,blue"}}},
			{"false-color", "False color: near infrared as red", styleConfig{Bands: []string{"nir,red,green"}}},
			{"ndvi", "Vegetation and water (NDVI)", styleConfig{Expression: "(nir-red)/(nir+red)", Colormap: json.RawMessage(vegetation)}},
		}},
		"elevation": {usual: relief, named: []namedStyle{
			{"relief", "Shaded relief", relief},
			{"heights", "Heights in color", styleConfig{Colormap: json.RawMessage(seaAndLand)}},
			{"hillshade", "Hillshade", styleConfig{Algorithm: "hillshade"}},
			{"contours", "Contours every 100 m", styleConfig{Algorithm: "contours", AlgorithmParams: map[string]any{"increment": 100, "index_every": 5}}},
		}},
	}
}
