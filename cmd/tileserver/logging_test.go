package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// startLine returns the line that a server logs when it starts to serve.
func startLine(t *testing.T, log string) string {
	t.Helper()
	for line := range strings.Lines(log) {
		if strings.Contains(line, "serving") {
			return line
		}
	}
	t.Fatalf("no line says that it serves: %s", log)
	return ""
}

func TestAServerLogsItsAddressesAndLayers(t *testing.T) {
	good := smallTIFF(t)
	writeFile(t, filepath.Dir(good), "words.tif", "these are words")
	s := start(t, append([]string{filepath.Dir(good), "--cache", "9MiB"}, freePorts...)...)
	line := startLine(t, s.stderr.String())
	for _, want := range []string{"level=INFO", "msg=serving", "maps=" + s.maps, "admin=" + strings.TrimPrefix(s.admin, "http://"), "layers=1", "offered=0", "skipped=1", "cache=9MiB", "version="} {
		if !strings.Contains(line, want) {
			t.Errorf("there is no %s in %s", want, line)
		}
	}
	if !strings.Contains(s.stderr.String(), `msg="skipped file"`) {
		t.Errorf("the log does not name the file that is no raster: %s", s.stderr)
	}
	get(t, s.maps+"/layers")
	if strings.Contains(s.stderr.String(), "route=") {
		t.Errorf("a request that went well has a line: %s", s.stderr)
	}
}

func TestLogFormatAndLevel(t *testing.T) {
	s := start(t, append([]string{smallTIFF(t), "--log-format", "json", "--access-log", "all"}, freePorts...)...)
	var line struct{ Level, Msg, Cache, Maps string }
	if err := json.Unmarshal([]byte(startLine(t, s.stderr.String())), &line); err != nil {
		t.Fatal(err)
	}
	if line.Level != "INFO" || line.Msg != "serving" || line.Cache != "512MiB" || line.Maps != s.maps {
		t.Errorf("the line says %+v", line)
	}
	get(t, s.maps+"/layers")
	eventually(t, "the request is in the log", func() bool { return strings.Contains(s.stderr.String(), `"route":"/layers"`) })

	quiet := start(t, append([]string{smallTIFF(t), "--log-level", "warn", "--access-log", "all"}, freePorts...)...)
	get(t, quiet.maps+"/layers")
	if quiet.stop(); quiet.stderr.String() != "" {
		t.Errorf("the log has %s", quiet.stderr)
	}
}

func TestAReloadChangesTheLevelOfTheLog(t *testing.T) {
	folder := filepath.Dir(smallTIFF(t))
	path := writeFile(t, folder, "c.yaml", "paths: [small.tif]\naccess_log: all\nlog_format: text")
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)
	replaceFile(t, path, "paths: [small.tif]\naccess_log: off\nlog_format: json\nlog_level: debug")
	hangUp()
	before, _, _ := strings.Cut(s.stderr.String(), reloaded)
	if want := "msg=\"changes need a restart\" keys=[log_format]"; !strings.Contains(before, want) {
		t.Errorf("the log does not say %s before the reload ends: %s", want, s.stderr)
	}
	get(t, s.maps+"/layers")
	get(t, s.admin+"/healthz") // logged at level debug only
	eventually(t, "the probe is in the log", func() bool { return strings.Contains(s.stderr.String(), "level=DEBUG msg=request") })
	if strings.Contains(s.stderr.String(), "route=/layers") {
		t.Errorf("the log has requests though it must not: %s", s.stderr)
	}
}
