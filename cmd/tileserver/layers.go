package main

import (
	"fmt"

	"tileserver/layer"
)

// apply gives a layer what its configuration says.
func (l *layerConfig) apply(to *layer.Config) error {
	to.Title, to.BlockSize, to.MaxMakingBytes = l.Title, l.Block, int64(l.MaxMaking)
	to.Abstract, to.Attribution, to.StatisticsPixels = l.Description, l.Attribution, l.StatisticsPixels
	var err error
	if to.Empty, err = layer.ParseEmptyAnswer(l.Empty); err != nil {
		return fmt.Errorf("layer %q: %w", to.ID, err)
	}
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
