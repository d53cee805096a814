package clients

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// remoteMaps returns the address of a server that reads the test layers from a web server.
func remoteMaps(t *testing.T) string {
	t.Helper()
	everything.maps(t) // has written the files
	var ranges, others atomic.Int64
	files := http.FileServer(http.Dir(everything.folderOf(t, "layers")))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			ranges.Add(1)
		} else {
			others.Add(1)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	args := make([]string, 0, len(knownLayers()))
	for id := range knownLayers() {
		args = append(args, web.URL+"/"+id+".tif")
	}
	s := start(t, everything.program(t), args...)
	t.Cleanup(func() {
		s.stop()
		if ranges.Load() < int64(len(args)) || others.Load() > 0 {
			t.Errorf("the files were asked for %d ranges, and %d times as a whole", ranges.Load(), others.Load())
		}
		if t.Failed() {
			t.Log(s.log.complaints())
		}
	})
	return s.address
}

// To a client, a layer of a remote file is one like any other.
func TestGDALReadsTheSamePixelsOfRemoteFiles(t *testing.T) {
	require(t, gdalPart)
	maps := remoteMaps(t)
	checkPixelsByGDAL(t, maps)
	checkPlacesByGDAL(t, maps)
}
