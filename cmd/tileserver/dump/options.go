package dump

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/display"
	"tileserver/raster"
)

// New returns a Dump of what the options of command read select.
func New(provider raster.Provider, level int, window, bands string) (*Dump, error) {
	info := provider.Info()
	if level < 0 || level >= len(info.Levels) {
		return nil, usage.Unusablef("no level %d; the last is %d", level, len(info.Levels)-1)
	}
	d := &Dump{Provider: provider, Level: level, Window: info.Levels[level].Bounds(), Bands: info.AllBands()}
	if window != "" {
		n, err := integers(window)
		if err != nil || len(n) != 4 {
			return nil, usage.Mistakef("--window must be x,y,width,height, not %q", window)
		}
		d.Window = raster.Rect{X0: n[0], Y0: n[1], X1: n[0] + n[2], Y1: n[1] + n[3]}
		if d.Window.Empty() || d.Window.Intersect(info.Levels[level].Bounds()) != d.Window {
			return nil, usage.Unusablef("--window %s reaches beyond the %d x %d pixels of the level", window, info.Levels[level].Width, info.Levels[level].Height)
		}
	}
	if bands != "" {
		chosen, err := bandsOf(info, bands)
		if err != nil {
			return nil, usage.Unusablef("%v", err)
		}
		d.Bands = chosen
	}
	return d, nil
}

// bandsOf parses a list of bands, which are numbers from 1 or names.
func bandsOf(info *raster.Info, text string) ([]int, error) {
	numbers, err := integers(text)
	if err != nil {
		return display.BandsNamed(info, strings.Split(text, ","))
	}
	for i, number := range numbers {
		if number < 1 || number > len(info.Bands) {
			return nil, fmt.Errorf("there is no band %d; the last is %d", number, len(info.Bands))
		}
		numbers[i]--
	}
	return numbers, nil
}

func integers(text string) ([]int, error) {
	var numbers []int
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
