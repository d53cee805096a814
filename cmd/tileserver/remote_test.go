package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tileserver/source/mount"
	"tileserver/source/sourcetest"
	"tileserver/source/web/webtest"
)

// answers returns what a server answers at addresses for clients of a layer and for operators.
func (s *running) answers(t *testing.T, layer string) string {
	t.Helper()
	var all strings.Builder
	for _, address := range []string{
		s.maps + "/", s.maps + "/layers", s.maps + "/layers/" + layer, s.maps + "/layers/" + layer + "/tilejson.json", s.maps + "/layers/" + layer + "/point?x=1&y=1&crs=image",
		s.maps + "/layers/" + layer + "/view.png?crs=image&bbox=0,0,9,9&width=9&height=9&rescale=0,77", s.maps + "/wmts/1.0.0/WMTSCapabilities.xml", s.maps + "/ogc/collections/" + layer,
		s.maps + "/tms/1.0.0", s.maps + "/iiif/" + layer + "/info.json", s.maps + "/layers/nothing",
		s.admin + "/readyz", s.admin + "/healthz", s.admin + "/metrics", s.admin + "/debug/cache", s.admin + "/debug/version",
		s.admin + "/debug/plan/" + layer + "/image/0/0/0", s.admin + "/debug/pprof/cmdline", s.admin + "/debug/pprof/goroutine?debug=2",
	} {
		response, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Header.Write(&all); err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		_, body := get(t, address)
		all.Write(body)
	}
	return all.String()
}

// A signed address of a web server is served as a file is, with one request. What signs it is told nowhere,
// whatever happens to the file.
func TestASignedAddressIsServedAndKeptSecret(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel() // it waits for the next look at the file
			web := webtest.New(t)
			web.Put("/maps/My map.tif", smallFile(t, 33))
			web.Put("/junk.tif", "no picture")
			host := strings.TrimPrefix(web.URL, "http://")
			address := "http://user:s3cret@" + host + "/maps/My%20map.tif?sig=s3cret"
			file := writeFile(t, t.TempDir(), "c.yaml", "paths: ['"+address+"', '"+web.URL+"/junk.tif?sig=s3cret']\nremote: [{prefix: '"+web.URL+"', recheck: 1s}]\n")
			s := start(t, append([]string{"serve", "--config", file, "--log-level", "debug", "--log-format", format, "--access-log", "all", "--cache", "0"}, freePorts...)...)
			if asked := web.Asked(); len(asked) != 2 || asked[0].Header.Get("Authorization") == "" && asked[1].Header.Get("Authorization") == "" {
				t.Errorf("to open a file and to skip another one takes the requests %v", asked)
			}
			if status, body := get(t, s.maps+"/layers/My-map"); status != http.StatusOK || !strings.Contains(string(body), "My map") {
				t.Errorf("status %d: %s", status, body)
			}
			told := s.answers(t, "My-map")
			if !strings.Contains(told, `tileserver_storage_up{storage="http://`+host+`"} 1`) {
				t.Errorf("the metrics do not name the host")
			}
			web.Put("/maps/My map.tif", "no longer a picture")
			eventually(t, "the change is seen", func() bool {
				get(t, s.maps+"/layers/My-map/preview.png")
				return strings.Contains(s.stderr.String(), "changed file cannot be opened")
			})
			told += s.answers(t, "My-map")
			web.Drop("/maps/My map.tif")
			told += s.answers(t, "My-map")
			web.Server.Close()
			told += s.answers(t, "My-map")
			s.stop()
			for where, text := range map[string]string{"an answer": told, "the log": s.stderr.String(), "the output": s.stdout.String()} {
				if at := strings.Index(text, "s3cret"); at >= 0 {
					t.Errorf("%s tells the secret: …%s", where, text[max(at-300, 0):at])
				}
			}
			if log := s.stderr.String(); !strings.Contains(log, web.URL+"/junk.tif") {
				t.Errorf("the log does not name what is skipped: %s", log)
			}
		})
	}
}

