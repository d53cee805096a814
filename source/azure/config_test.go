package azure

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestConnectionStringsSayWhereAndWho(t *testing.T) {
	for text, want := range map[string]Config{
		"DefaultEndpointsProtocol=https;AccountName=maps;AccountKey=a2V5+/==;EndpointSuffix=core.chinacloudapi.cn": {
			Account: "maps", Key: "a2V5+/==", Endpoint: "https://maps.blob.core.chinacloudapi.cn"},
		"AccountName=maps;AccountKey=a2V5;":                                        {Account: "maps", Key: "a2V5", Endpoint: "https://maps.blob.core.windows.net"},
		" accountname=maps ; BlobEndpoint=http://127.0.0.1:1/maps;QueueEndpoint=q": {Account: "maps", Endpoint: "http://127.0.0.1:1/maps"},
		"BlobEndpoint=https://x.org;SharedAccessSignature=sv=1&sig=2%3D":           {Endpoint: "https://x.org", SAS: "sv=1&sig=2%3D"},
		"": {},
	} {
		if got, err := parseConnection(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestWhatCannotBeIsRefusedWithoutItsSecrets(t *testing.T) {
	for name, config := range map[string]Config{
		"a key that is not Base64":         {Account: "maps", Key: "?secret?"},
		"a key without an account":         {Key: "c2VjcmV0"},
		"a key of an endpoint only":        {Endpoint: "https://example.org", Key: "c2VjcmV0"},
		"a signature without an account":   {SAS: "sig=secret"},
		"a signature that is none":         {Account: "maps", SAS: "secret"},
		"a signature that is no query":     {Account: "maps", SAS: "sig=secret%zz"},
		"a signature in plain text":        {Account: "maps", Endpoint: "http://example.org", SAS: "sig=secret"},
		"a token in plain text":            {Account: "maps", Endpoint: "http://example.org"},
		"an account that is no name":       {Account: "secret.example.org/"},
		"an endpoint that is no URL":       {Account: "maps", Endpoint: "user:secret@example.org"},
		"a connection that is none":        {Connection: "AccountName=maps;secret"},
		"the storage of a developer":       {Connection: "UseDevelopmentStorage=true;AccountKey=secret"},
		"a connection without encryption":  {Connection: "AccountName=maps;DefaultEndpointsProtocol=http;SharedAccessSignature=sig=secret"},
		"a connection to somewhere else":   {Connection: "AccountName=maps;EndpointSuffix=net?secret"},
		"a connection with a key too many": {Connection: "AccountName=maps;AccountKey=secret!"},
	} {
		if _, err := New(config); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzConnection(f *testing.F) {
	f.Add("DefaultEndpointsProtocol=https;AccountName=maps;AccountKey=a2V5+/==;EndpointSuffix=core.windows.net")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := New(Config{Connection: text})
		if err != nil {
			return
		}
		if u, err := s.Locate("az://tiles/a"); err == nil && (u.Host == "" || u.User != nil || u.RawQuery != "") {
			t.Errorf("%q leads to %s", text, u)
		}
	})
}

func TestTheEnvironmentCompletesTheConfiguration(t *testing.T) {
	names := []string{
		"AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCESS_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_NO_SIGN_REQUEST",
	}
	for i, test := range []struct {
		config    Config
		variables []string // in the order of the names
		want      Config
	}{
		{Config{}, nil, Config{}},
		{Config{}, []string{"maps", "key"}, Config{Account: "maps", Key: "key"}},
		{Config{}, []string{"maps", "", "key", "sig=1"}, Config{Account: "maps", Key: "key", SAS: "sig=1"}},
		{Config{}, []string{"maps", "key", "", "", "AccountName=other"}, Config{Connection: "AccountName=other"}},
		{Config{Account: "maps"}, []string{"maps", "key"}, Config{Account: "maps", Key: "key"}},
		{Config{Account: "other"}, []string{"maps", "key", "", "sig=1", "AccountName=maps"}, Config{Account: "other"}},
		{Config{Account: "maps", SAS: "sig=2"}, []string{"maps", "key"}, Config{Account: "maps", SAS: "sig=2"}},
		{Config{}, []string{"maps", "", "", "", "", "YES"}, Config{Account: "maps", Anonymous: true}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for n, name := range names {
				t.Setenv(name, "")
				if n < len(test.variables) {
					t.Setenv(name, test.variables[n])
				}
			}
			if got := FromEnvironment(test.config); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// The identity of a machine is one of the chain of Azure's module.
func TestTokensComeFromTheIdentityOfTheMachine(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Identity-Header") != "header" || r.URL.Query().Get("resource") != "https://storage.azure.com" {
			http.Error(w, "", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, `{"access_token":"machine","expires_on":"%d","resource":"https://storage.azure.com","token_type":"Bearer"}`, time.Now().Add(time.Hour).Unix())
	}))
	defer issuer.Close()
	for _, name := range []string{"AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE"} {
		t.Setenv(name, "") // restores it afterwards
		os.Unsetenv(name)
	}
	t.Setenv("IDENTITY_ENDPOINT", issuer.URL)
	t.Setenv("IDENTITY_HEADER", "header")
	token, expires, err := fetchToken(t.Context())
	if rest := time.Until(expires); err != nil || token != "machine" || rest < 50*time.Minute || rest > 61*time.Minute {
		t.Errorf("%q, which expires at %v, %v", token, expires, err)
	}
}
