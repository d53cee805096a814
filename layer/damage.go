package layer

import (
	"fmt"
	"sync"

	"tileserver/raster"
)

// knownDamage is what is known to be lost of one version of a dataset: what its pictures have met
// until now.
type damageLog struct {
	mu    sync.Mutex
	found raster.Damage // guarded by mu
}

func (k *damageLog) add(d raster.Damage) {
	if d.IsZero() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.found.HasMore() { // else nothing more would be listed
		k.found = k.found.Join(d)
	}
}

func (k *damageLog) total() raster.Damage {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.found
}

// Damage is what is known to be lost of the layer's dataset because its file is damaged. Only what
// was read until now is known.
func (l *Layer) Damage() raster.Damage { return l.versions.active.Load().damage.total() }

// checkDamage notes what is lost of pixels. It returns an error if nothing is left to be seen of
// them: that must not look like a place without data.
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
		Code: Damaged, Message: "the file is damaged here: nothing of what was asked for could be decoded",
		Err: fmt.Errorf("%v lost, the first: %s", damage, damage.Losses()[0].Text),
	}
}
