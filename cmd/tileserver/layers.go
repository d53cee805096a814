package main

import (
	"cmp"

	"tileserver/http/empty"
	"tileserver/layer"
)

// apply sets the fields of to that the configuration sets for a layer.
func (l *layerConfig) apply(to *layer.Config, location configLocation) error {
	to.Title, to.BlockSize, to.MaxInlineOverviewBytes = cmp.Or(l.Title, l.ID, to.Title), l.Block, int64(l.MaxMaking)
	to.Abstract, to.Attribution, to.StatisticsPixels = l.Description, l.Attribution, l.StatisticsPixels
	var found mistakes
	var err error
	if to.Empty, err = empty.Parse(l.Empty); err != nil {
		found.add(location.at("empty").mistake(err))
	}
	if to.Style, err = l.style(); err != nil {
		found.add(location.mistake(err))
	}
	to.Styles, err = stylesOf(l.Styles, location.at("styles"))
	found.add(err)
	return found.err()
}
