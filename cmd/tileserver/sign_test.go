package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

const (
	firstKey  = "first:0123456789abcdef0123456789abcdef"
	secondKey = "second:fedcba9876543210fedcba9876543210"
)

// An address that the command signs is answered by a server with the same key.
func TestSignedAddressesOfTheCommandAreAnswered(t *testing.T) {
	keys := writeFile(t, t.TempDir(), "my.keys", secondKey+"\n"+firstKey)
	path := writeFile(t, t.TempDir(), "my.yaml", "allow: {formats: none}\nsigning_keys: "+filepath.ToSlash(keys)+"\npaths: ["+filepath.ToSlash(smallTIFF(t))+"]")
	s := start(t, append([]string{"serve", "--config", path}, freePorts...)...)
	preview := s.maps + "/layers/small/preview.png"
	for _, args := range [][]string{
		{"--config", path}, {"--key-file", keys, "--key", "first", "--expires", "1m"}, {"--key-file", keys, "--unsigned", "*", "--path", "/layers/"},
	} {
		signed := strings.TrimSpace(mustRun(t, append([]string{"sign", preview}, args...)...))
		if got := statusOf(t, signed); got != http.StatusOK {
			t.Errorf("%q: %s has status %d", args, signed, got)
		}
	}
	t.Setenv("TILESERVER_SIGNING_KEYS", "other:"+strings.Repeat("x", 40)+" "+firstKey)
	if got := statusOf(t, strings.TrimSpace(mustRun(t, "sign", preview, "--key", "first"))); got != http.StatusOK {
		t.Errorf("status %d", got)
	}
	for _, address := range []string{preview, strings.TrimSpace(mustRun(t, "sign", preview))} {
		if got := statusOf(t, address); got != http.StatusForbidden {
			t.Errorf("%s has status %d", address, got)
		}
	}
}

func TestMistakesOfSign(t *testing.T) {
	t.Setenv("TILESERVER_SIGNING_KEYS", "")
	keys := writeFile(t, t.TempDir(), "my.keys", firstKey)
	short := writeFile(t, t.TempDir(), "short.keys", "first:secret")
	for want, args := range map[string][]string{
		"sign needs an address":                       {"--key-file", keys},
		"sign needs keys":                             {"/a"},
		`there is no key "third"`:                     {"--key-file", keys, "--key", "third", "/a"},
		"its secret must have at least 32 characters": {"--key-file", short, "/a"},
		"no such file or folder":                      {"--key-file", keys + "x", "/a"},
		"an --expires of more than 0":                 {"--key-file", keys, "--expires", "0s", "/a"},
	} {
		if code, stdout, stderr := runProgram(t, append([]string{"sign"}, args...)...); code == 0 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}

// A server does not start with keys that are wrong, and does not take them at a reload.
func TestKeysMustBeValid(t *testing.T) {
	keys := writeFile(t, t.TempDir(), "my.keys", "first:secret")
	code, _, stderr := runProgram(t, "serve", smallTIFF(t), "--signing-keys", keys)
	if code == 0 || !strings.Contains(stderr, "--signing-keys: "+keys+": key 1: its secret must have at least 32 characters") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func statusOf(t *testing.T, address string) int {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// Two keys are valid while one replaces the other. A reload takes the file of keys again, unless it is
// wrong.
func TestKeysRotateByReload(t *testing.T) {
	folder := t.TempDir()
	keys := writeFile(t, folder, "my.keys", firstKey)
	path := writeFile(t, folder, "c.yaml", "rescan: 0\nallow: {formats: none}\nsigning_keys: my.keys\npaths: ["+filepath.ToSlash(smallTIFF(t))+"]")
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)
	both := writeFile(t, t.TempDir(), "both.keys", firstKey+"\n"+secondKey)
	sign := func(key string) string {
		return strings.TrimSpace(mustRun(t, "sign", s.maps+"/layers/small/preview.png", "--key-file", both, "--key", key))
	}
	for _, step := range []struct {
		keys                  string
		wantFirst, wantSecond int
	}{
		{firstKey, 200, 403}, {firstKey + "\n" + secondKey, 200, 200}, {"second:short", 200, 200}, {secondKey, 403, 200},
	} {
		replaceFile(t, keys, step.keys)
		hangUp()
		if first, second := statusOf(t, sign("first")), statusOf(t, sign("second")); first != step.wantFirst || second != step.wantSecond {
			t.Errorf("with %q, the statuses are %d and %d", step.keys, first, second)
		}
	}
}
