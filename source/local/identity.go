package local

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

// Identity returns a hash that identifies the content of the file on this machine: its path, its
// version and a sample of its bytes. The sample distinguishes versions with equal size and time.
func (f *File) Identity(ctx context.Context) (string, error) {
	absolute, err := filepath.Abs(f.path)
	if err != nil {
		return "", err
	}
	size := f.Size()
	var sampled []source.Range
	for _, at := range []int64{0, max(size/2-sampledBytes/2, 0), max(size-sampledBytes, 0)} {
		sampled = append(sampled, source.Range{Offset: at, Length: min(sampledBytes, size-at)})
	}
	parts, err := f.ReadRanges(ctx, sampled)
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\x00%s\x00", absolute, f.Version())
	for _, part := range parts {
		digest.Write(part)
	}
	return hex.EncodeToString(digest.Sum(nil)[:16]), nil
}
