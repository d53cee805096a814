package library

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/layer/listing"
)

// putMany writes n objects into the bucket.
func (s *libraryTest) putMany(n int) {
	for i := range n {
		s.putRemote(fmt.Sprintf("%s%04d.tif", bucket, i))
	}
}

// wantOffered compares the number of offered layers with a wanted one, and counts what was opened.
func (s *libraryTest) wantOffered(when string, offered, served int) {
	s.t.Helper()
	if got, open := s.Catalog.Offered(), len(s.Catalog.Layers()); got != offered || open != served {
		s.t.Errorf("%s: %d layers are offered and %d served, want %d and %d", when, got, open, offered, served)
	}
}

func TestManyRemoteFilesAreOpenedWhenSomebodyAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "local.tif")
		s.putMany(DefaultOpenRemote + 1)
		s.putRemote("test://other/named.tif")
		s.Files = unSlashed{s.files}
		s.mustStart(Desired{Paths: []Path{{Text: bucket}, {Text: folder}, {Text: "test://other/named.tif"}}, Rescan: rescan})
		defer s.keepWatching()()
		s.wantServed("at the start", "local named")
		s.wantOffered("at the start", DefaultOpenRemote+1, 2)
		address := bucket + "0017.tif"
		if s.times(address) != 0 {
			t.Error("a file was opened that nobody asked for")
		}
		for range 2 {
			if l, err := s.Catalog.Find(t.Context(), "0017"); err != nil || l.ID() != "0017" {
				t.Error(err)
			}
		}
		if s.times(address) != 1 {
			t.Errorf("it was opened %d times", s.times(address))
		}
		page, err := s.Catalog.Page(listing.Selection{}, listing.Range{Limit: 5})
		if err != nil || page.Total != DefaultOpenRemote+3 || len(page.Layers) != 2 || len(page.Offered) != 3 {
			t.Errorf("%+v, %v", page, err)
		}

		s.putRemote(bucket + "new.tif")
		s.files.Remove(address)
		wait(2 * rescan)
		s.wantOffered("after a change", DefaultOpenRemote+1, 2)
		if _, err := s.Catalog.Find(t.Context(), "0017"); err == nil {
			t.Error("a removed file is still shown")
		}
		if _, err := s.Catalog.Find(t.Context(), "new"); err != nil {
			t.Error(err)
		}

		s.files.Remove(bucket + "0001.tif")
		wait(2 * rescan)
		s.wantOffered("when there are few", 0, DefaultOpenRemote+2)
		if !strings.Contains(s.log.String(), "files are opened when somebody asks for their layers") {
			t.Error("the log does not tell")
		}
	})
}

func TestAServerMayOfferAllItsLayers(t *testing.T) {
	s := newLibraryTest(t)
	s.putMany(DefaultOpenRemote + 1)
	s.Files = unSlashed{s.files}
	s.mustStart(Desired{Paths: []Path{{Text: bucket}}})
	s.wantOffered("at the start", DefaultOpenRemote+1, 0)
	if err := s.Ready(); err != nil {
		t.Error(err)
	}
}

// Named files are opened however many there are in folders.
func TestManyFilesOnDiskAreOpenedWhenSomebodyAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t)
		for i := range 5 {
			s.put(fmt.Sprintf("%d.tif", i), time.Hour)
		}
		s.putMany(3)
		s.Files = unSlashed{s.files}
		s.files.Put("/elsewhere/named.tif", []byte("named"), time.Hour)
		desired := Desired{Paths: []Path{{Text: folder}, {Text: bucket}, {Text: "/elsewhere/named.tif"}}, Rescan: rescan, Open: OpenLimits{Local: 4, Remote: 3}}
		s.mustStart(desired)
		stop := s.keepWatching()
		s.wantOffered("above the limit", 5, 4)
		if l, err := s.Catalog.Find(t.Context(), "3"); err != nil || l.ID() != "3" || s.times("3.tif") != 1 || s.times("4.tif") != 0 {
			t.Errorf("%v, or other files were opened", err)
		}

		s.files.Remove(folder + "/3.tif")
		wait(2 * rescan)
		s.wantOffered("at the limit", 0, 8)
		stop()
		desired.Open = OpenLimits{Local: 3, Remote: 2}
		if err := s.Apply(t.Context(), desired); err != nil {
			t.Fatal(err)
		}
		s.wantOffered("with lower limits", 7, 1)
	})
}
