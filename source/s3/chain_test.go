package s3

import (
	"crypto/sha1"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeIssuers answers as what issues credentials on a machine and at AWS: containers, machines, roles and
// single sign-on. The id of the keys says who issued them.
func fakeIssuers(w http.ResponseWriter, r *http.Request) {
	until := time.Now().Add(time.Hour).UTC()
	keys := func(id string) string {
		return fmt.Sprintf(`"AccessKeyId":%q,"SecretAccessKey":"secret","Token":"token","Expiration":%q`, id, until.Format(time.RFC3339))
	}
	const role = "<%[1]sResponse><%[1]sResult><Credentials><AccessKeyId>%[2]s</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>" +
		"<SessionToken>token</SessionToken><Expiration>%[3]s</Expiration></Credentials></%[1]sResult></%[1]sResponse>"
	switch r.ParseForm(); r.URL.Path {
	case "/container":
		fmt.Fprint(w, "{"+keys("container")+"}")
	case "/latest/api/token":
		w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600")
		fmt.Fprint(w, "second version")
	case "/latest/meta-data/iam/security-credentials/":
		fmt.Fprint(w, "maps")
	case "/latest/meta-data/iam/security-credentials/maps":
		if r.Header.Get("X-Aws-Ec2-Metadata-Token") != "second version" {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"Code":"Success",`+keys("machine")+"}")
	case "/federation/credentials":
		fmt.Fprintf(w, `{"roleCredentials":{"accessKeyId":"single sign-on","secretAccessKey":"secret","sessionToken":"token","expiration":%d}}`, until.UnixMilli())
	case "/":
		action := r.Form.Get("Action")
		id := map[string]string{"AssumeRole": "role " + r.Form.Get("ExternalId"), "AssumeRoleWithWebIdentity": "web identity " + r.Form.Get("WebIdentityToken")}[action]
		fmt.Fprintf(w, role, action, id, until.Format(time.RFC3339))
	default:
		http.NotFound(w, r)
	}
}

const files = `[default]
region = eu-west-3
[profile process]
credential_process = echo '{"Version":1,"AccessKeyId":"process","SecretAccessKey":"secret"}'
[profile role]
role_arn = arn:aws:iam::123456789012:role/maps
external_id = of the profile
source_profile = base
[profile base]
aws_access_key_id = base
aws_secret_access_key = secret
[profile login]
sso_session = us
sso_account_id = 123456789012
sso_role_name = maps
region = eu-west-1
[sso-session us]
sso_start_url = https://example.org/start
sso_region = eu-west-1
`

// Each way of the SDK leads to credentials, of a configuration that may name a profile and a role.
func TestCredentialsComeFromAllThatIssuesThem(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(fakeIssuers))
	defer server.Close()
	for want, test := range map[string]struct {
		config    Config
		variables []string
	}{
		"variables":           {Config{}, []string{"AWS_ACCESS_KEY_ID", "variables", "AWS_SECRET_ACCESS_KEY", "secret"}},
		"base":                {Config{Profile: "base"}, []string{"AWS_ACCESS_KEY_ID", "variables", "AWS_SECRET_ACCESS_KEY", "secret"}},
		"process":             {Config{}, []string{"AWS_PROFILE", "process"}},
		"role of the profile": {Config{Profile: "role"}, nil},
		"role of ours":        {Config{Profile: "base", RoleARN: "arn:aws:iam::123456789012:role/maps", ExternalID: "of ours"}, nil},
		"single sign-on":      {Config{Profile: "login"}, nil},
		"web identity jwt":    {Config{}, []string{"AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/maps", "AWS_WEB_IDENTITY_TOKEN_FILE", "web"}},
		"container":           {Config{}, []string{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.URL + "/container"}},
		"machine":             {Config{}, []string{"AWS_EC2_METADATA_DISABLED", "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT", server.URL}},
	} {
		t.Run(want, func(t *testing.T) {
			noFiles(t, "AWS_ENDPOINT_URL_STS", server.URL, "AWS_ENDPOINT_URL_SSO", server.URL)
			writeFiles(t)
			for i := 0; i < len(test.variables); i += 2 {
				name, value := test.variables[i], test.variables[i+1]
				if value == "web" {
					value = filepath.Join(os.Getenv("HOME"), value)
				}
				t.Setenv(name, value)
			}
			own, expires, err := fetchKeys(test.config.load)(t.Context())
			if err != nil || own.id != want || own.secret != "secret" {
				t.Errorf("%v, %v", own, err)
			}
			if isStatic := own.session == ""; isStatic != expires.IsZero() {
				t.Errorf("it expires at %v", expires)
			}
		})
	}
}

// writeFiles writes the files of AWS, with a login and a token, in a folder of their own.
func writeFiles(t *testing.T) {
	t.Helper()
	home := filepath.Dir(os.Getenv("AWS_CONFIG_FILE"))
	t.Setenv("HOME", home)
	login := fmt.Sprintf(`{"accessToken":"login","expiresAt":%q}`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	cached := fmt.Sprintf(".aws/sso/cache/%x.json", sha1.Sum([]byte("us"))) // the name of the session
	for name, text := range map[string]string{"config": files, "web": "jwt", cached: login} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCredentialsInAFileAreReadAgain(t *testing.T) {
	noFiles(t)
	path := os.Getenv("AWS_SHARED_CREDENTIALS_FILE")
	var config Config
	fetch := fetchKeys(config.load)
	for _, id := range []string{"yesterday", "today"} {
		if err := os.WriteFile(path, []byte("[default]\naws_access_key_id="+id+"\naws_secret_access_key=secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if own, _, err := fetch(t.Context()); err != nil || own.id != id {
			t.Errorf("%s: %v, %v", id, own.id, err)
		}
	}
}

func TestTheEnvironmentCompletesTheConfiguration(t *testing.T) {
	for _, test := range []struct {
		config    Config
		variables string
		want      string // the URL of an object
	}{
		{Config{}, "AWS_REGION eu-west-2", "https://maps.s3.eu-west-2.amazonaws.com/a"},
		{Config{}, "AWS_DEFAULT_REGION eu-west-2", "https://maps.s3.eu-west-2.amazonaws.com/a"},
		{Config{Region: "eu-north-1"}, "AWS_REGION eu-west-2", "https://maps.s3.eu-north-1.amazonaws.com/a"},
		{Config{}, "AWS_ENDPOINT_URL http://127.0.0.1:1", "http://127.0.0.1:1/maps/a"},
		{Config{}, "AWS_ENDPOINT_URL http://127.0.0.1:1 AWS_ENDPOINT_URL_S3 http://127.0.0.1:2", "http://127.0.0.1:2/maps/a"},
		{Config{Endpoint: "http://127.0.0.1:3"}, "AWS_ENDPOINT_URL_S3 http://127.0.0.1:2", "http://127.0.0.1:3/maps/a"},
		{Config{}, "AWS_ENDPOINT_URL http://127.0.0.1:1 AWS_ENDPOINT_URL_S3 http://127.0.0.1:2 AWS_IGNORE_CONFIGURED_ENDPOINT_URLS true", "https://maps.s3.us-east-1.amazonaws.com/a"},
		{Config{}, "AWS_ENDPOINT_URL https://example.org AWS_VIRTUAL_HOSTING TRUE", "https://maps.example.org/a"},
		{Config{}, "AWS_VIRTUAL_HOSTING FALSE", "https://s3.us-east-1.amazonaws.com/maps/a"},
		{Config{Style: VirtualHosts}, "AWS_VIRTUAL_HOSTING FALSE", "https://maps.s3.us-east-1.amazonaws.com/a"},
		{Config{}, "AWS_ENDPOINT_URL example.org", ""},
		{Config{}, "AWS_REGION a.b", ""},
	} {
		t.Run(test.variables, func(t *testing.T) {
			noFiles(t, strings.Fields(test.variables)...)
			s, err := New(FromEnvironment(test.config))
			if err != nil {
				t.Fatal(err)
			}
			u, err := s.Locate("s3://maps/a")
			if err != nil && test.want != "" || err == nil && u.String() != test.want {
				t.Errorf("%v, %v", u, err)
			}
		})
	}
	noFiles(t, "AWS_NO_SIGN_REQUEST", "YES", "AWS_REQUEST_PAYER", "requester")
	if c := FromEnvironment(Config{}); !c.Anonymous || !c.RequesterPays {
		t.Errorf("%v", c)
	}
	if noFiles(t, "AWS_NO_SIGN_REQUEST", "NO"); FromEnvironment(Config{}) != (Config{}) {
		t.Error("NO was taken for yes")
	}
}

func TestAProfileSaysWhereItsBucketsAre(t *testing.T) {
	noFiles(t)
	text := "[profile r2]\nregion=auto\nendpoint_url=https://account.example.org\n[profile both]\nendpoint_url=https://example.org\nservices=own\n[services own]\ns3 =\n  endpoint_url=https://s3.example.org\n"
	if err := os.WriteFile(os.Getenv("AWS_CONFIG_FILE"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for profile, want := range map[string]string{"r2": "https://account.example.org/maps/a", "both": "https://s3.example.org/maps/a"} {
		s, err := New(Config{Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		if u, err := s.Locate("s3://maps/a"); err != nil || u.String() != want {
			t.Errorf("%s: %v, %v", profile, u, err)
		}
		if where, err := s.where(t.Context()); err != nil || profile == "r2" && where.region != "auto" {
			t.Errorf("%s: %v, %v", profile, where, err)
		}
	}
}
