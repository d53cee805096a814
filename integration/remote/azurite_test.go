package remote

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/source"
	"tileserver/source/azure"
)

// startAzure runs Azurite, which checks signatures, and returns a configuration that leads there.
func startAzure(t *testing.T) azure.Config {
	t.Helper()
	program, address := find(t, "azurite-blob"), freeAddress(t)
	key := base64.StdEncoding.EncodeToString([]byte("a key of the tests"))
	t.Setenv("AZURITE_ACCOUNTS", "maps:"+key)
	host, port, _ := strings.Cut(address, ":")
	run(t, "http://"+address, program, "--inMemoryPersistence", "--disableTelemetry", "--blobHost", host, "--blobPort", port)
	return azure.Config{Account: "maps", Key: key, Endpoint: "http://" + address + "/maps"}
}

// putBlob makes a container or a blob, with a signature of the service.
func putBlob(t *testing.T, s *azure.Service, u string, data []byte) {
	t.Helper()
	r, err := http.NewRequest("PUT", u, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Ms-Blob-Type", "BlockBlob")
	if len(data) > 0 { // part of the signature, and sent anyway
		r.Header.Set("Content-Length", strconv.Itoa(len(data)))
	}
	if err := s.Sign(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusCreated {
		t.Fatalf("%s: status %d: %s", u, answer.StatusCode, said)
	}
}

// Signatures are right for all names, and for ranges and conditions. What a list says of a blob is what the
// blob says.
func TestARealServerOfAzureAcceptsOurSignatures(t *testing.T) {
	config := startAzure(t)
	s, err := azure.New(config)
	if err != nil {
		t.Fatal(err)
	}
	putBlob(t, s, config.Endpoint+"/tiles?restype=container", nil)
	names := []string{"a.tif", "a b+c%20.tif", "ü 日本.tif", "~x!$&'()*,;=:@#[].tif", "folder/b.tif", `"quoted" <&>.tif`}
	for i, name := range names {
		u, err := s.Locate("az://tiles/" + name)
		if err != nil {
			t.Fatal(err)
		}
		putBlob(t, s, u.String(), bytes.Repeat([]byte{byte('a' + i)}, 300_000+i))
	}
	listing, opening := storeOf(s), storeOf(s)
	entries, err := listing.List(t.Context(), "az://tiles")
	if err != nil || len(entries) != len(names) {
		t.Fatalf("%v, %v", entries, err)
	}
	for i, key := range names {
		path := "az://tiles/" + key
		name, _, isFolder := strings.Cut(key, "/")
		if !slices.Contains(entries, source.Entry{Name: name, Path: "az://tiles/" + name, IsFolder: isFolder}) {
			t.Errorf("%q is not listed", key)
		} else if !isFolder {
			checkStates(t, listing, opening, path)
		}
		object, err := opening.Open(t.Context(), path)
		if err != nil {
			t.Errorf("%q: %v", key, err)
			continue
		}
		parts, err := object.ReadRanges(t.Context(), []source.Range{{Offset: 5, Length: 3}, {Offset: 299_990, Length: int64(10 + i)}})
		if err != nil || string(parts[1]) != strings.Repeat(string(rune('a'+i)), 10+i) {
			t.Errorf("%q: %q, %v", key, parts, err)
		}
		object.Close()
	}
}

func TestARealServerOfAzureListsManyBlobs(t *testing.T) {
	config := startAzure(t)
	s, err := azure.New(config)
	if err != nil {
		t.Fatal(err)
	}
	putBlob(t, s, config.Endpoint+"/tiles?restype=container", nil)
	const count = 1100
	for i := range count {
		u, err := s.Locate(fmt.Sprintf("az://tiles/many +/%d.tif", i))
		if err != nil {
			t.Fatal(err)
		}
		putBlob(t, s, u.String(), nil)
	}
	entries, err := storeOf(s).List(t.Context(), "az://tiles/many +/")
	isOther := func(e source.Entry) bool { return e.IsFolder || e.Path != "az://tiles/many +/"+e.Name }
	if err != nil || len(entries) != count || slices.ContainsFunc(entries, isOther) {
		t.Errorf("%d of %d, %v", len(entries), count, err)
	}
}

func TestARealServerOfAzureRefusesOthers(t *testing.T) {
	config := startAzure(t)
	s, err := azure.New(config)
	if err != nil {
		t.Fatal(err)
	}
	putBlob(t, s, config.Endpoint+"/tiles?restype=container", nil)
	config.Key = base64.StdEncoding.EncodeToString([]byte("another"))
	other, err := azure.New(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = storeOf(other).List(t.Context(), "az://tiles")
	if err == nil || !strings.Contains(err.Error(), "403") || strings.Contains(err.Error(), config.Key) {
		t.Errorf("with another key: %v", err)
	}
}
