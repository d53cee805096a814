package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tileserver/source/web/webtest"
)

const (
	// lifetime is how long credentials may be used here. Services issue them for hours.
	lifetime = 11 * time.Second

	// The SDK of AWS takes all credentials to expire that much earlier than their issuer says.
	margin = 5 * time.Minute
)

// issuer issues credentials as a container of AWS gets them.
type issuer struct {
	mu      sync.Mutex           // guards the fields below
	expires map[string]time.Time // by access key
	refused int
}

// ServeHTTP issues a credential.
func (i *issuer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	key, expires := fmt.Sprint("KEY", len(i.expires)), time.Now().Add(lifetime)
	i.expires[key] = expires
	json.NewEncoder(w).Encode(map[string]any{"AccessKeyId": key, "SecretAccessKey": "secret", "Token": "token of " + key, "Expiration": expires.Add(margin)})
}

// check is a fault that refuses credentials that have expired.
func (i *issuer) check(w http.ResponseWriter, r *http.Request, next http.Handler) {
	_, key, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	key, _, _ = strings.Cut(key, "/")
	i.mu.Lock()
	isValid := time.Now().Before(i.expires[key])
	if !isValid {
		i.refused++
	}
	i.mu.Unlock()
	if !isValid {
		refuse(http.StatusForbidden, "ExpiredToken")(w, r, next)
		return
	}
	next.ServeHTTP(w, r)
}

// Credentials are renewed before they expire: while they do, again and again, no request is refused and no answer
// is lost.
func TestCredentialsExpire(t *testing.T) {
	t.Parallel() // it waits for credentials to expire
	p := knownPictures(t)
	own := &issuer{expires: make(map[string]time.Time)}
	container := httptest.NewServer(own)
	t.Cleanup(container.Close)
	origin := webtest.New(t)
	origin.Put("/maps/far.tif", string(p.data))
	between := newProxy(t, origin.URL)
	between.answerBy(own.check)
	config := fmt.Sprintf("cache: 0\nremote: [{prefix: 's3://maps', endpoint: '%s'}]\npaths: ['s3://maps/far.tif']\n", between.URL)
	far := serve(t, config, "AWS_CONTAINER_CREDENTIALS_FULL_URI="+container.URL, "AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY=", "AWS_PROFILE=",
		"AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null")
	for began := time.Now(); time.Since(began) < lifetime*3/2; time.Sleep(time.Second) {
		far.compareBy(t, clients, p.layer)
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if len(own.expires) < 2 || own.refused > 0 {
		t.Errorf("%d credentials were issued, and %d requests had one that had expired", len(own.expires), own.refused)
	}
}
