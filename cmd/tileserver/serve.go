package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/cmd/tileserver/demo"
	"tileserver/display/picture"
	"tileserver/layer"
	"tileserver/source"
)

func (p *program) serve(ctx context.Context, args []string) error {
	c, err := p.serverConfig("serve", args)
	if err != nil {
		return err
	}
	if len(c.Paths)+len(c.Layers) == 0 {
		return usageError("serve needs a file or a folder; without a command, a demo is served")
	}
	s := p.newServer(c)
	defer s.close()
	if err := s.addConfigured(ctx); err != nil {
		return err
	}
	return s.run(ctx)
}

// serverConfig is what the options of a command, the file that they name, and the
// defaults make together.
func (p *program) serverConfig(command string, args []string) (config, error) {
	c := defaultConfig()
	set := flags(command)
	path := set.String("config", "", "configuration in YAML; options go before it")
	set.StringVar(&c.Listen, "listen", c.Listen, "host:port to serve maps on")
	set.StringVar(&c.AdminListen, "admin-listen", c.AdminListen, "host:port of metrics, health and profiles; empty is none")
	set.Var(&c.Cache, "cache", "bytes of decoded blocks and pictures to keep")
	set.Var(&c.InFlight, "in-flight", "bytes of blocks being read and decoded")
	set.Var(&c.Rendering, "rendering", "bytes of pictures being made of blocks")
	set.IntVar(&c.Workers, "workers", c.Workers, "blocks to decode at a time")
	set.IntVar(&c.Queue, "queue", c.Queue, "pictures that may wait to be made before \"try again\" is answered")
	set.StringVar(&c.PublicURL, "public-url", c.PublicURL, "how clients see the server, like https://maps.example/path; else as each request says")
	set.DurationVar(&c.RequestTimeout, "request-timeout", c.RequestTimeout, "time to make an answer")
	set.IntVar(&c.MaxRequests, "max-requests", c.MaxRequests, "requests answered at a time")
	set.StringVar(&c.CacheControl, "cache-control", c.CacheControl, "Cache-Control of pictures")
	set.IntVar(&c.MaxPixels, "max-pixels", c.MaxPixels, "pixels of the largest picture")
	set.StringVar(&c.State, "state", c.State, "folder for statistics, to have them after a restart; empty is none")
	paths, err := p.parse(set, args)
	if err != nil {
		return c, err
	}
	if *path != "" {
		if err := c.load(*path); err != nil {
			return c, err
		}
		// Once more, so that what is on the command line wins.
		if _, err := p.parse(set, args); err != nil {
			return c, err
		}
	}
	c.Paths = append(c.Paths, paths...)
	return c, c.validate()
}

// demo serves the picture that is built in.
func (p *program) demo(ctx context.Context, args []string) error {
	c, err := p.serverConfig("demo", args)
	if err != nil {
		return err
	}
	if len(c.Paths)+len(c.Layers) > 0 {
		return usageError("to serve files, say \"tileserver serve\"")
	}
	c.State = "" // the demo leaves nothing behind
	s := p.newServer(c)
	defer s.close()
	name, data := demo.File()
	err = s.catalog.Add(ctx, layer.Config{ID: "demo", Title: demo.Title, Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, err := s.opener.openSource(ctx, source.NewBytes(name, data), "demo", nil)
		if err != nil {
			return nil, err
		}
		return datasetOf(f, 1)
	}})
	if err != nil {
		return err
	}
	s.greeting = "A demo map is on http://%s — stop with Ctrl+C. To serve your own: tileserver serve PATH…\n"
	return s.run(ctx)
}

// server is the parts of a running server.
type server struct {
	program *program
	config  config
	logger  *slog.Logger
	opener  *opener
	catalog *layer.Catalog
	ids     ids

	styles   []layer.NamedStyle // of all layers that can be shown so
	greeting string             // printed with the address, once that can be asked
}

// renderedPerWorker is how many pictures may be made at a time for each worker:
// while one waits for its blocks, another can be encoded.
const renderedPerWorker = 2

