package mount_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/mount"
	"tileserver/source/sourcetest"
)

func TestMountsConform(t *testing.T) {
	for _, root := range []string{"disk", "test://bucket", "test://bucket/prefix", "other://host"} {
		t.Run(root, func(t *testing.T) {
			sourcetest.RunStore(t, func(*testing.T) sourcetest.Fixture {
				files, bucket, prefix, other := sourcetest.NewStore(), sourcetest.NewStore(), sourcetest.NewStore(), sourcetest.NewStore()
				own := map[string]*sourcetest.Store{"disk": files, "test://bucket": bucket, "test://bucket/prefix": prefix, "other://host": other}[root]
				return sourcetest.Fixture{
					Store: mount.New(files, mount.Mount{Prefix: "test://", Store: bucket}, mount.Mount{Prefix: "other://", Store: other}, mount.Mount{Prefix: "test://bucket/prefix", Store: prefix}),
					Join:  func(names ...string) string { return root + "/" + strings.Join(names, "/") },
					Put:   func(path, data string) { own.Put(path, []byte(data), time.Hour) },
					Drop:  own.Remove,
				}
			})
		})
	}
}

// Each path is asked of the store whose prefix is the longest.
func TestTheLongestPrefixIsAsked(t *testing.T) {
	stores := make(map[string]*sourcetest.Store)
	var mounts []mount.Mount
	for _, prefix := range []string{"https://", "https://example.org", "https://example.org/private/", "s3://", "s3://Bucket/a"} {
		stores[prefix] = sourcetest.NewStore()
		mounts = append(mounts, mount.Mount{Prefix: prefix, Store: stores[prefix]})
	}
	files := sourcetest.NewStore()
	s := mount.New(files, mounts...)
	for path, prefix := range map[string]string{
		"https://example.org/a.tif": "https://example.org", "HTTPS://Example.org?a": "https://example.org", "https://example.org/private/a.tif": "https://example.org/private/",
		"https://example.org/Private/a.tif": "https://example.org", "https://example.org/private": "https://example.org", "https://example.org#a": "https://example.org",
		"https://example.org.evil.example/a.tif": "https://", "https://example.org@evil.example/a.tif": "https://", "https://example.org:a@b@evil.example": "https://", "https://user:a@Example.org/a.tif": "https://example.org", "https://example.org:8443/a.tif": "https://",
		"s3://Bucket/a/b.tif": "s3://Bucket/a", "s3://Bucket/ab.tif": "s3://", "s3://bucket/a/b.tif": "s3://", "S3://Bucket/a": "s3://Bucket/a",
	} {
		stores[prefix].Put(path, []byte("bytes"), time.Hour)
		if found, err := s.Stat(t.Context(), path); err != nil || found.Size != 5 {
			t.Errorf("%s is not asked of %s: %v", path, prefix, err)
		}
		stores[prefix].Remove(path)
	}
	for path, want := range map[string]string{
		"s3://Bucket/a/": "s3://Bucket/a", "s3://b/": "s3://b", "a//b/": "a/b", "https://h/a/": "https://h/a/", "ftp://h/a/": "ftp://h/a/",
	} {
		if got := s.Canonical(path); got != want {
			t.Errorf("%s is canonically %s, want %s", path, got, want)
		}
	}
}

func TestAddressesThatNobodyHas(t *testing.T) {
	s := mount.New(sourcetest.NewStore(), mount.Mount{Prefix: "s3://", Store: sourcetest.NewStore()}, mount.Mount{Prefix: "https://a", Store: sourcetest.NewStore()}, mount.Mount{Prefix: "https://b", Store: sourcetest.NewStore()})
	for address, want := range map[string]string{
		"ftp://user:secret@h/a.tif?secret": "ftp://h/a.tif: not supported: addresses begin with https://, s3://",
		"/vsis3/bucket/a.tif":              "/vsis3/bucket/a.tif: not supported: write s3://bucket/a.tif",
		"/vsicurl/https://a/b.tif?secret":  "/vsicurl/https://a/b.tif: not supported: write https://a/b.tif",
		"/vsicurl/b.tif":                   "/vsicurl/b.tif: not supported: addresses begin with https://, s3://",
		"/vsigs/bucket/a.tif":              "/vsigs/bucket/a.tif: not supported: addresses begin with https://, s3://",
	} {
		_, stat := s.Stat(t.Context(), address)
		_, list := s.List(t.Context(), address)
		_, open := s.Open(t.Context(), address)
		for _, err := range []error{stat, list, open} {
			if !errors.Is(err, source.ErrRemote) || err.Error() != want {
				t.Errorf("%s: %v, want %s", address, err, want)
			}
		}
		if storage := s.Storage(address); storage == "" || strings.Contains(storage, "secret") {
			t.Errorf("%s lies on %q", address, storage)
		}
	}
	if _, err := mount.New(sourcetest.NewStore()).Open(t.Context(), "s3://b/a.tif"); err == nil || err.Error() != "s3://b/a.tif: not supported: must be a path on disk" {
		t.Errorf("without stores: %v", err)
	}
}
