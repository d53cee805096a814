package google

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeIssuers answers as the issuer of tokens and the metadata service of a machine do.
func fakeIssuers(w http.ResponseWriter, r *http.Request) {
	answer := func(token string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, token)
	}
	switch r.ParseForm(); {
	case r.URL.Path == "/computeMetadata/v1/instance/service-accounts/default/token" && r.Header.Get("Metadata-Flavor") == "Google":
		answer("machine")
	case r.URL.Path == "/token" && r.Form.Get("assertion") != "":
		answer("account")
	default:
		http.NotFound(w, r)
	}
}

// accountFile returns the file of a service account with a key of its own.
func accountFile(t *testing.T, issuer string) map[string]string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return map[string]string{"type": "service_account", "client_email": "maps@example.org", "private_key": string(encoded), "token_uri": issuer + "/token"}
}

func TestTokensComeFromAllThatIssuesThem(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(fakeIssuers))
	defer server.Close()
	t.Setenv("GCE_METADATA_HOST", strings.TrimPrefix(server.URL, "http://"))
	t.Setenv("HOME", t.TempDir())
	for want, file := range map[string]map[string]string{"account": accountFile(t, server.URL), "machine": nil} {
		path := ""
		if file != nil {
			path = filepath.Join(t.TempDir(), "credentials.json")
			text, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", path)
		token, expires, err := fetchToken(t.Context())
		if rest := time.Until(expires); err != nil || token != want || rest < 50*time.Minute || rest > time.Hour {
			t.Errorf("%s: %q, which expires at %v, %v", want, token, expires, err)
		}
	}
}

func TestWithoutCredentialsTheErrorSaysWhatToDo(t *testing.T) {
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "missing.json"))
	if _, _, err := fetchToken(t.Context()); err == nil || !strings.Contains(err.Error(), "GS_NO_SIGN_REQUEST") {
		t.Error(err)
	}
}

func TestTheEnvironmentCompletesTheConfiguration(t *testing.T) {
	for _, test := range []struct {
		config    Config
		variables string
		want      Config
	}{
		{Config{}, "", Config{}},
		{Config{}, "GS_NO_SIGN_REQUEST YES GS_USER_PROJECT mapping", Config{Anonymous: true, UserProject: "mapping"}},
		{Config{UserProject: "ours"}, "GS_NO_SIGN_REQUEST NO GS_USER_PROJECT mapping", Config{UserProject: "ours"}},
		{Config{}, "STORAGE_EMULATOR_HOST localhost:9", Config{Endpoint: "http://localhost:9", Anonymous: true}},
		{Config{}, "STORAGE_EMULATOR_HOST https://localhost:9", Config{Endpoint: "https://localhost:9", Anonymous: true}},
		{Config{Endpoint: "https://example.org"}, "STORAGE_EMULATOR_HOST localhost:9", Config{Endpoint: "https://example.org"}},
	} {
		t.Run(test.variables, func(t *testing.T) {
			for _, name := range []string{"GS_NO_SIGN_REQUEST", "GS_USER_PROJECT", "STORAGE_EMULATOR_HOST"} {
				t.Setenv(name, "")
			}
			fields := strings.Fields(test.variables)
			for i := 0; i < len(fields); i += 2 {
				t.Setenv(fields[i], fields[i+1])
			}
			if got := FromEnvironment(test.config); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}
