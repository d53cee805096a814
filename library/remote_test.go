package library

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/access"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/source"
	"tileserver/source/guard"
)

const bucket, signed = "test://bucket/maps/", "test://host/ortho.tif?sig=secret"

// putRemote writes objects of an hour ago.
func (s *libraryTest) putRemote(addresses ...string) {
	for _, address := range addresses {
		s.files.Put(address, []byte("made up"), time.Hour)
	}
}

// Objects become layers as files do, with ids from their keys below the prefix, and obey the access of
// the nearest prefix.
func TestObjectsBelowAPrefixAreLayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t)
		s.putRemote("test://bucket/maps/2024/july.tif", "test://bucket/maps/a.tif", "test://bucket/maps/read.me", "test://bucket/mapsx/b.tif", "test://bucket/maps/is it?.tif")
		own := access.Policy{Strangers: access.Rules{HideValues: true}}
		d := Desired{Paths: []Path{{Text: bucket}, {Text: "test://bucket/maps/2024/", Access: own}}, Rescan: rescan}
		s.Files = unSlashed{s.files}
		s.mustStart(d)
		defer s.keepWatching()()
		s.wantServed("at the start", "2024-july a is-it")
		if l, err := s.Catalog.Layer("2024-july"); err != nil || l.Title() != "2024/july" || !l.Access().Strangers.HideValues {
			t.Errorf("the layer is %+v, %v", l, err)
		}
		if l, err := s.Catalog.Layer("a"); err != nil || l.Access().Strangers.HideValues {
			t.Errorf("the layer is %+v, %v", l, err)
		}
		s.putRemote("test://bucket/maps/2024/august.tif")
		s.files.Remove("test://bucket/maps/a.tif")
		wait(2 * rescan)
		s.wantServed("after a scan", "2024-august 2024-july is-it")
	})
}

// unSlashed is a store whose folders have no slash at their end, as mounted stores are.
type unSlashed struct{ source.Store }

func (u unSlashed) Canonical(path string) string { return source.WithoutSlash(u.Store.Canonical(path)) }

// The prefix of a bucket is listed, and not looked for before. An object is looked for, and opened.
func TestRemotePathsAreAskedForOnce(t *testing.T) {
	s := newLibraryTest(t)
	s.putRemote("test://bucket/maps/a.tif", "test://host/b.tif")
	s.Files = unSlashed{s.files}
	d := Desired{Paths: []Path{{Text: bucket}, {Text: "test://host/b.tif"}}}
	if err := s.Check(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if of, to := s.files.Calls("test://bucket"), s.files.Calls("test://host"); of != 0 || to != 1 {
		t.Errorf("to check them takes %d calls for a prefix, and %d for an object", of, to)
	}
}

// Nothing tells the signature of an address: neither ids and titles nor the log and errors.
func TestSignaturesOfAddressesAreNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t)
		const other = "https://user:secret@host/junk.tif?sig=secret"
		s.putRemote(other, "https://host/ortho.tif?sig=secret", "https://host/other/ortho.tif?sig=secret2")
		s.breakFile(other, errors.New("cannot read "+other))
		d := Desired{Paths: []Path{{Text: other}, {Text: "https://host/ortho.tif?sig=secret"}, {Text: "https://host/other/ortho.tif?sig=secret2"}}, Rescan: rescan}
		s.mustStart(d)
		defer s.keepWatching()()
		s.wantServed("at the start", "host-ortho other-ortho")
		l, err := s.Catalog.Layer("host-ortho")
		if err != nil || l.Title() != "host/ortho" {
			t.Errorf("the layer is %+v, %v", l, err)
		}
		s.breakFile(other, &fs.PathError{Op: "open", Path: other, Err: errors.New("it is worse")})
		wait(2 * retryInterval)
		err = s.Apply(t.Context(), Desired{Layers: []Layer{{ID: "new", Path: other, Place: place("new")}}})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("the error is %v", err)
		}
		if log := s.log.String(); strings.Contains(log, "secret") || !strings.Contains(log, "https://host/junk.tif") {
			t.Errorf("the log is %s", log)
		}
	})
}

