package dataset

import (
	"errors"
	"fmt"

	"tileserver/raster"
	"tileserver/source"
)

// asChanged adds raster.ErrChanged to the error of a file that was replaced while it was opened, so that who asked
// for it may ask again.
func asChanged(err error) error {
	if errors.Is(err, source.ErrChanged) && !errors.Is(err, raster.ErrChanged) {
		return fmt.Errorf("%w: %w", raster.ErrChanged, err)
	}
	return err
}
