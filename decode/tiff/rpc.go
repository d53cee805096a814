package tiff

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode/rpc"
)

// RPC reads the camera model of the image, or returns nil if it has none. It looks in the side
// files first, as GDAL does. The file must still be open.
func (m *Image) RPC(ctx context.Context) (*rpc.Model, error) {
	if domain := m.pamRPC(); domain != nil {
		return corruptUnlessRead(rpc.FromMetadata("GDAL side file", domain))
	}
	if r, err := m.sideFileRPC(ctx); r != nil || err != nil {
		return r, err
	}
	if tag := m.levels[0].location.rpc; len(tag) > 0 {
		return corruptUnlessRead(rpc.FromNumbers("tag", tag))
	}
	return nil, nil
}

// pamRPC returns the RPC domain of the GDAL side file, or nil.
func (m *Image) pamRPC() map[string]string {
	if m.group.Beside == nil {
		return nil
	}
	return m.group.Beside.Metadata["RPC"]
}

// sideFileRPC reads NAME_RPC.TXT or NAME.RPB.
func (m *Image) sideFileRPC(ctx context.Context) (*rpc.Model, error) {
	const maxBytes = 64 << 10
	if m.file.config.Beside == nil || m.number > 0 {
		return nil, nil
	}
	stem := m.file.beside.Stem()
	for _, ending := range []string{"_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"} {
		text, _, err := m.file.beside.Look(ctx, stem+ending, maxBytes)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		parse := rpc.ParseText
		if strings.EqualFold(ending, ".rpb") {
			parse = rpc.ParseRPB
		}
		return corruptUnlessRead(parse(stem+ending, string(text)))
	}
	return nil, nil
}

// corruptUnlessRead makes the error of a model that cannot be read an ErrCorrupt.
func corruptUnlessRead(r *rpc.Model, err error) (*rpc.Model, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return r, nil
}
