package georeference

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode/pam"
	"tileserver/decode/rpc"
)

// maxRPCBytes is the maximum size of a text file with a camera model.
const maxRPCBytes = 64 << 10

// RPC reads the camera model in the side files of a file, or returns nil if they have none. noted is
// NAME.aux.xml, or nil. The order of precedence is GDAL's: NAME.aux.xml, then the files of the
// operators of satellites. The error is an ErrCorrupt or that of reading.
func (b *SideFiles) RPC(ctx context.Context, noted *pam.Document) (*rpc.Model, error) {
	if noted != nil {
		if domain := noted.Metadata["RPC"]; domain != nil {
			return corruptUnlessRead(rpc.FromMetadata("GDAL side file", domain))
		}
	}
	for _, ending := range []string{"_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"} {
		parse := rpc.ParseText
		if strings.EqualFold(ending, ".rpb") {
			parse = rpc.ParseRPB
		}
		if m, err := b.readRPC(ctx, b.Stem()+ending, parse); m != nil || err != nil {
			return m, err
		}
	}
	if t, ok := parseDIMAPName(b.Stem()); ok {
		return b.dimapRPC(ctx, t)
	}
	return nil, nil
}

// readRPC reads the camera model in a side file, or returns nil if there is no such file.
func (b *SideFiles) readRPC(ctx context.Context, name string, parse func(from, text string) (*rpc.Model, error)) (*rpc.Model, error) {
	text, _, err := b.Look(ctx, name, maxRPCBytes)
	if text == nil || err != nil {
		return nil, err
	}
	return corruptUnlessRead(parse(name, string(text)))
}

// corruptUnlessRead makes the error of a model that cannot be read an ErrCorrupt.
func corruptUnlessRead(m *rpc.Model, err error) (*rpc.Model, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return m, nil
}
