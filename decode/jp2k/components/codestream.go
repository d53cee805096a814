package components

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
	"tileserver/source"
)

// Codestream is an open codestream. It is safe for concurrent use.
type Codestream struct {
	src       source.Source
	isFar     bool
	extent    source.Range // range of the codestream in src
	config    Config
	shared    *Shared
	header    *codestream.Header
	estimates estimates
	damage    damage
	misplaced atomic.Bool // the table of tile-parts in the main header is wrong

	hasLengths atomic.Bool // tiles tell the lengths of their packets
}

// Open reads the main header of the codestream that r covers. The caller keeps ownership of the
// source, and closes it after the last request.
func Open(r *Reader, config Config) (*Codestream, error) {
	if config.Pool == nil {
		return nil, errors.New("no pool to decode with")
	}
	if e := r.extent; e.Offset < 0 || e.Length < 0 || e.Length > r.src.Size()-e.Offset {
		return nil, fmt.Errorf("a codestream at %v of %d bytes: %w", e, r.src.Size(), source.ErrOutOfBounds)
	}
	s := &Codestream{src: r.src, isFar: r.isFar, extent: r.extent, config: config.withDefaults(), shared: config.Shared}
	s.damage.warn = s.config.Warn
	if s.shared == nil {
		s.shared = NewShared(cache.New(ownBytes), ownIndexBytes)
	}
	if s.config.Key == "" {
		s.config.Key = keyOf(s.src, s.extent)
	}
	header, err := codestream.ReadHeader(r, s.config.Limits.Codestream)
	if err != nil {
		return nil, err
	}
	s.header, s.estimates = header, estimatesOf(header, s.config.Limits)
	return s, nil
}

// keyOf identifies the content of a range of a source without revealing its name.
func keyOf(src source.Source, extent source.Range) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%v", src.Name(), src.Version(), extent))
	return hex.EncodeToString(digest[:16])
}

// Key returns the key of the codestream, whatever its quality layers.
func (s *Codestream) Key() string { return s.config.Key }

// Layers returns the maximum number of quality layers to decode, or 0 for all.
func (s *Codestream) Layers() int { return s.config.Layers }

// BatchBytes returns roughly the maximum memory that a request may use.
func (s *Codestream) BatchBytes() int64 { return s.config.BatchBytes }

// Header returns the main header.
func (s *Codestream) Header() *codestream.Header { return s.header }

// Notes returns the damage found so far, for the operator.
func (s *Codestream) Notes() []string { return s.damage.reported() }

// failure converts an error to the errors of other packages.
func failure(err error) error {
	switch {
	case errors.Is(err, source.ErrChanged):
		return fmt.Errorf("%w: %w", raster.ErrChanged, err)
	case errors.Is(err, errUndecodable), errors.Is(err, codestream.ErrUnsupported):
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case errors.Is(err, codestream.ErrCorrupt):
		return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return err
}
