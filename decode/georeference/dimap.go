package georeference

import (
	"context"
	"fmt"
	"strings"

	"tileserver/decode/rpc"
)

// maxDIMAPBytes is the maximum size of DIM_NAME.XML, which tells all of a product of DIMAP.
const maxDIMAPBytes = 1 << 20

// dimapTile is a tile of an image of Pléiades or SPOT, in the format DIMAP.
type dimapTile struct {
	names       []string // that its XML files may have, without what precedes and follows them
	row, column int      // from 1
}

// parseDIMAPName parses the name of a tile without its extension: IMG_NAME_RrCc. The files beside it
// have that name or the one of the whole image.
func parseDIMAPName(stem string) (t dimapTile, ok bool) {
	name, ok := strings.CutPrefix(stem, "IMG_")
	at := strings.LastIndexByte(name, '_')
	if !ok || at < 0 {
		return t, false
	}
	_, err := fmt.Sscanf(name[at:], "_R%dC%d", &t.row, &t.column)
	t.names = []string{name, name[:at]}
	return t, err == nil && t.row > 0 && t.column > 0
}

// dimapRPC reads the camera model of a tile in RPC_NAME.XML, or returns nil if there is none.
func (b *SideFiles) dimapRPC(ctx context.Context, t dimapTile) (*rpc.Model, error) {
	for _, name := range t.names {
		m, err := b.readRPC(ctx, "RPC_"+name+".XML", rpc.ParseDIMAP)
		if m == nil && err == nil {
			continue
		}
		if err == nil && (t.row > 1 || t.column > 1) {
			err = b.placeTile(ctx, m, t)
		}
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	return nil, nil
}

// placeTile adds to a model where the tile lies in the full image, by DIM_NAME.XML.
func (b *SideFiles) placeTile(ctx context.Context, m *rpc.Model, t dimapTile) error {
	for _, name := range t.names {
		name = "DIM_" + name + ".XML"
		text, _, err := b.Look(ctx, name, maxDIMAPBytes)
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		if m.Chip, err = rpc.DIMAPTile(string(text), t.row, t.column); err != nil {
			return fmt.Errorf("where the tile lies is not told by %s: %w: %w", name, err, ErrCorrupt)
		}
		return nil
	}
	return fmt.Errorf("where the tile lies is not told: there is no DIM_%s.XML: %w", t.names[1], ErrCorrupt)
}
