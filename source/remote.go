package source

import (
	"errors"
	"fmt"
	"regexp"
)

// ErrRemote marks an address of which no store reads anything, or where a path on disk is needed.
var ErrRemote = errors.New("not supported")

// remoteStart matches the start of a remote address: https://, s3://, or a virtual file of GDAL
// such as /vsicurl/. A single letter is a Windows drive: C://maps/ortho.tif.
var remoteStart = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+://|/vsi[a-z0-9_]+/)`)

// IsRemote reports whether an address is not a path on disk.
func IsRemote(address string) bool { return remoteStart.MatchString(address) }

// CheckLocal returns an error that is ErrRemote if an address is not a path on disk.
func CheckLocal(address string) error {
	if !IsRemote(address) {
		return nil
	}
	return fmt.Errorf("%s: %w: must be a path on disk", Redacted(address), ErrRemote)
}
