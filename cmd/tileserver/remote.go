package main

import (
	"net/url"
	"regexp"
	"strings"
)

// remoteStart matches the start of a remote address: https://, s3://, or a virtual file of GDAL
// such as /vsicurl/. A single letter is a Windows drive: C://maps/ortho.tif.
var remoteStart = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+://|/vsi[a-z0-9_]+/)`)

func isRemote(path string) bool { return remoteStart.MatchString(path) }

// checkLocal rejects remote addresses.
func checkLocal(path string) error {
	if !isRemote(path) {
		return nil
	}
	return unusableError("not supported yet: %s (only files and folders on disk can be read)", withoutSecrets(path))
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