// Requests to a prefix have the headers that the configuration has for it, and others have not.
func TestHeadersOfRemoteFiles(t *testing.T) {
	web := webtest.New(t)
	web.Put("/own/a.tif", smallFile(t, 33))
	web.Put("/other/b.tif", smallFile(t, 33))
	t.Setenv("IMAGERY_TOKEN", "Bearer s3cret")
	file := writeFile(t, t.TempDir(), "c.yaml", "paths: ['"+web.URL+"/own/a.tif', '"+web.URL+"/other/b.tif']\nremote:\n- prefix: '"+web.URL+"/own'\n  headers: {Authorization: {env: IMAGERY_TOKEN}}\n")
	s := start(t, append([]string{"serve", "--config", file}, freePorts...)...)
	for _, asked := range web.Asked() {
		want := map[string]string{"/own/a.tif": "Bearer s3cret", "/other/b.tif": ""}[asked.Path]
		if got := asked.Header.Get("Authorization"); got != want || !strings.HasPrefix(asked.Header.Get("User-Agent"), "tileserver/") {
			t.Errorf("%s is asked for with %q, want %q, by %s", asked.Path, got, want, asked.Header.Get("User-Agent"))
		}
	}
	if told := s.answers(t, "a") + s.stderr.String(); strings.Contains(told, "s3cret") {
		t.Errorf("the header is told: %s", told)
	}
	t.Setenv("IMAGERY_TOKEN", "")
	code, _, stderr := runProgram(t, append([]string{"serve", "--config", file}, freePorts...)...)
	if code != exitUsage || !strings.Contains(stderr, file+":4: remote[0].headers: Authorization: the environment has no IMAGERY_TOKEN") {
		t.Errorf("without the token it ends with %d: %s", code, stderr)
	}
}

// bucketOf returns a program with a bucket of files.
func bucketOf(t *testing.T, keys ...string) (program, *sourcetest.Store) {
	t.Helper()
	bucket := sourcetest.NewStore()
	for _, key := range keys {
		bucket.Put("test://bucket/"+key, []byte(smallFile(t, 33)), time.Hour)
	}
	return program{remote: []mount.Mount{{Prefix: "test://", Store: bucket}}}, bucket
}

// A prefix of a bucket is served as a folder is.
func TestAPrefixOfABucketIsServed(t *testing.T) {
	p, bucket := bucketOf(t, "maps/a.tif", "maps/2024/b.tif", "others/c.tif", "maps/notes.txt")
	s := startWith(t, p, append([]string{"serve", "test://bucket/maps/", "--rescan", "100ms"}, freePorts...)...)
	for layer, want := range map[string]int{"a": http.StatusOK, "2024-b": http.StatusOK, "c": http.StatusNotFound} {
		if status, _ := get(t, s.maps+"/layers/"+layer+"/preview.png"); status != want {
			t.Errorf("%s: status %d, want %d", layer, status, want)
		}
	}
	bucket.Put("test://bucket/maps/new.tif", []byte(smallFile(t, 33)), time.Hour)
	bucket.Remove("test://bucket/maps/a.tif")
	eventually(t, "objects come and go", func() bool {
		came, _ := get(t, s.maps+"/layers/new/preview.png")
		gone, _ := get(t, s.maps+"/layers/a")
		return came == http.StatusOK && gone == http.StatusNotFound
	})
}

