package layer

import (
	"fmt"
	"sync"

	"tileserver/raster"
)

// A damageLog collects the damage that requests have met in one version of a dataset.
type damageLog struct {
	mu  sync.Mutex
	sum raster.Damage // guarded by mu
}

func (l *damageLog) add(d raster.Damage) {
	if d.IsZero() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.sum.HasMore() { // else the list is full
		l.sum = l.sum.Join(d)
	}
}

func (l *damageLog) total() raster.Damage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum
}

// Damage returns the known damage of the layer's file: the damage met in pixels that were read so
// far.
func (l *Layer) Damage() raster.Damage { return l.versions.Last().damage.total() }

// checkDamage logs the damage of a tile. It returns an error if no valid pixels remain, since the
// result must not look like an area without data.
func (v *version) checkDamage(tile raster.Tile) error {
	damage := tile.Damage()
	if damage.IsZero() {
		return nil
	}
	v.damage.add(damage)
	if damage.IsTotal() || !tile.AnyValid() {
		return damagedError(damage)
	}
	return nil
}

func damagedError(damage raster.Damage) error {
	return &Error{
		Code: Damaged, Message: "the file is damaged here: none of the requested data could be decoded",
		Err: fmt.Errorf("%v lost; first: %s", damage, damage.Losses()[0].Text),
	}
}
