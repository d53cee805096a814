package bucket

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/web"
)

// page returns what a folder a/ has in a document.
func page(t *testing.T, document string) (web.Page, error) {
	t.Helper()
	f, err := FolderAt("s3://maps/a", Address{"maps", "a"})
	if err != nil {
		t.Fatal(err)
	}
	return readList([]byte(document), f)
}

const object = `<Contents><Key>%s</Key><LastModified>2026-01-02T03:04:05.678Z</LastModified><ETag>&quot;123&quot;</ETag><Size>7</Size></Contents>`

// document returns a list of objects and folders with keys as in URLs.
func document(keys, prefixes []string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>`)
	for _, key := range keys {
		fmt.Fprintf(&b, object, key)
	}
	for _, prefix := range prefixes {
		b.WriteString("<CommonPrefixes><Prefix>" + prefix + "</Prefix></CommonPrefixes>")
	}
	return b.String() + "</ListBucketResult>"
}

func TestAPageHasObjectsAndFolders(t *testing.T) {
	got, err := page(t, document([]string{"a/", "a/x+y.tif", "a/x%2By%0A.tif", "a/.."}, []string{"a/b%20c/", "a//", "a/../"}))
	if err != nil {
		t.Fatal(err)
	}
	stamp := source.Stamp{Size: 7, Modified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixNano(), Tag: `"123"`}
	want := []web.Listed{
		{Entry: source.Entry{Name: "x y.tif", Path: "s3://maps/a/x y.tif"}, Stamp: stamp},
		{Entry: source.Entry{Name: "x+y\n.tif", Path: "s3://maps/a/x+y\n.tif"}, Stamp: stamp},
		{Entry: source.Entry{Name: "b c", Path: "s3://maps/a/b c", IsFolder: true}},
	}
	if fmt.Sprint(got.Listed) != fmt.Sprint(want) || got.Next != "" {
		t.Errorf("got %v", got)
	}
}

func TestKeysThatAreNotEncodedAreTakenAsTheyAre(t *testing.T) {
	got, err := page(t, strings.Replace(document([]string{"a/x+y%20"}, nil), "<EncodingType>url</EncodingType>", "", 1))
	if err != nil || len(got.Listed) != 1 || got.Listed[0].Name != "x+y%20" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTagsOfListsAreThoseOfHeaders(t *testing.T) {
	for listed, want := range map[string]string{
		`"123-4"`: `"123-4"`, "0x8D": `"0x8D"`, `W/"1"`: `W/"1"`, "": "", "\n\"1\"\n": `"1"`, "a\r\nb": "", `"a"b"`: "", `"`: "", "ä": "",
	} {
		if got := tagOf(listed); got != want {
			t.Errorf("%q: %q", listed, got)
		}
	}
}

func TestHostileListsAreErrors(t *testing.T) {
	long := make([]string, PageSize+1)
	for i := range long {
		long[i] = fmt.Sprintf("a/%d", i)
	}
	whole := document([]string{"a/1"}, []string{"a/b/"})
	for name, test := range map[string]struct{ document, says string }{
		"empty":                       {"", "empty"},
		"cut":                         {whole[:len(whole)/2], "EOF"},
		"a page of HTML":              {"<html><body>Sign in</body></html>", "ListBucketResult"},
		"another prefix":              {document([]string{"b/1"}, nil), `not in the folder: "b/1"`},
		"a longer name of the folder": {document([]string{"ab"}, nil), "not in the folder"},
		"the bucket above":            {document(nil, []string{"b/"}), "not in the folder"},
		"no folders":                  {document([]string{"a/b/c"}, nil), "does not list by folders"},
		"folders in folders":          {document(nil, []string{"a/b/c/"}), "does not list by folders"},
		"folders that end otherwise":  {document(nil, []string{"a/b"}), "does not list by folders"},
		"too many objects":            {document(long, nil), "more than 1000 elements <Contents>"},
		"too many folders":            {document(nil, long), "more than 1000 elements <CommonPrefixes>"},
		"too many in all":             {document(long[:600], []string{strings.Repeat("a/x/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>", 500) + "a/x/"}), "more than 1000"},
		"a key that is not encoded":   {document([]string{"a/%zz"}, nil), "not encoded"},
		"a size that is none":         {strings.Replace(whole, "<Size>7", "<Size>x", 1), "invalid syntax"},
		"a negative size":             {strings.Replace(whole, "<Size>7", "<Size>-7", 1), "negative"},
		"a huge size":                 {strings.Replace(whole, "<Size>7", "<Size>99999999999999999999", 1), "out of range"},
		"a time that is none":         {strings.Replace(whole, "2026-01-02T", "yesterday ", 1), "time"},
		"cut without a token":         {strings.Replace(whole, "<Contents>", "<IsTruncated>true</IsTruncated><Contents>", 1), "goes on"},
		"entities":                    {`<!DOCTYPE l [<!ENTITY a "b">]>` + strings.Replace(whole, "a/1", "a/&a;", 1), "entity"},
	} {
		got, err := page(t, test.document)
		if err == nil || !strings.Contains(err.Error(), test.says) || len(err.Error()) > 300 || len(got.Listed) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPagesFollowEachOther(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "example.org", Path: "/maps"}
	f, err := FolderAt("s3://maps/ü +", Address{"maps", "ü +"})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	next := func(token string) web.Get {
		return func(_ context.Context, u *url.URL) ([]byte, error) {
			asked = append(asked, u.RawQuery)
			return []byte("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>" + token + "</NextContinuationToken></ListBucketResult>"), nil
		}
	}
	if p, err := ListObjects(t.Context(), f, base, "", next("1/+=")); err != nil || p.Next != "1/+=" {
		t.Error(p, err)
	}
	if p, err := ListObjects(t.Context(), f, base, "1/+=", next("2")); err != nil || p.Next != "2" {
		t.Error(p, err)
	}
	query := "delimiter=%2F&encoding-type=url&list-type=2&max-keys=1000&prefix=%C3%BC%20%2B%2F"
	if want := []string{query, "continuation-token=1%2F%2B%3D&" + query}; fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("asked %v", asked)
	}
	for says, token := range map[string]string{"again": "2", "5000 bytes": strings.Repeat("x", 5000)} {
		if _, err := ListObjects(t.Context(), f, base, "2", next(token)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	gone := errors.New("no answer")
	if _, err := ListObjects(t.Context(), f, base, "", func(context.Context, *url.URL) ([]byte, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestRefusalsAreReadAlsoIfTheyAreCut(t *testing.T) {
	whole := `<?xml version="1.0"?><Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message><Region> eu-central-1 </Region><RequestId>1</RequestId></Error>`
	for body, want := range map[string]Refused{
		whole:       {"AuthorizationHeaderMalformed", "eu-central-1"},
		whole[:60]:  {},
		whole[:100]: {"AuthorizationHeaderMalformed", ""},
		"":          {}, "not XML": {}, "<html><p>Region</p></html>": {},
		strings.Repeat("<a/>", maxTokens) + "<Code>Late</Code>": {},
	} {
		if got := ReadRefused([]byte(body)); got != want {
			t.Errorf("%.80s: %v", body, got)
		}
	}
}

// No document gives entries outside of the folder, or more than a page.
func FuzzList(f *testing.F) {
	f.Add(document([]string{"a/1", "a/%00%2B"}, []string{"a/b/"}))
	f.Add(document([]string{"a/../b"}, []string{"a/../"}))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := page(t, text)
		ReadRefused([]byte(text))
		if err != nil && len(got.Listed) > 0 || len(got.Listed) > PageSize {
			t.Errorf("%d entries, %v", len(got.Listed), err)
		}
		for _, entry := range got.Listed {
			a, err := Split("s3", entry.Path)
			if err != nil || a.CheckObject() != nil || a.Bucket != "maps" || a.Key != "a/"+entry.Name || strings.Contains(entry.Name, "/") || entry.Size < 0 {
				t.Errorf("%q", entry.Path)
			}
		}
	})
}
