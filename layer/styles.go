package layer

import (
	"fmt"
	"slices"

	"tileserver/display"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Style is how a layer is shown.
type Style struct {
	display.Spec
	Resampling pyramid.Resampling
	NoData     *float64 // one more sample that is no data

	// Background lies behind what is transparent, in formats without transparency. The
	// zero RGBA is white.
	Background raster.RGBA
}

// NamedStyle is a style that requests may name.
type NamedStyle struct {
	Name  string // like an id; not DefaultStyle
	Title string // for people; the name where empty
	Style Style
}

// DefaultStyle is the name of the style of a layer where a request does not say otherwise.
const DefaultStyle = "default"

// ParseResampling finds a way to resample by its name.
func ParseResampling(name string) (pyramid.Resampling, error) { return pyramid.ParseResampling(name) }

// inherited is a style with what the layer says of its samples, and not of their looks.
func (c *Config) inherit(s NamedStyle) NamedStyle {
	if s.Style.NoData == nil {
		s.Style.NoData = c.Style.NoData
	}
	if s.Style.Resampling == pyramid.Bilinear {
		s.Style.Resampling = c.Style.Resampling
	}
	if s.Style.Background == (raster.RGBA{}) {
		s.Style.Background = c.Style.Background
	}
	return s
}

// statisticsPixels is how many pixels decide what is shown, or 0 where none do.
func (l *Layer) statisticsPixels(resolved *display.Resolved) int64 {
	if !resolved.NeedsStatistics() {
		return 0
	}
	return l.config.StatisticsPixels
}

// purposeOf is what statistics of a dataset of the layer are for, in any guise: whether one
// of its own styles needs them.
func (l *Layer) statisticsTask(current *version, measured raster.Provider) statisticsTask {
	task := statisticsTask{identity: current.dataset.Identity, maxPixels: l.config.StatisticsPixels}
	for _, own := range l.Styles() {
		providers := l.providersFor(current, own.Style)
		resolved, err := own.Style.Resolve(providers.storedLevels.Info())
		if err != nil {
			continue
		}
		if p, _ := resolved.StatisticsSource(providers.storedLevels); p.Key() == measured.Key() {
			task.isOwnStyle = true
			break
		}
	}
	return task
}

// takeShared takes the shared styles for its own.
func (l *Layer) addSharedStyles() {
	info := l.versions.active.Load().storedLevels.Info()
	for _, shared := range l.config.Shared {
		isTaken := slices.ContainsFunc(l.config.Styles, func(s NamedStyle) bool { return s.Name == shared.Name })
		if _, err := shared.Style.Spec.Resolve(info); err == nil && !isTaken {
			l.config.Styles = append(l.config.Styles, l.config.inherit(shared))
		}
	}
}

// Styles are all styles of the layer, the default one first.
func (l *Layer) Styles() []NamedStyle {
	own := NamedStyle{Name: DefaultStyle, Title: "Default", Style: l.config.Style}
	return append([]NamedStyle{own}, l.config.Styles...)
}

func checkStyles(styles []NamedStyle) error {
	taken := map[string]bool{DefaultStyle: true}
	for _, s := range styles {
		if !validID(s.Name) || taken[s.Name] {
			return fmt.Errorf("%q is not a valid name for a style, or is used twice", s.Name)
		}
		taken[s.Name] = true
	}
	return nil
}
