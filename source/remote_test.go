package source

import (
	"errors"
	"strings"
	"testing"
)

func TestRemoteAddressesAreRejectedWithoutTheirSecrets(t *testing.T) {
	for address, says := range map[string]string{
		"https://user:pass@example.org/a.tif?sig=secret": "https://example.org/a.tif: not supported: must be a path on disk",
		"s3://bucket/a.tif": "s3://bucket/a.tif: ", "/vsicurl/https://example.org/a.tif": "/vsicurl/https://example.org/a.tif: ",
		"s3://%zz/a?key=secret": "s3://%zz/a: not",
	} {
		err := CheckLocal(address)
		if !errors.Is(err, ErrRemote) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, path := range []string{"a.tif", "/maps/ortho.tif", `C:\maps\ortho.tif`, "C://maps/ortho.tif", "", "a:b.tif"} {
		if err := CheckLocal(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
