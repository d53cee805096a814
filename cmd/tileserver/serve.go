package main

import (
	"context"
	"sync"

	"tileserver/cmd/tileserver/ports"
	"tileserver/config"
	"tileserver/library"
	"tileserver/source/local"
)

func (p *program) serve(ctx context.Context, args []string) error {
	c, desired, err := p.servedConfig(ctx, args, library.New(library.Config{Files: local.Store{}}))
	if err != nil {
		return err
	}
	s, at, err := p.boundServer(c)
	if err != nil {
		return err
	}
	defer s.close()
	defer at.Close()
	err = s.library.Start(ctx, desired)
	if ctx.Err() != nil {
		return nil // stopping during the start is not a failure
	}
	if err != nil {
		return sortedMistakes(err)
	}
	s.greeting = "Maps: %s (Ctrl+C stops)\n"
	s.skipped = s.library.Skipped()
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching.Go(func() {
		s.library.Watch(ctx, p.hangups, func(ctx context.Context) { s.reload(ctx, args) })
	})
	return s.run(ctx, at)
}

// boundServer returns a server with its handler and its open ports. It does not serve yet. The
// caller closes both.
func (p *program) boundServer(c config.Config) (s *server, at ports.Ports, err error) {
	s = p.newServer(c)
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	handler, err := s.handler(c)
	if err != nil {
		return s, at, err
	}
	s.public.replace(handler)
	at, err = ports.Open(c.Listen, c.AdminListen)
	return s, at, err
}
