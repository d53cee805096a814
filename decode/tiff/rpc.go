package tiff

import (
	"context"
	"fmt"

	"tileserver/decode/rpc"
)

// RPC reads the camera model of the image, or returns nil if it has none. It looks in the side
// files first, as GDAL does. The file must still be open.
func (m *Image) RPC(ctx context.Context) (*rpc.Model, error) {
	if m.number == 0 {
		if r, err := m.file.beside.RPC(ctx, m.group.Beside); r != nil || err != nil {
			return r, err
		}
	}
	return m.levels[0].location.model()
}

// model returns the camera model in the tag, or nil if there is none.
func (l *location) model() (*rpc.Model, error) {
	if len(l.rpc) == 0 {
		return nil, nil
	}
	r, err := rpc.FromNumbers("tag", l.rpc)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return r, nil
}
