package layer

import (
	"fmt"
	"slices"

	"tileserver/display"
	"tileserver/layer/analysis"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/style"
)

// inherit completes a style with the layer's nodata, resampling and background. Colors and
// stretches are not inherited.
func (c *Config) inherit(s style.Named) style.Named {
	if s.Style.NoData == nil {
		s.Style.NoData = c.Style.NoData
	}
	if s.Style.Resampling == resample.Bilinear {
		s.Style.Resampling = c.Style.Resampling
	}
	if s.Style.Background == (raster.RGBA{}) {
		s.Style.Background = c.Style.Background
	}
	return s
}

// statisticsPixels returns how many pixels the statistics of a style sample, or 0 if it needs none.
func (l *Layer) statisticsPixels(resolved *display.Resolved) int64 {
	if !resolved.NeedsStatistics() {
		return 0
	}
	return l.config.StatisticsPixels
}

// statisticsTask describes statistics of a provider. It checks whether one of the layer's own
// styles needs them.
func (l *Layer) statisticsTask(current *version, measured raster.Provider) analysis.Task {
	dataset := current.dataset
	task := analysis.Task{
		Dataset: dataset.Provider.Key(), Source: dataset.source(), Identity: dataset.Identity,
		MaxPixels: l.config.StatisticsPixels,
	}
	for _, own := range l.Styles() {
		providers := l.providersFor(current, own.Style)
		resolved, err := own.Style.Resolve(providers.StoredLevels.Info())
		if err != nil {
			continue
		}
		if p, _ := resolved.StatisticsSource(providers.StoredLevels); p.Key() == measured.Key() {
			task.IsOwnStyle = true
			break
		}
	}
	return task
}

// addSharedStyles adds the shared styles that the dataset supports and whose names are free.
func (l *Layer) addSharedStyles() {
	info := l.versions.Last().providers.StoredLevels.Info()
	for _, shared := range l.config.Shared {
		isTaken := slices.ContainsFunc(l.config.Styles, func(s style.Named) bool { return s.Name == shared.Name })
		if _, err := shared.Style.Spec.Resolve(info); err == nil && !isTaken {
			l.config.Styles = append(l.config.Styles, l.config.inherit(shared))
		}
	}
}

// Styles returns all styles of the layer, the default one first.
func (l *Layer) Styles() []style.Named {
	own := style.Named{Name: style.DefaultName, Title: "Default", Style: l.config.Style}
	return append([]style.Named{own}, l.config.Styles...)
}

func checkStyles(styles []style.Named) error {
	for i, s := range styles {
		if err := style.CheckName(s.Name, styles[:i]); err != nil {
			return err
		}
	}
	return nil
}

// styleError is the error of a style that the dataset of a layer does not support.
type styleError struct {
	layer, style string
	cause        *Error
}

func (e styleError) Error() string {
	return fmt.Sprintf("layer %q, style %q: %s", e.layer, e.style, e.cause.Reason())
}

func (e styleError) Unwrap() error { return e.cause }

// CheckStyles reports styles that the layer's dataset does not support, whether the layer is served
// or not. It reads no pixels.
func (l *Layer) CheckStyles() error {
	for _, named := range l.Styles() {
		if _, err := l.appearanceOf(l.versions.Last(), Request{Style: named.Style}); err != nil {
			return styleError{l.ID(), named.Name, Classify(err)}
		}
	}
	return nil
}