// Addresses that differ in their queries only are different objects.
func TestObjectsOfOneNameAndOtherQueries(t *testing.T) {
	list := []origin{
		originOf(dataset.Address{Path: "https://h/get?id=1", Number: 1}), originOf(dataset.Address{Path: "https://h/get?id=2", Number: 1}),
		originOf(dataset.Address{Path: "https://h/My%20map%C3%A9.tif?sig=secret", Number: 2}),
	}
	names := newIDs()
	names.assign(list)
	var ids []string
	for _, o := range list {
		ids = append(ids, names.assigned[o.Address].id)
	}
	if ids[0] == ids[1] || !strings.HasPrefix(ids[0], "h-get-") || ids[2] != "My-mape-2" || slices.Contains(ids, "") {
		t.Errorf("the ids are %q", ids)
	}
}

// A host that cannot be reached at the start is asked again, and stops no other.
func TestAHostThatIsAwayAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.putRemote("test://bucket/maps/b.tif", "test://host/c.tif")
		s.Library = New(Config{
			Catalog: layer.NewCatalog(layer.CatalogConfig{}), Files: guard.Wrap(unSlashed{s.files}, guard.Config{Timeout: time.Second}),
			IsRaster: isRaster, Open: s.openImage, Logger: s.Logger,
		})
		for _, storage := range []string{"test://bucket", "test://host"} {
			time.AfterFunc(30*time.Second, s.files.Hang(storage))
		}
		d := Desired{Paths: []Path{{Text: folder}, {Text: bucket}, {Text: "test://host/c.tif"}}, Rescan: rescan}
		s.mustStart(d)
		defer s.keepWatching()()
		s.wantServed("while hosts are away", "a")
		wait(3 * time.Minute)
		s.wantServed("once they are back", "a b c")
	})
}

// A server that refuses one file, such as one whose signature has expired, keeps no other from being served.
func TestAServerThatRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif")
		s.putRemote(signed)
		s.files.Fail(signed, errors.New("403 Forbidden"))
		d := Desired{Paths: []Path{{Text: folder}, {Text: signed}}, Rescan: rescan}
		if err := s.Check(t.Context(), d); err != nil {
			t.Errorf("it counts as a mistake: %v", err)
		}
		s.mustStart(d)
		defer s.keepWatching()()
		s.wantServed("while the server refuses", "a")
		if log := s.log.String(); !strings.Contains(log, `msg="skipped file" path=test://host/ortho.tif err="403 Forbidden"`) {
			t.Errorf("the log is %s", log)
		}
		s.files.Fail(signed, nil)
		wait(retryInterval + rescan)
		s.wantServed("when it does no longer", "a ortho")
	})
}

// One of several files on servers that is not there is looked for again, without a folder to scan. The only one is a
// mistake, and so is a wrong style of one that is there.
func TestRemoteFilesThatAreNotThere(t *testing.T) {
	const here, there = "test://host/here.tif", "test://host/there.tif"
	for name, d := range map[string]Desired{
		"paths":  {Paths: []Path{{Text: here}, {Text: there}}},
		"layers": {Layers: []Layer{remoteLayer("here", here, layer.Config{}), remoteLayer("there", there, layer.Config{})}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newLibraryTest(t)
			s.putRemote(here)
			s.mustStart(d)
			defer s.keepWatching()()
			s.wantServed(name+", at the start", "here")
			s.putRemote(there)
			wait(remoteCheck + 2*settleTime)
			s.wantServed(name+", later", "here there")
		})
	}
	s := newLibraryTest(t)
	s.putRemote(here)
	for want, d := range map[string]Desired{
		"no such file or folder: " + there:                      {Paths: []Path{{Text: there}}},
		"there.path: no such file or folder: " + there:          {Layers: []Layer{remoteLayer("there", there, layer.Config{})}},
		`here: layer "here", style "default": there is no band`: {Layers: []Layer{remoteLayer("here", here, bands(4)), remoteLayer("there", there, layer.Config{})}},
	} {
		if err := s.Apply(t.Context(), d); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// remoteLayer returns a layer with settings of a file on a server.
func remoteLayer(id, path string, settings layer.Config) Layer {
	return Layer{ID: id, Path: path, Settings: settings, Place: place(id)}
}