// Commands that read one file take an address.
func TestCommandsReadAddresses(t *testing.T) {
	web := webtest.New(t)
	web.Put("/a.tif", smallFile(t, 33))
	out := t.TempDir()
	path := writeFile(t, out, "a.tif", smallFile(t, 33))
	signed := web.URL + "/a.tif?sig=s3cret"
	want := mustRun(t, "info", path)
	if got := mustRun(t, "info", signed+"#1"); got != want {
		t.Errorf("info says %s, want %s", got, want)
	}
	if tags := mustRun(t, "info", "--tags", signed); tags == "" || tags != mustRun(t, "info", "--tags", path) {
		t.Errorf("info --tags says %s", tags)
	}
	for name, args := range map[string][]string{"raw": {"read"}, "png": {"render", "--rescale", "0,255"}} {
		var written [2]string
		for i, file := range []string{path, signed} {
			to := filepath.Join(out, "out."+name)
			mustRun(t, append(args, file, "-o", to)...)
			text, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			written[i] = string(text)
		}
		if written[0] == "" || written[0] != written[1] {
			t.Errorf("%s writes other bytes of the address", args[0])
		}
	}
	web.Put("/empty.tif", "")
	for address, says := range map[string]string{
		signed + "#2":                     web.URL + "/a.tif",
		web.URL + "/empty.tif?sig=s3cret": web.URL + "/empty.tif: ",
		web.URL + "/none.tif?sig=s3cret":  "no such file or folder: " + web.URL + "/none.tif",
		"ftp://h/a.tif?sig=s3cret":        "ftp://h/a.tif: not supported: addresses begin with az://, gs://, http://, https://, s3://",
	} {
		for _, args := range [][]string{{"info", address}, {"info", "--json", address}, {"info", "--tags", address}, {"read", address, "-o", "-"}, {"render", address, "-o", filepath.Join(out, "b.png")}} {
			code, stdout, stderr := runProgram(t, args...)
			if code == exitOK || !strings.Contains(stderr, says) || strings.Contains(stdout+stderr, "s3cret") {
				t.Errorf("%q ends with %d and says %s%s, want %s", args, code, stdout, stderr, says)
			}
		}
	}
}

// What was read of a remote file is not read again after a restart.
func TestTheDiskCacheOutlivesAServer(t *testing.T) {
	web := webtest.New(t)
	web.Put("/a.tif", string(blocksFile(t)))
	args := append([]string{"serve", web.URL + "/a.tif?sig=s3cret", "--disk-cache", t.TempDir() + ":64MiB", "--state", ""}, freePorts...)
	read := func() (picture []byte, requests int) {
		s := start(t, args...)
		status, picture := get(t, s.maps+block("a", 200))
		if status != http.StatusOK {
			t.Fatalf("status %d: %s", status, picture)
		}
		_, metrics := get(t, s.admin+"/metrics")
		if !strings.Contains(string(metrics), "tileserver_disk_cache_hits_total") {
			t.Error("the metrics lack the disk cache")
		}
		if code := s.stop(); code != exitOK || strings.Contains(s.stderr.String(), "disk cache") {
			t.Errorf("it stops with %d: %s", code, s.stderr)
		}
		return picture, len(web.Asked())
	}
	first, before := read()
	again, after := read()
	if string(first) != string(again) || before < 2 || after != 1 {
		t.Errorf("a picture takes %d requests, and %d after a restart", before, after)
	}
}

// A folder that another server uses is left to it.
func TestADiskCacheInUse(t *testing.T) {
	folder := t.TempDir()
	args := append([]string{"serve", smallTIFF(t), "--disk-cache", folder + ":64MiB"}, freePorts...)
	start(t, args...)
	second := start(t, args...)
	if !strings.Contains(second.stderr.String(), "disk cache cannot be used, remote files are read without it") {
		t.Errorf("the log is %s", second.stderr)
	}
}

// An operator has a bucket listed that is not listed by itself.
func TestABucketIsListedWhenAnOperatorAsks(t *testing.T) {
	p, bucket := bucketOf(t, "maps/a.tif")
	s := startWith(t, p, append([]string{"serve", "test://bucket/maps/", "--rescan", "0"}, freePorts...)...)
	bucket.Put("test://bucket/maps/new.tif", []byte(smallFile(t, 33)), time.Hour)
	response, err := http.Post(s.admin+"/admin/rescan", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d", response.StatusCode)
	}
	eventually(t, "the new object is a layer", func() bool {
		status, _ := get(t, s.maps+"/layers/new/preview.png")
		return status == http.StatusOK
	})
}
