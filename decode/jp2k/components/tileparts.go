package components

import (
	"context"
	"fmt"

	"tileserver/decode/jp2k/codestream"
)

// partsKey identifies one of the two ways to find the tile-parts of a file.
type partsKey struct {
	file    string
	scanned bool // from one to the next, since the table in the main header is wrong
}

// parts returns the locations of the tile-parts. If they are not known yet, they are found with a reader. Tiles
// that are wanted from them may be read with it, too.
func (s *Codestream) parts(r *prefetchReader, wanted []tileKey) (*codestream.Parts, error) {
	key := partsKey{s.config.Key, s.misplaced.Load()}
	found, err := s.shared.parts.FetchOne(r.ctx, key, func(ctx context.Context) (tileParts, error) {
		search := r.with(ctx)
		parts, err := s.findParts(search, key.scanned, wanted)
		r.take(search)
		return tileParts{parts}, err
	})
	return found.Parts, err
}

func (s *Codestream) findParts(r *prefetchReader, scanned bool, wanted []tileKey) (parts *codestream.Parts, err error) {
	if parts := s.loadParts(r.ctx, scanned); parts != nil {
		return parts, nil
	}
	listed := s.header.Listed(s.extent.Length)
	switch {
	case !r.isFar:
	case scanned || listed == nil:
		err = s.followChains(r)
	default:
		err = s.prefetch(r, s.listed(r, listed, wanted))
	}
	switch {
	case err != nil:
	case scanned:
		parts, err = s.header.ScanParts(r)
	default:
		parts, err = s.header.FindParts(r)
	}
	if err != nil {
		return nil, fmt.Errorf("tile-parts: %w", err)
	}
	if damage := parts.Damage(); damage != nil {
		s.damage.report("parts", "tile-parts: %v", damage)
		return parts, nil
	}
	s.storeParts(r.ctx, parts, scanned)
	return parts, nil
}
