package source

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNamesInBothNotations(t *testing.T) {
	for _, test := range []struct{ path, folder, base string }{
		{"/srv/maps/ortho.tif", "/srv/maps", "ortho.tif"}, {"ortho.tif", ".", "ortho.tif"}, {"/", "/", "/"},
		{"/srv/what?.tif", "/srv", "what?.tif"}, {"/srv/maps/", "/srv/maps", "maps"},
		{"s3://bucket/a/b.tif", "s3://bucket/a", "b.tif"}, {"s3://bucket/b.tif", "s3://bucket", "b.tif"},
		{"s3://bucket/a/sub/", "s3://bucket/a", "sub"}, {"s3://bucket/", "s3://bucket", "bucket"}, {"s3://bucket", "s3://bucket", "bucket"},
		{"s3://bucket/a/is it?.tif", "s3://bucket/a", "is it?.tif"}, {"gs://b/x//y.tif", "gs://b/x", "y.tif"},
		{"https://h/a/b.tif?sig=x/y.tif", "https://h/a", "b.tif"}, {"HTTPS://h:8080/b.tif?x", "HTTPS://h:8080", "b.tif"},
		{"https://h?id=/5", "https://h", "h"}, {"http://h/a/b.tif#2", "http://h/a", "b.tif"},
	} {
		if got := filepath.ToSlash(Folder(test.path)); got != test.folder {
			t.Errorf("%s lies in %q, want %q", test.path, got, test.folder)
		}
		if got := filepath.ToSlash(Base(test.path)); got != test.base {
			t.Errorf("%s is called %q, want %q", test.path, got, test.base)
		}
	}
	for _, test := range []struct{ folder, name, want string }{
		{"s3://bucket", "a.tif", "s3://bucket/a.tif"}, {"s3://bucket/x/", "a.tif", "s3://bucket/x/a.tif"},
		{"https://h/x?sig=1", "a.tif", "https://h/x/a.tif"}, {"/srv", "a.tif", "/srv/a.tif"},
	} {
		if got := filepath.ToSlash(Join(test.folder, test.name)); got != test.want {
			t.Errorf("%s in %s is %q, want %q", test.name, test.folder, got, test.want)
		}
	}
}

func TestWhatLiesBelowAFolder(t *testing.T) {
	for _, test := range []struct {
		folder, path, name string
		isBelow            bool
	}{
		{"s3://bucket/a", "s3://bucket/a/b/c.tif", "b/c.tif", true}, {"s3://bucket/a/", "s3://bucket/a/b.tif", "b.tif", true},
		{"s3://bucket", "s3://bucket/b.tif", "b.tif", true}, {"s3://bucket", "s3://bucket2/b.tif", "b.tif", false},
		{"s3://bucket/a", "s3://bucket/ab.tif", "ab.tif", false}, {"s3://bucket/a", "/bucket/a/b.tif", "b.tif", false},
		{"https://h/maps", "https://h/maps/My%20map.tif?sig=a/b", "My map.tif", true}, {"https://h", "https://h/100%.tif", "100%.tif", true},
		{"s3://b", "s3://b/100%25.tif", "100%25.tif", true}, {"https://h", "https://h/?id=5", "h", true},
	} {
		if got := IsBelow(test.folder, test.path); got != test.isBelow {
			t.Errorf("%s is below %s: %v", test.path, test.folder, got)
		}
		if got := NameFrom(test.folder, test.path); got != test.name {
			t.Errorf("from %s on, %s is called %q, want %q", test.folder, test.path, got, test.name)
		}
	}
	own := func(names ...string) string {
		return string(filepath.Separator) + filepath.Join(names...)
	}
	if !IsBelow(own("srv"), own("srv", "a.tif")) || !IsBelow(own(), own("a.tif")) || IsBelow(own("srv"), own("srv2", "a.tif")) {
		t.Error("paths on disk are below others")
	}
	if got := NameFrom(own("srv"), own("srv", "sub", "a%20b.tif")); got != filepath.Join("sub", "a%20b.tif") {
		t.Errorf("a file is called %q", got)
	}
}

func TestAddressesOfFolders(t *testing.T) {
	for address, want := range map[string]bool{
		"s3://bucket": true, "s3://bucket/": true, "s3://bucket/a/": true, "s3://bucket/a": false, "s3://bucket/a.tif": false,
		"https://h/": false, "https://h/a/": false, "/srv/": false, "srv": false,
	} {
		if got := NamesFolder(address); got != want {
			t.Errorf("%s names a folder: %v", address, got)
		}
		isTrimmed := want && strings.Trim(address, "/") != address
		if got := WithoutSlash(address); isTrimmed != (got+"/" == address) {
			t.Errorf("%s is %s without a slash", address, got)
		}
	}
}

func TestAddressesAreToldWithoutTheirSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"/srv/what?.tif": "/srv/what?.tif", `C:\maps\a@b.tif`: `C:\maps\a@b.tif`,
		"https://user:secret@h:1/a/b@2.tif?sig=secret#2": "https://h:1/a/b@2.tif", "https://h": "https://h", "https://h/": "https://h/", "https://h?secret": "https://h",
		"https://secret%zz@h/a%zz.tif?x=secret": "https://h/a%zz.tif", "s3://key:secret@bucket/a.tif": "s3://bucket/a.tif",
		"s3://bucket/a?secret.tif": "s3://bucket/a", "http://h/a.tif#secret": "http://h/a.tif", "s3://b/a#2.tif": "s3://b/a#2.tif", "az://a@c/b?secret@x": "az://c/b",
	} {
		if got := Redacted(address); got != want {
			t.Errorf("%s is told as %s, want %s", address, got, want)
		}
	}
}

// What may be told of an address has nothing of its query and of its user, whatever it is made of.
func FuzzAddressesKeepTheirSecrets(f *testing.F) {
	f.Add("https", "example.org", "a/b.tif")
	f.Add("s3", "bucket", "")
	f.Add("gs", "a:b", "//x#y@z")
	f.Fuzz(func(t *testing.T, scheme, host, names string) {
		const secret = "0secret0"
		for _, address := range []string{
			scheme + "://" + host + "/" + names + "?sig=" + secret, scheme + "://user:" + secret + "@" + host + "/" + names,
		} {
			if !IsRemote(address) || strings.Contains(scheme+host+names, secret) || strings.ContainsAny(host, "/?#") {
				continue
			}
			for _, told := range []string{Redacted(address), Redacted(Folder(address)), Redacted(Join(address, "a"))} {
				if strings.Contains(told, secret) {
					t.Errorf("%q is told as %q", address, told)
				}
			}
		}
	})
}
