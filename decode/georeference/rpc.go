package georeference

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode/pam"
	"tileserver/decode/rpc"
)

// RPC reads the camera model in the side files of a file, or returns nil if they have none. noted is
// NAME.aux.xml, or nil. The order of precedence is GDAL's: NAME.aux.xml, then the files of the
// operators of satellites. The error is an ErrCorrupt or that of reading.
func (b *SideFiles) RPC(ctx context.Context, noted *pam.Document) (*rpc.Model, error) {
	if noted != nil {
		if domain := noted.Metadata["RPC"]; domain != nil {
			return corruptUnlessRead(rpc.FromMetadata("GDAL side file", domain))
		}
	}
	const maxBytes = 64 << 10
	for _, ending := range []string{"_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"} {
		name := b.Stem() + ending
		text, _, err := b.Look(ctx, name, maxBytes)
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
		return corruptUnlessRead(parse(name, string(text)))
	}
	return nil, nil
}

// corruptUnlessRead makes the error of a model that cannot be read an ErrCorrupt.
func corruptUnlessRead(m *rpc.Model, err error) (*rpc.Model, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return m, nil
}
