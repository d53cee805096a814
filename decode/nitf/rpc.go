package nitf

import (
	"context"
	"fmt"

	"tileserver/decode/nitf/tre"
	"tileserver/decode/rpc"
)

// RPC returns the camera model of the image, or nil if it has none. It looks in the side files of the
// first image before its extensions, as GDAL does. Of an image that was cut out of another one, the
// model in its extensions is made that of the part.
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
		if chip := s.findTRE("ICHIPB"); chip != nil {
			c, err := tre.ParseChip(chip.Data)
			if err != nil {
				return nil, err
			}
			c.Cut(numbers)
		}
		m, err := rpc.FromNumbers(tag, numbers)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", err, tre.ErrCorrupt)
		}
		return m, nil
	}
	return nil, nil
}
