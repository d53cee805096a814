package main

import (
	"context"
	"sync"

	"tileserver/cmd/tileserver/demo"
	"tileserver/layer"
	"tileserver/source"
)

func (p *program) serve(ctx context.Context, args []string) error {
	c, err := p.servedConfig(args)
	if err != nil {
		return err
	}
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
	err = s.library.start(ctx, c)
	if ctx.Err() != nil {
		return nil // being stopped while it starts is no failure
	}
	if err != nil {
		return err
	}
	s.skipped = len(s.library.newcomers.refused)
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching.Go(func() {
		s.library.watch(ctx, p.hangups, func(ctx context.Context) { s.reload(ctx, args) })
	})
	return s.run(ctx, at)
}

// greeting tells whoever tries the demo what to do next; %s is the address of the viewer.
const greeting = `
  The demo map is ready. Open it in a browser:

      %s

  Press Ctrl+C to stop. To serve your own files: tileserver FILE…

`

// demo serves the built-in demo map.
func (p *program) demo(ctx context.Context, args []string) error {
	c, err := p.serverConfig("demo", args)
	if err != nil {
		return err
	}
	if len(c.Paths)+len(c.Layers) > 0 {
		return usageError("demo serves no files; to serve them, run: tileserver serve PATH…")
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
	name, data := demo.File()
	err = s.catalog.Add(ctx, layer.Config{ID: "demo", Title: demo.Title, Abstract: demo.Abstract, Open: func(ctx context.Context) (*layer.Dataset, error) {
		f, err := s.opener.openSource(ctx, source.NewBytes(name, data), reading{id: "demo"})
		if err != nil {
			return nil, err
		}
		return datasetOf(f, 1)
	}})
	if err != nil {
		return err
	}
	s.library.started.Store(true)
	s.greeting = greeting
	return s.run(ctx, at)
}
