package source

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// ErrRemote marks the address of an object that is not a file on disk. No source reads it.
var ErrRemote = errors.New("not supported yet")

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
	return fmt.Errorf("%w: %s (only files and folders on disk can be read)", ErrRemote, withoutSecrets(address))
}

// withoutSecrets removes parts of an address that may be a password or a signature.
func withoutSecrets(address string) string {
	address, _, _ = strings.Cut(address, "?")
	u, err := url.Parse(address)
	if err != nil {
		return remoteStart.FindString(address) + "…"
	}
	return u.Redacted()
}
