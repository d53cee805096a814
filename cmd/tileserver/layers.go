package main

import (
	"cmp"

	"tileserver/layer"
)

// apply sets what the configuration says of a layer.
func (l *layerConfig) apply(to *layer.Config, place configPlace) error {
	to.Title, to.BlockSize, to.MaxInlineOverviewBytes = cmp.Or(l.Title, l.ID, to.Title), l.Block, int64(l.MaxMaking)
	to.Abstract, to.Attribution, to.StatisticsPixels = l.Description, l.Attribution, l.StatisticsPixels
	var found mistakes
	var err error
	if to.Empty, err = layer.ParseEmptyAnswer(l.Empty); err != nil {
		found.add(place.at("empty").mistake(err))
	}
	if to.Style, err = l.style(); err != nil {
		found.add(place.mistake(err))
	}
	to.Styles, err = stylesOf(l.Styles, place.at("styles"))
	found.add(err)
	return found.err()
}
