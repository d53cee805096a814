package main

import (
	"context"
	"sync"
)

func (p *program) serve(ctx context.Context, args []string) error {
	c, desired, err := p.servedConfig(ctx, args, nil)
	if ctx.Err() != nil {
		return nil // stopping during the start is not a failure
	}
	if err != nil {
		return err
	}
	s, err := p.openServer(c)
	if err != nil {
		return err
	}
	defer s.close()
	s.files.boundLinks(ctx, &c)
	err = s.library.Start(ctx, desired)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return sortedMistakes(err)
	}
	s.skipped, s.rescan = s.library.Skipped(), s.scanNow
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching.Go(func() {
		s.library.Watch(ctx, p.hangups, func(ctx context.Context) { s.reload(ctx, args) })
	})
	return s.run(ctx, "Maps: %s (Ctrl+C stops)\n")
}
