package remote

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tileserver/source/web/webtest"
)

// googleServer is a server with the XML API of Google: objects in a bucket, and lists of them. It gives a token to
// who has the key of an account, and nothing to who has no token.
type googleServer struct{ *webtest.Server }

const googleToken = "a token of Google"

// check is a fault that answers what Google answers beside objects.
func (g googleServer) check(w http.ResponseWriter, r *http.Request, next http.Handler) {
	switch {
	case r.URL.Path == "/token":
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"access_token": googleToken, "token_type": "Bearer", "expires_in": 3600})
	case r.Header.Get("Authorization") != "Bearer "+googleToken:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<Error><Code>AuthenticationRequired</Code></Error>")
	case r.URL.Query().Get("list-type") == "2":
		g.list(w, r.URL)
	default:
		next.ServeHTTP(w, r)
	}
}

// list lists the objects and the folders of a folder, three to a page.
func (g googleServer) list(w http.ResponseWriter, asked *url.URL) {
	const pageSize = 3
	bucket, query := asked.Path+"/", asked.Query()
	prefix := query.Get("prefix")
	fmt.Fprint(w, "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><EncodingType>url</EncodingType>")
	listed, last := 0, ""
	for _, path := range g.Paths(bucket + prefix) {
		key := strings.TrimPrefix(path, bucket)
		name, _, isFolder := strings.Cut(strings.TrimPrefix(key, prefix), "/")
		if isFolder {
			key = prefix + name + "/"
		}
		if key <= query.Get("continuation-token") || key == last {
			continue
		}
		if listed == pageSize {
			fmt.Fprintf(w, "<IsTruncated>true</IsTruncated><NextContinuationToken>%s</NextContinuationToken>", last)
			break
		}
		listed, last = listed+1, key
		if isFolder {
			fmt.Fprintf(w, "<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>", url.QueryEscape(key))
			continue
		}
		size, tag, modified := g.Stamp(path)
		fmt.Fprintf(w, "<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>%s</ETag><Size>%d</Size></Contents>",
			url.QueryEscape(key), modified.UTC().Format(time.RFC3339Nano), tag, size)
	}
	fmt.Fprint(w, "</ListBucketResult>")
}

// accountFile writes the key of a service account, whose tokens come from a server.
func accountFile(t *testing.T, server string) (path string) {
	t.Helper()
	own, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "tiles@example.org", "private_key_id": "1", "token_uri": server + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A prefix of a bucket of Google is served as a folder on disk is, over several pages of lists.
func TestAPrefixOfABucketOfGoogleIsServedAsAFolderOnDisk(t *testing.T) {
	t.Parallel()
	tileserver(t)
	folder := folderOfFiles(t)
	server := googleServer{webtest.New(t)}
	for name, data := range filesBelow(t, folder) {
		server.Put("/maps/imagery/all/"+name, string(data))
	}
	between := newProxy(t, server.URL)
	between.answerBy(server.check)
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { server.check(w, r, nil) }))
	t.Cleanup(tokens.Close)
	compareFolders(t, folder, fmt.Sprintf("remote: [{prefix: 'gs://maps', endpoint: '%s', recheck: 1h}]\npaths: ['gs://maps/imagery/all/']\nrescan: 0\n", between.URL), between,
		"GOOGLE_APPLICATION_CREDENTIALS="+accountFile(t, tokens.URL), "GS_NO_SIGN_REQUEST=", "GS_USER_PROJECT=", "STORAGE_EMULATOR_HOST=")
}
