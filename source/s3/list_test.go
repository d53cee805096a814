package s3

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"testing"

	"tileserver/source"
	"tileserver/source/web"
)

func refusal(u *url.URL, status int, code string) web.Refusal {
	return web.Refusal{URL: u, Status: status, Header: make(map[string][]string), Body: []byte("<Error><Code>" + code + "</Code></Error>")}
}

// listAll returns what all pages of a folder have.
func listAll(t *testing.T, f *fake, s *Service, folder string) (all []web.Listed) {
	t.Helper()
	for after, pages := "", 0; ; pages++ {
		page, err := s.List(t.Context(), folder, after, f.get(s))
		if err != nil || pages > 10 {
			t.Fatalf("page %d: %v", pages, err)
		}
		all = append(all, page.Listed...)
		if after = page.Next; after == "" {
			return all
		}
	}
}

func TestAFolderOfManyObjectsIsListedInPages(t *testing.T) {
	noFiles(t)
	f, s := fakeOf(defaultRegion), serviceOf(Config{Endpoint: "https://example.org"})
	want := make(map[string]bool)
	for i := range 2500 {
		name := fmt.Sprintf("tile + %d%%.tif", i)
		f.objects["a b/"+name] = i
		want[name] = true
	}
	for i := range 20 {
		f.objects[fmt.Sprintf("a b/folder/%d", i)] = i
	}
	f.objects["a b/"], f.objects["a b.tif"], f.objects["z"] = 0, 1, 1
	folders := 0
	for _, listed := range listAll(t, f, s, "s3://maps/a b/") {
		if listed.Path != "s3://maps/a b/"+listed.Name {
			t.Errorf("%q has the path %q", listed.Name, listed.Path)
		}
		if listed.IsFolder {
			folders++
			continue
		}
		if !want[listed.Name] || listed.Stamp.Tag != `"t"` || listed.Size != int64(f.objects["a b/"+listed.Name]) {
			t.Errorf("%q: %v", listed.Name, listed.Stamp)
		}
		delete(want, listed.Name)
	}
	if len(want) > 0 || folders != 1 || f.lists != 3 {
		t.Errorf("%d objects lack, %d folders, %d lists", len(want), folders, f.lists)
	}
}

func TestABucketIsAFolder(t *testing.T) {
	noFiles(t)
	f, s := fakeOf("eu-west-1"), serviceOf(Config{})
	f.objects["a.tif"], f.objects["b/c"] = 1, 1
	got := listAll(t, f, s, "s3://maps")
	if len(got) != 2 || got[0].Path != "s3://maps/a.tif" || got[1].Entry != (source.Entry{Name: "b", Path: "s3://maps/b", IsFolder: true}) {
		t.Errorf("%v", got)
	}
	if got := listAll(t, f, s, "s3://maps/nothing"); len(got) != 0 {
		t.Errorf("an empty folder has %v", got)
	}
	gone := func(u *url.URL) error { return fmt.Errorf("%s: %w", u, fs.ErrNotExist) }
	_, err := s.List(t.Context(), "s3://maps", "", func(_ context.Context, u *url.URL) ([]byte, error) { return nil, gone(u) })
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bucket that is not there: %v", err)
	}
	for _, folder := range []string{"s3://", "s3://maps/..", "https://maps/a"} {
		if _, err := s.List(t.Context(), folder, "", f.get(s)); err == nil {
			t.Errorf("%q was listed", folder)
		}
	}
}
