package google

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"tileserver/source/bucket"
)

// FromEnvironment returns the configuration with what variables say. They are those of GDAL and of Google's
// own programs. An emulator knows no tokens.
func FromEnvironment(c Config) Config {
	c.Anonymous = c.Anonymous || bucket.IsYes(os.Getenv("GS_NO_SIGN_REQUEST"))
	c.UserProject = cmp.Or(c.UserProject, os.Getenv("GS_USER_PROJECT"))
	emulator := os.Getenv("STORAGE_EMULATOR_HOST")
	if c.Endpoint != "" || emulator == "" {
		return c
	}
	if !strings.Contains(emulator, "://") {
		emulator = "http://" + emulator
	}
	c.Endpoint, c.Anonymous = emulator, true
	return c
}

const (
	readScope   = "https://www.googleapis.com/auth/devstorage.read_only"
	requestTime = 20 * time.Second // of a request for a token
)

// fetchToken fetches a token with the credentials that are now in the environment, in the files of gcloud or
// in the machine.
func fetchToken(ctx context.Context) (token string, expires time.Time, err error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: requestTime})
	found, err := google.FindDefaultCredentials(ctx, readScope)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("no credentials of Google (for public buckets, set GS_NO_SIGN_REQUEST=YES): %w", err)
	}
	issued, err := found.TokenSource.Token()
	if err != nil {
		return "", time.Time{}, fmt.Errorf("no token of Google: %w", err)
	}
	return issued.AccessToken, issued.Expiry, nil
}
