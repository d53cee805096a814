package integration

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// placesOfTiles are tiles far from each other. Most of them are empty, because only the replica
// that renders them matters.
func placesOfTiles() (paths []string) {
	for i := range 40 {
		paths = append(paths, fmt.Sprintf("/tiles/colors/12/%d/%d.png", 1000+37*i, 1000+53*i))
	}
	return paths
}

func TestNginxSendsATileToOneReplica(t *testing.T) {
	f := behindNginx(t)
	served := make([]int, len(f.replicas))
	for _, path := range placesOfTiles() {
		replica := f.servedBy(t, f.get(t, path))
		served[replica]++
		near := path[:len(path)-len("0.png")] + "5.png"
		for _, again := range []string{path + "?resampling=nearest", strings.Replace(path, ".png", "@2x.webp", 1), near} {
			if other := f.servedBy(t, f.get(t, again)); other != replica {
				t.Errorf("%s is rendered by replica %d, and %s by %d", path, replica, again, other)
			}
		}
	}
	if slices.Min(served) < 5 {
		t.Errorf("the replicas render %v tiles", served)
	}
}

func TestNginxAsksTheOtherReplicaWhereOneIsGone(t *testing.T) {
	skipWithoutInterrupt(t)
	f := behindNginx(t)
	if err := f.replicas[0].stop(); err != nil {
		t.Fatal(err)
	}
	for _, path := range placesOfTiles() {
		if by := f.servedBy(t, f.get(t, path)); by != 1 {
			t.Errorf("%s comes from replica %d, which has ended", path, by)
		}
	}
}

func TestNginxAsksWhetherAPictureIsStillTheSame(t *testing.T) {
	t.Parallel() // it waits until a picture is stale
	f := behindNginx(t, "--cache-control", "public, max-age=1")
	tile := "/tiles/colors/" + cornerTile + ".png"
	first := f.get(t, tile)
	var again answer
	eventually(t, "nginx revalidates the picture", func() bool {
		again = f.get(t, tile)
		return again.header.Get(cacheStatus) == "REVALIDATED"
	})
	if !bytes.Equal(first.body, again.body) {
		t.Error("the stale picture differs")
	}
	// An answer can arrive before the server has written its line in the log.
	eventually(t, "a replica logs that it has answered 304", func() bool {
		return slices.ContainsFunc(f.replicas, func(replica *server) bool { return strings.Contains(replica.log.String(), "status=304") })
	})
}

func TestNginxServesStalePicturesDuringRevalidation(t *testing.T) {
	t.Parallel() // it waits until a picture is stale
	f := behindNginx(t, "--cache-control", "public, max-age=1, stale-while-revalidate=600")
	tile := "/tiles/colors/" + cornerTile + ".png"
	for _, status := range []string{"STALE", "HIT"} {
		eventually(t, "the cache says "+status, func() bool { return f.get(t, tile).header.Get(cacheStatus) == status })
	}
}

func TestNginxServesStalePicturesWithoutReplicas(t *testing.T) {
	t.Parallel() // it waits until a picture is stale
	skipWithoutInterrupt(t)
	f := behindNginx(t, "--cache-control", "public, max-age=1")
	tile := "/tiles/colors/" + cornerTile + ".png"
	f.get(t, tile)
	for _, replica := range f.replicas {
		if err := replica.stop(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a stale picture is served", func() bool { return f.get(t, tile).header.Get(cacheStatus) == "STALE" })
	if a := f.ask(t, http.MethodGet, "/layers", nil); a.status != http.StatusBadGateway {
		t.Errorf("status %d for a document", a.status)
	}
}

// An overloaded server rejects a request. The proxy passes this on and does not try the other
// replica.
func TestNginxHandsLaterOn(t *testing.T) {
	f := behindNginx(t, "--request-timeout", "1ns")
	tile := "/tiles/colors/" + cornerTile + ".png"
	for range 2 {
		a := f.ask(t, http.MethodGet, tile, nil)
		wantCacheStatus(t, "a server without time", a, 503, "MISS")
		if a.header.Get("Retry-After") == "" {
			t.Error("the answer has no Retry-After")
		}
		f.servedBy(t, a)
	}
	if got := f.tileRequests(); got != 2 {
		t.Errorf("the replicas got %d requests, want 2", got)
	}
}
