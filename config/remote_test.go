package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMistakesInRemoteEntries(t *testing.T) {
	for text, want := range map[string]string{
		"- region: x":      `c.yaml:2: remote[0]: has no "prefix"`,
		"- prefix: /srv":   "c.yaml:2: remote[0].prefix: must begin with az://, gs://, http://, https://, s3://, not be /srv",
		"- prefix: ftp://": "remote[0].prefix: must begin with",
		"- prefix: https://user:secret@h/a?sig=secret":           "remote[0].prefix: must have no user, password or query, as https://h/a has",
		"- {prefix: s3://a}\n- {prefix: s3://a/}":                "c.yaml:3: remote[1].prefix: another entry has the prefix s3://a",
		"- prefix: gs://a\n  path_style: true":                   "c.yaml:3: remote[0].path_style: has no effect on gs://, but on s3://",
		"- prefix: S3://a\n  headers: {A: b}":                    "remote[0].headers: has no effect on s3://, but on https:// and http://",
		"- prefix: s3://a\n  account: b":                         "remote[0].account: has no effect on s3://, but on az://",
		"- prefix: s3://a\n  endpoint: minio:9000":               "remote[0].endpoint: must be an address such as",
		"- prefix: s3://a\n  endpoint: https://u:secret@h":       "remote[0].endpoint: must be an address such as",
		"- prefix: s3://a\n  recheck: 10ms":                      "remote[0].recheck: must be at least 1s, not 10ms",
		"- prefix: s3://a\n  external_id: b":                     `remote[0].external_id: is of no use without "role"`,
		"- prefix: s3://a\n  anonymous: true\n  profile: b":      "remote[0].anonymous: excludes profile",
		"- prefix: https://a\n  headers: secret":                 "remote[0].headers: must be names and values of headers",
		"- prefix: https://a\n  headers: {A: {env: B, file: C}}": "remote[0].headers: A must be text, {env: VARIABLE} or {file: PATH}",
		"- prefix: https://a\n  headers: {A: [secret]}":          "remote[0].headers: A must be text",
		"- prefix: https://a\n  headers: {A: {value: secret}}":   "remote[0].headers: A must be text",
		"- prefix: https://a\n  headers: {\"A B\": secret}":      `remote[0].headers: "A B" is not the name of a header`,
		"- prefix: https://a\n  headers: {range: secret}":        "remote[0].headers: range cannot be set",
		"- prefix: https://a\n  headers: {A: \"secret\\n\"}":     "remote[0].headers: A has control characters",
	} {
		c := Default()
		err := c.Decode("c.yaml", []byte("remote:\n"+text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestRemoteEntriesAreRead(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"token": " from a file\n", "empty": "\n", "bad": "a\x01b"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TOKEN", "from the environment")
	t.Setenv("BAD", "a\x01b")
	text := `remote:
- prefix: HTTPS://h/a
  headers: {x-one: {env: TOKEN}, X-Two: {file: token}, X-Three: as written}
- prefix: s3://b
  path_style: false
  recheck: 10m
disk_cache: cache:1GiB
`
	path := filepath.Join(folder, "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Default()
	if err := c.Load(path); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := c.Remote[0].Headers.Read()
	if err != nil || len(got) != 3 || got.Get("X-One") != "from the environment" || got.Get("X-Two") != "from a file" || got.Get("X-Three") != "as written" {
		t.Errorf("the headers are %v, %v", got, err)
	}
	if c.Remote[0].Scheme() != SchemeHTTPS || c.Remote[0].RecheckTime() != time.Minute || c.Remote[1].RecheckTime() != 10*time.Minute || *c.Remote[1].PathStyle {
		t.Errorf("the entries are %+v", c.Remote)
	}
	if c.DiskCache != (DiskCache{filepath.Join(folder, "cache"), 1 << 30}) {
		t.Errorf("the disk cache is %+v", c.DiskCache)
	}
	for header, want := range map[Header]string{
		{Name: "A", Env: "NONE"}: "A: the environment has no NONE", {Name: "A", Env: "BAD"}: "A has control characters",
		{Name: "A", File: filepath.Join(folder, "empty")}: "A: " + filepath.Join(folder, "empty") + " is empty",
		{Name: "A", File: filepath.Join(folder, "none")}:  "A: no such file or folder: ",
		{Name: "A", File: filepath.Join(folder, "bad")}:   "A has control characters",
	} {
		if _, err := (Headers{header}).Read(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", header, err, want)
		}
	}
}

func TestDiskCaches(t *testing.T) {
	for text, want := range map[string]DiskCache{
		"/var/cache:100GiB": {"/var/cache", 100 << 30}, `C:\cache:1TB`: {`C:\cache`, 1e12}, "cache: 64MiB": {"cache", 64 << 20}, "": {},
	} {
		var got DiskCache
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		var again DiskCache
		if err := again.Set(want.String()); err != nil || again != want {
			t.Errorf("%+v is written %s", want, want)
		}
	}
	for _, text := range []string{"/var/cache", "/var/cache:", ":1GiB", `C:\cache`, "1GiB", "/var/cache:much"} {
		if err := new(DiskCache).Set(text); err == nil {
			t.Errorf("%q is taken for a disk cache", text)
		}
	}
	for cache, want := range map[DiskCache]string{
		{"/var/cache", 1 << 20}:    "disk-cache: must have at least 64MiB, not 1MiB",
		{"s3://bucket/a", 1 << 30}: "s3://bucket/a: not supported: must be a path on disk",
	} {
		c := Default()
		c.DiskCache = cache
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cache, err)
		}
	}
}

// The examples of the document of remote files are valid.
func TestExamplesOfRemoteFilesAreValid(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "remote-files.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")[1:]
	for _, block := range blocks {
		example, _, _ := strings.Cut(block, "```")
		mustBeConfig(t, example)
	}
	if len(blocks) < 4 {
		t.Errorf("the document has %d examples", len(blocks))
	}
}
