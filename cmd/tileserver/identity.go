package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"tileserver/source"
)

// sampledBytes is how many bytes are read at the beginning, in the middle and at the end of a file
// to identify its content.
const sampledBytes = 16 << 10

// identityOf returns a hash that identifies the content of a file on this machine: its path, its
// version and a sample of its bytes. The sample distinguishes versions with equal size and time.
func identityOf(ctx context.Context, s *source.File, path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	size := s.Size()
	var ranges []source.Range
	for _, at := range []int64{0, max(size/2-sampledBytes/2, 0), max(size-sampledBytes, 0)} {
		ranges = append(ranges, source.Range{Offset: at, Length: min(sampledBytes, size-at)})
	}
	parts, err := s.ReadRanges(ctx, ranges)
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\x00%s\x00", absolute, s.Version())
	for _, part := range parts {
		digest.Write(part)
	}
	return hex.EncodeToString(digest.Sum(nil)[:16]), nil
}
