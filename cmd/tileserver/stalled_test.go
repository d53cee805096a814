package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tileserver/source/sourcetest"
)

// disks returns a store of two disks with a layer on each, as a program reads it.
func disks(t *testing.T) *sourcetest.Store {
	t.Helper()
	s := sourcetest.NewStore()
	for _, name := range []string{"nfs/hanging.tif", "disk/sound.tif"} {
		s.Put(name, []byte(smallFile(t, 33)), time.Hour)
	}
	return s
}

// errorCode returns the code of an answer with an error.
func errorCode(body []byte) string {
	var document struct{ Error struct{ Code string } }
	_ = json.Unmarshal(body, &document) // a picture has no code
	return document.Error.Code
}

// While a disk hangs, the layers on it are answered with 503, and those on another disk as ever. The log
// tells of it once, and the server can be stopped.
func TestLayersOnAHangingDisk(t *testing.T) {
	t.Parallel() // it waits for the next look at the disk
	store := disks(t)
	reload := make(chan os.Signal)
	s := startWith(t, program{disk: store, hangups: reload}, append([]string{"serve", "nfs", "disk", "--storage-timeout", "300ms", "--cache", "0"}, freePorts...)...)
	resume := store.Hang("nfs")
	const requests = 20
	var all sync.WaitGroup
	for i := range requests {
		for layer, want := range map[string]int{"hanging": http.StatusServiceUnavailable, "sound": http.StatusOK} {
			all.Go(func() {
				status, body := get(t, fmt.Sprintf("%s/layers/%s/preview.png?max_size=%d", s.maps, layer, 16+i))
				if status != want || want != http.StatusOK && errorCode(body) != "stalled" {
					t.Errorf("%s: status %d, want %d: %s", layer, status, want, body)
				}
			})
		}
	}
	all.Wait()
	response, err := http.Get(s.maps + "/layers/hanging/preview.png")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, Retry-After %q", response.StatusCode, response.Header.Get("Retry-After"))
	}
	if status, body := get(t, s.admin+"/readyz"); status != http.StatusOK || !strings.Contains(string(body), "storage nfs does not answer: no answer within 300ms") {
		t.Errorf("/readyz: status %d: %s", status, body)
	}
	if _, body := get(t, s.admin+"/metrics"); !strings.Contains(string(body), `tileserver_storage_up{storage="nfs"} 0`) || !strings.Contains(string(body), `tileserver_storage_up{storage="disk"} 1`) {
		t.Error("the metrics do not tell which disk hangs")
	}
	if lines := strings.Count(s.stderr.String(), "storage=nfs"); lines != 1 || strings.Contains(s.stderr.String(), "request failed") {
		t.Errorf("the log has %d lines about it: %s", lines, s.stderr)
	}
	reload <- syscall.SIGHUP
	eventually(t, "the folders of other disks are scanned", func() bool { return strings.Contains(s.stderr.String(), `msg="folders scanned" layers=2`) })
	resume()
	eventually(t, "the layers of the disk are back", func() bool {
		status, _ := get(t, s.maps+"/layers/hanging/preview.png?max_size=16")
		return status == http.StatusOK
	})
	store.Hang("nfs")
	if code := s.stop(); code != exitOK {
		t.Errorf("it stops with %d: %s", code, s.stderr)
	}
}

// While reads of a disk hang, the system still answers what it has in memory: the names and dates of files.
// That does not end the disk's absence, so that its requests end at once.
func TestLayersOnADiskWhoseReadsHang(t *testing.T) {
	t.Parallel() // it waits for the next look at the disk
	store := disks(t)
	s := startWith(t, program{disk: store}, append([]string{"serve", "nfs", "disk", "--storage-timeout", "200ms", "--cache", "0"}, freePorts...)...)
	resume := store.HangReads("nfs")
	size := 16
	preview := func(layer string) string {
		size++
		return fmt.Sprintf("%s/layers/%s/preview.png?max_size=%d", s.maps, layer, size%512+1)
	}
	for !strings.Contains(s.stderr.String(), "storage=nfs") {
		get(t, preview("hanging"))
	}
	failures := func() int {
		_, body := get(t, s.admin+"/metrics")
		if !strings.Contains(string(body), `tileserver_storage_up{storage="nfs"} 0`) {
			t.Fatal("the disk counts as one that answers")
		}
		_, value, _ := strings.Cut(string(body), `tileserver_storage_failures_total{storage="nfs"} `)
		count := 0
		if _, err := fmt.Sscan(value, &count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	before := failures()
	eventually(t, "the disk is probed", func() bool {
		if status, body := get(t, preview("hanging")); status != http.StatusServiceUnavailable || errorCode(body) != "stalled" {
			t.Fatalf("status %d: %s", status, body)
		}
		if status, body := get(t, preview("sound")); status != http.StatusOK {
			t.Fatalf("the other disk: status %d: %s", status, body)
		}
		return failures() > before
	})
	if lines := strings.Count(s.stderr.String(), "storage=nfs"); lines != 1 {
		t.Errorf("the log has %d lines about it: %s", lines, s.stderr)
	}
	resume()
	eventually(t, "the layers of the disk are back", func() bool {
		status, _ := get(t, preview("hanging"))
		return status == http.StatusOK
	})
}

// A disk that hangs when the server starts stops no other from being served.
func TestADiskThatHangsAtTheStart(t *testing.T) {
	t.Parallel() // it waits for the next look at the disk
	store := disks(t)
	resume := store.Hang("nfs")
	s := startWith(t, program{disk: store}, append([]string{"serve", "nfs", "disk", "--storage-timeout", "200ms", "--rescan", "100ms"}, freePorts...)...)
	if status, body := get(t, s.maps+"/layers/sound/preview.png"); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
	eventually(t, "it is ready and names the folder", func() bool {
		status, body := get(t, s.admin+"/readyz")
		return status == http.StatusOK && strings.Contains(string(body), "nfs cannot be read: ")
	})
	resume()
	eventually(t, "the layers of the disk are there", func() bool {
		status, _ := get(t, s.maps+"/layers/hanging/preview.png?max_size=16")
		return status == http.StatusOK
	})
}

// A file that was changed a moment ago may be half written, so nobody may keep its pictures.
func TestPicturesOfAFileThatMayBeUnfinished(t *testing.T) {
	store := disks(t)
	store.Put("disk/fresh.tif", []byte(smallFile(t, 33)), 3*time.Second)
	s := startWith(t, program{disk: store}, append([]string{"serve", "disk", "--caching", "versioned"}, freePorts...)...)
	for layer, isKept := range map[string]bool{"sound": true, "fresh": false} {
		response, err := http.Get(s.maps + "/layers/" + layer + "/preview.png")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Cache-Control"); response.StatusCode != http.StatusOK || (got != "no-store") != isKept {
			t.Errorf("%s: status %d, Cache-Control %q", layer, response.StatusCode, got)
		}
	}
}
