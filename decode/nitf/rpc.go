package nitf

import (
	"context"
	"fmt"

	"tileserver/decode/nitf/tre"
	"tileserver/decode/rpc"
)

// RPC returns the camera model of the image, or nil if it has none. It looks in the side files of the
// first image before its extensions, as GDAL does. The model of an image that was cut out of another
// one is that of the full image, and says where the part lies.
func (s *segment) RPC(ctx context.Context) (*rpc.Model, error) {
	if s.number == 0 {
		if m, err := s.file.beside.RPC(ctx, s.file.noted); m != nil || err != nil {
			return m, err
		}
	}
	for _, tag := range []string{"RPC00B", "RPC00A"} {
		t := s.findTRE(tag)
		if t == nil {
			continue
		}
		numbers, err := tre.RPC(tag, t.Data)
		if err != nil {
			return nil, err
		}
		m, err := rpc.FromNumbers(tag, numbers)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", err, tre.ErrCorrupt)
		}
		if chip := s.findTRE("ICHIPB"); chip != nil {
			if m.Chip, err = tre.ParseChip(chip.Data); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return nil, nil
}
