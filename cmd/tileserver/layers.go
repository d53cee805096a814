package main

import (
	"cmp"

	"tileserver/config"
	"tileserver/http/empty"
	"tileserver/layer"
)

// configureLayer sets the fields of to that the configuration sets for a layer.
func configureLayer(to *layer.Config, l *config.Layer, location config.Location) error {
	to.Title, to.BlockSize, to.MaxInlineOverviewBytes = cmp.Or(l.Title, l.ID, to.Title), l.Block, int64(l.MaxMaking)
	to.Abstract, to.Attribution, to.StatisticsPixels = l.Description, l.Attribution, l.StatisticsPixels
	var found config.Mistakes
	var err error
	if to.Empty, err = empty.Parse(l.Empty); err != nil {
		found.Add(location.At("empty").Mistake(err))
	}
	if to.Style, err = l.Parse(); err != nil {
		found.Add(location.Mistake(err))
	}
	to.Styles, err = config.ParseStyles(l.Styles, location.At("styles"))
	found.Add(err)
	return found.Err()
}
