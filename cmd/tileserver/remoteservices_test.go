package main

import (
	"strings"
	"testing"

	"tileserver/config"
)

// What the environment says wrongly of a cloud matters to the addresses of that cloud only.
func TestAWrongEnvironmentOfACloud(t *testing.T) {
	t.Setenv("STORAGE_EMULATOR_HOST", "http://user:s3cret@emulator?s3cret")
	mustRun(t, "info", smallTIFF(t))
	code, _, stderr := runProgram(t, "info", "gs://bucket/a.tif")
	if code != exitFailure || !strings.Contains(stderr, "gs://bucket/a.tif: ") || strings.Contains(stderr, "s3cret") {
		t.Errorf("it ends with %d: %s", code, stderr)
	}
}

// Entries of the configuration become the services that they describe.
func TestServicesOfRemoteEntries(t *testing.T) {
	isPathStyle := true
	for _, test := range []struct {
		entry       config.Remote
		path, leads string
	}{
		{config.Remote{Prefix: "s3://", Region: "eu-central-1"}, "s3://bucket/a b.tif", "https://bucket.s3.eu-central-1.amazonaws.com/a%20b.tif"},
		{config.Remote{Prefix: "s3://", Region: "eu-central-1", PathStyle: &isPathStyle}, "s3://bucket/a.tif", "https://s3.eu-central-1.amazonaws.com/bucket/a.tif"},
		{config.Remote{Prefix: "s3://", Endpoint: "https://minio.example:9000"}, "s3://bucket/a.tif", "https://minio.example:9000/bucket/a.tif"},
		{config.Remote{Prefix: "gs://", Anonymous: true}, "gs://bucket/a.tif", "https://storage.googleapis.com/bucket/a.tif"},
		{config.Remote{Prefix: "az://", Account: "imagery"}, "az://orthos/a.tif", "https://imagery.blob.core.windows.net/orthos/a.tif"},
		{config.Remote{Prefix: "https://example.org"}, "https://example.org/a.tif?sig=1", "https://example.org/a.tif?sig=1"},
	} {
		service, err := serviceOf(&test.entry, new(notices))
		if err != nil {
			t.Errorf("%+v: %v", test.entry, err)
			continue
		}
		if leads, err := service.Locate(test.path); err != nil || leads.String() != test.leads {
			t.Errorf("%s leads to %v, %v; want %s", test.path, leads, err, test.leads)
		}
	}
	if _, err := serviceOf(&config.Remote{Prefix: "ftp://"}, new(notices)); err == nil {
		t.Error("there is a service of ftp")
	}
}
