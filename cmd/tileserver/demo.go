package main

import (
	"context"
	"flag"

	"tileserver/cmd/tileserver/demo"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/container"
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
		return usage.Mistakef("demo serves no files; to serve them, run: tileserver serve PATH…")
	case folder != "":
		return demo.Save(folder, p.stdout)
	}
	c.State = "" // the demo stores nothing on disk
	s, err := p.openServer(c)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.addDemo(ctx); err != nil {
		return err
	}
	s.ready = func() error { return nil }
	return s.run(ctx, greeting)
}

// addDemo adds the demo files as layers, as the demo configuration describes them.
func (s *server) addDemo(ctx context.Context) error {
	var c config.Config
	if err := c.Decode(demo.ConfigurationName, demo.Configuration); err != nil {
		return err
	}
	for i, file := range demo.Files() {
		described, err := settingsOf(&c.Layers[i], c.At("layers[%d]", i))
		if err != nil {
			return err
		}
		described.ID, described.Open = file.ID, func(ctx context.Context) (*layer.Dataset, error) {
			f, err := s.opener.OpenSource(ctx, source.NewBytes(file.Name(), file.Data), dataset.Options{ID: file.ID})
			if err != nil {
				return nil, err
			}
			return dataset.New(ctx, f, 1, container.Placing{})
		}
		if err := s.catalog.Add(ctx, described); err != nil {
			return err
		}
	}
	return nil
}
