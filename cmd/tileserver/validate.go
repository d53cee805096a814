package main

import (
	"errors"
	"fmt"
	"time"

	"tileserver/layer"
)

// The sides that virtual blocks may have: smaller ones cost more to keep than
// they hold, and of larger ones a few fill the cache.
const (
	minBlock = 64
	maxBlock = 8192
)

// minRescan is between two looks that do nothing but look.
const minRescan = 100 * time.Millisecond

// validate refuses values that nothing could work with.
func (c *config) validate() error {
	switch {
	case c.Workers < 1:
		return usageError("workers must be at least 1, not %d", c.Workers)
	case c.Queue < 0:
		return usageError("queue must not be negative")
	case c.InFlight < 1<<20:
		return usageError("in-flight must be at least 1MiB, not %v", c.InFlight)
	case c.Rendering < 16<<20:
		return usageError("rendering must be at least 16MiB, not %v", c.Rendering)
	case c.MaxPixels < 512*512:
		return usageError("max-pixels must be at least %d", 512*512)
	case c.RequestTimeout <= 0:
		return usageError("request-timeout must be more than nothing, not %v", c.RequestTimeout)
	case c.MaxRequests < 1:
		return usageError("max-requests must be at least 1, not %d", c.MaxRequests)
	case c.CacheControl == "":
		return usageError("cache-control must say something, like no-cache")
	case c.Caching != cachingRevalidated && c.Caching != cachingVersioned:
		return usageError("caching must be %s or %s, not %q", cachingRevalidated, cachingVersioned, c.Caching)
	case c.Rescan != 0 && time.Duration(c.Rescan) < minRescan:
		return usageError("rescan must be 0, for never, or at least %v, not %v", minRescan, c.Rescan)
	}
	if _, _, err := c.publicAddress(); err != nil {
		return err
	}
	if _, err := c.TrustedProxies.networks(); err != nil {
		return err
	}
	if _, err := layer.ParseEmptyAnswer(c.Empty); err != nil {
		return usageError("empty: %v", err)
	}
	for i := range c.Layers {
		if err := c.Layers[i].validate(); err != nil {
			return usageError("layer %d of the configuration %v", i+1, err)
		}
	}
	return nil
}

func (l *layerConfig) validate() error {
	switch _, err := layer.ParseEmptyAnswer(l.Empty); {
	case l.Path == "":
		return errors.New("has no path")
	case l.StatisticsPixels < 0:
		return fmt.Errorf("has statistics of %d pixels", l.StatisticsPixels)
	case l.Block != 0 && (l.Block < minBlock || l.Block > maxBlock):
		return fmt.Errorf("has blocks of %d; they go from %d to %d", l.Block, minBlock, maxBlock)
	case err != nil:
		return fmt.Errorf("is mistaken: %w", err)
	}
	return nil
}
