package azure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"

	"tileserver/source/bucket"
)

// folderOf returns the folder a/ of a container.
func folderOf(t *testing.T) bucket.Folder {
	t.Helper()
	f, err := bucket.FolderAt("az://tiles/a", bucket.Address{Bucket: "tiles", Key: "a"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func document(parts string) string {
	return "<EnumerationResults><Blobs>" + parts + "</Blobs><NextMarker /></EnumerationResults>"
}

func TestNamesInListsArePlain(t *testing.T) {
	got, err := readList([]byte(document(
		`<Blob><Name>a/x+%20.tif</Name></Blob><Blob><Name Encoded="true">a/%EF%BF%BE.tif</Name></Blob>`+
			`<Blob><Name>a/b</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob>`+
			`<BlobPrefix><Name>a/b/</Name><Properties><ResourceType>directory</ResourceType></Properties></BlobPrefix>`)), folderOf(t))
	if err != nil || len(got.Listed) != 3 || got.Listed[0].Name != "x+%20.tif" || got.Listed[1].Name != "\uFFFE.tif" || !got.Listed[2].IsFolder {
		t.Errorf("%v, %v", got, err)
	}
}

func TestHostileListsAreErrors(t *testing.T) {
	for name, test := range map[string]struct{ document, says string }{
		"empty":                     {"", "empty"},
		"cut":                       {"<EnumerationResults><Blobs><Blob>", "EOF"},
		"a page of HTML":            {"<html></html>", "EnumerationResults"},
		"another prefix":            {document("<Blob><Name>b</Name></Blob>"), "not in the folder"},
		"another folder":            {document("<BlobPrefix><Name>b/</Name></BlobPrefix>"), "not in the folder"},
		"no folders":                {document("<Blob><Name>a/b/c</Name></Blob>"), "by folders"},
		"too many":                  {document(strings.Repeat("<Blob/>", bucket.PageSize+1)), "more than 1000"},
		"too many in all":           {document(strings.Repeat("<Blob/><BlobPrefix/>", bucket.PageSize)), "more than 1000"},
		"a time that is none":       {document("<Blob><Name>a/b</Name><Properties><Last-Modified>x</Last-Modified></Properties></Blob>"), "time"},
		"a size that is none":       {document("<Blob><Name>a/b</Name><Properties><Content-Length>x</Content-Length></Properties></Blob>"), "invalid syntax"},
		"a negative size":           {document("<Blob><Name>a/b</Name><Properties><Content-Length>-1</Content-Length></Properties></Blob>"), "negative"},
		"a name that is no text":    {document(`<Blob><Name Encoded="true">a/%zz</Name></Blob>`), "not encoded"},
		"an encoding that is none":  {document(`<Blob><Name Encoded="x">a/b</Name></Blob>`), "invalid syntax"},
		"a folder that is no name":  {document(`<BlobPrefix><Name Encoded="true">a/%zz/</Name></BlobPrefix>`), "not encoded"},
		"a folder without its end":  {document("<BlobPrefix><Name>a/b</Name></BlobPrefix>"), "by folders"},
		"a folder within a folder":  {document("<BlobPrefix><Name>a/b/c/</Name></BlobPrefix>"), "by folders"},
		"an entity that is unknown": {document("<Blob><Name>a/&b;</Name></Blob>"), "entity"},
	} {
		got, err := readList([]byte(test.document), folderOf(t))
		if err == nil || !strings.Contains(err.Error(), test.says) || len(err.Error()) > 300 || len(got.Listed) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No document gives entries outside of the folder, or more than a page.
func FuzzList(f *testing.F) {
	f.Add(document("<Blob><Name>a/b</Name><Properties><Content-Length>1</Content-Length><Etag>0x1</Etag></Properties></Blob><BlobPrefix><Name>a/c/</Name></BlobPrefix>"))
	f.Add(document(`<Blob><Name Encoded="true">a/%2E%2E</Name></Blob><BlobPrefix><Name Encoded="true">a/%2E%2E/</Name></BlobPrefix>`))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readList([]byte(text), folderOf(t))
		if err != nil && len(got.Listed) > 0 || len(got.Listed) > bucket.PageSize {
			t.Errorf("%d entries, %v", len(got.Listed), err)
		}
		for _, entry := range got.Listed {
			a, err := bucket.Split(scheme, entry.Path)
			if err != nil || a.CheckObject() != nil || fmt.Sprint(a) != fmt.Sprint(bucket.Address{Bucket: "tiles", Key: "a/" + entry.Name}) || strings.Contains(entry.Name, "/") {
				t.Errorf("%q", entry.Path)
			}
		}
	})
}

// The store asks for an object first, where an address may be one of an object.
func TestAContainerOfAnotherAccountIsAFolderOfAStore(t *testing.T) {
	s := serviceOf(t, Config{Anonymous: true}, noToken)
	if _, err := s.Locate("az://other.blob.core.windows.net/tiles"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	get := func(_ context.Context, u *url.URL) ([]byte, error) {
		if want := "https://other.blob.core.windows.net/tiles?"; !strings.HasPrefix(u.String(), want) {
			t.Errorf("it asked %s", u)
		}
		return []byte(document("<Blob><Name>a</Name></Blob>")), nil
	}
	page, err := s.List(t.Context(), "az://other.blob.core.windows.net/tiles/", "", get)
	if err != nil || len(page.Listed) != 1 || page.Listed[0].Path != "az://other.blob.core.windows.net/tiles/a" {
		t.Errorf("%v, %v", page, err)
	}
}
