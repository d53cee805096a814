package remote

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/source/s3"
)

// sideFile places an image by a file beside it.
const sideFile = `<PAMDataset><SRS>EPSG:3857</SRS><GeoTransform>1000123, 5, 0, 6000456, 0, -5</GeoTransform></PAMDataset>`

// folderOfFiles returns a folder with files of all kinds, one with a side file, and a folder in it.
func folderOfFiles(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	writeFiles(t, folder)
	write(t, filepath.Join(folder, "strips.tif.aux.xml"), []byte(sideFile))
	write(t, filepath.Join(folder, "notes.txt"), []byte("no picture"))
	write(t, filepath.Join(folder, "2024 + more", "summer.tif"), blocky(t, func(x, y, band int) float64 { return 255 - noise(x, y, band) }))
	return folder
}

// upload puts the files below a folder into the bucket maps, and returns their keys.
func upload(t *testing.T, endpoint, folder, prefix string) (keys []string) {
	t.Helper()
	writer := service(t, s3.Config{Endpoint: endpoint, Region: region})
	put(t, writer, endpoint, "", nil)
	for name, data := range filesBelow(t, folder) {
		put(t, writer, endpoint, prefix+name, data)
		keys = append(keys, prefix+name)
	}
	return keys
}

func filesBelow(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ids returns the layers of a server.
func (s *server) ids(t *testing.T) (all []string) {
	t.Helper()
	for _, part := range strings.Split(s.ask(t, "/layers").body, `{"id":"`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		all = append(all, id)
	}
	return all
}

// compareFolders checks that a folder on a server is served as the one on disk is: with few requests for each
// file, and none for what was asked for before.
func compareFolders(t *testing.T, folder, config string, between *proxy, environment ...string) {
	t.Helper()
	disk := serve(t, configuration(folder))
	between.askedSince()
	far := serve(t, config, environment...)
	ids := disk.ids(t)
	if got := far.ids(t); !slices.Equal(got, ids) || len(ids) < len(madeFiles(t)) {
		t.Fatalf("layers %q, want %q", got, ids)
	}
	var right []known
	for _, id := range ids {
		far.ask(t, "/layers/"+id)
		right = append(right, disk.answers(t, disk.walk(t, id))...)
	}
	toOpen := between.askedSince()
	names := slices.Collect(maps.Keys(filesBelow(t, folder)))
	checkOpening(t, slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) == ".txt" }), toOpen)
	far.compare(t, right)
	t.Logf("%d requests to open %d files, %d for %d answers", len(toOpen), len(names), len(between.askedSince()), len(right))
	far.walkAgain(t, right)
	if again := between.askedSince(); len(again) != 0 {
		t.Errorf("the second walk takes requests: %q", again)
	}
}

// A prefix of a bucket is served as a folder on disk is, with the folders in it and the files beside files,
// of which its lists tell.
func TestAPrefixOfABucketIsServedAsAFolderOnDisk(t *testing.T) {
	tileserver(t)
	folder := folderOfFiles(t)
	between := newProxy(t, startS3(t))
	upload(t, between.URL, folder, "imagery/all/")
	config := fmt.Sprintf("remote: [{prefix: 's3://maps', endpoint: '%s', region: %s, recheck: 1h}]\npaths: ['s3://maps/imagery/all/']\nrescan: 0\n", between.URL, region)
	compareFolders(t, folder, config, between)
}

// An object of a bucket is served as a file on disk is.
func TestAnObjectOfABucketIsServedAsAFileOnDisk(t *testing.T) {
	tileserver(t)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a b+c.tif"), blocky(t, noise))
	between := newProxy(t, startS3(t))
	upload(t, between.URL, folder, "")
	disk := serve(t, configuration(filepath.Join(folder, "a b+c.tif")))
	between.askedSince()
	far := serve(t, fmt.Sprintf("remote: [{prefix: 's3://maps', endpoint: '%s', recheck: 1h}]\npaths: ['s3://maps/a b+c.tif']\n", between.URL))
	id := disk.ids(t)[0]
	right := disk.answers(t, disk.walk(t, id))
	far.ask(t, "/layers/"+id)
	if toOpen := between.askedSince(); len(toOpen) > maxToOpen {
		t.Errorf("to open it takes requests %q", toOpen)
	}
	far.compare(t, right)
}