func (p *program) newServer(c config) *server {
	boundMemory(c)
	logger := slog.New(slog.NewTextHandler(p.stderr, nil))
	state := openState(c.State, logger)
	opener := newOpener(c.Workers, c.InFlight)
	opener.identifies = state != nil
	return &server{
		program: p, config: c, ids: make(ids),
		logger: logger,
		opener: opener,
		catalog: layer.NewCatalog(layer.CatalogConfig{
			Cache:     cache.New(int64(c.Cache)),
			Gate:      layer.NewGate(renderedPerWorker*c.Workers, c.Queue),
			Pictures:  cache.NewBudget(int64(c.Rendering)),
			MaxPixels: c.MaxPixels,
			Encoder:   new(picture.Encoder),
			State:     state,
		}),
	}
}

// maxStateBytes is what the folder of the state may take.
const maxStateBytes = 256 << 20

// openState opens the folder of what outlives the process. Without it, all works as well.
func openState(folder string, logger *slog.Logger) *disk.Store {
	if folder == "" {
		return nil
	}
	state, err := disk.Open(folder, maxStateBytes)
	if err != nil {
		logger.Warn("statistics are taken anew after a restart", "err", err)
		return nil
	}
	return state
}

func (s *server) close() {
	if err := s.catalog.Close(); err != nil {
		s.logger.Warn("closing datasets", "err", err)
	}
}

// addConfigured opens the layers of the configuration, then all other files.
func (s *server) addConfigured(ctx context.Context) error {
	var err error
	if s.styles, err = stylesOf(s.config.Styles); err != nil {
		return err
	}
	added := make(map[address]bool) // by identity
	for _, l := range s.config.Layers {
		from, err := parseAddress(l.Path)
		if err != nil {
			return err
		}
		if l.ID == "" {
			l.ID = s.ids.take(from)
		} else if l.ID != safeID(l.ID) || s.ids[l.ID] {
			return usageError("%q cannot be a layer's id, or is one already", l.ID)
		}
		s.ids[l.ID] = true
		added[identity(from)] = true
		c := s.layerOf(from, l.ID)
		if err := l.apply(&c); err != nil {
			return err
		}
		if err := s.catalog.Add(ctx, c); err != nil {
			return err
		}
		if err := s.checkStyles(c); err != nil {
			return err
		}
	}
	files, err := findFiles(s.config.Paths, s.passOver)
	if err != nil {
		return err
	}
	for _, f := range files {
		if added[identity(f.address)] {
			continue
		}
		added[identity(f.address)] = true
		if err := s.addFile(ctx, f); err != nil {
			return err
		}
	}
	s.warnOfUnusedStyles()
	if len(s.catalog.Layers()) == 0 {
		return errors.New("there is nothing to serve")
	}
	return nil
}

// checkStyles finds out now what is wrong with the styles of a layer: whatever can be shown
// at all has a preview.
func (s *server) checkStyles(c layer.Config) error {
	for _, named := range append([]layer.NamedStyle{{Name: layer.DefaultStyle, Style: c.Style}}, c.Styles...) {
		request := layer.Request{Layer: c.ID, Area: layer.PreviewArea{MaxSize: 1}, Style: named.Style}
		if _, err := s.catalog.Prepare(request); err != nil {
			return fmt.Errorf("layer %q, style %q: %w", c.ID, named.Name, err)
		}
	}
	return nil
}

// warnOfUnusedStyles tells of shared styles that no layer can be shown with, which may be
// mistakes.
func (s *server) warnOfUnusedStyles() {
	for _, shared := range s.styles {
		used := slices.ContainsFunc(s.catalog.Layers(), func(l *layer.Layer) bool {
			_, err := l.Style(shared.Name)
			return err == nil
		})
		if !used {
			s.logger.Warn("no layer can be shown in a style", "style", shared.Name)
		}
	}
}

// layerOf is the layer of a file; the log has a line when what replaces it cannot be
// opened.
func (s *server) layerOf(from address, id string) layer.Config {
	c := s.opener.layerOf(from, id)
	c.Shared = s.styles
	c.Stale = func(err error) { s.logger.Warn("the changed file cannot be opened", "layer", id, "err", err) }
	return c
}

// addFile adds a file under an id that stays taken if it does not open: what
// layers are called must not depend on which files a replica could open.
func (s *server) addFile(ctx context.Context, f file) error {
	id := s.ids.take(f.address)
	err := s.catalog.Add(ctx, s.layerOf(f.address, id))
	if err != nil && !f.named && ctx.Err() == nil {
		s.passOver(f.path, err)
		return nil
	}
	return err
}

// passOver tells the operator of what was found and is not served.
func (s *server) passOver(path string, err error) {
	s.logger.Warn("passed over", "path", path, "err", err)
}
