package integration

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTheServiceIsOneForSystemd looks for keys that systemd does not know, and for what the
// service might do to the machine that it runs on.
func TestTheServiceIsOneForSystemd(t *testing.T) {
	analyze := find(t, "systemd-analyze")
	unit := example(t, "tileserver.service", replacement{"ExecStart=/usr/local/bin/tileserver ", 1, "ExecStart=" + program(t) + " "})
	output, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput()
	if err != nil || len(output) > 0 {
		t.Errorf("%v: %s", err, output)
	}
	// Hundredths of what systemd calls exposed; a service that says nothing has 960.
	output, err = exec.Command(analyze, "security", "--offline=yes", "--threshold=15", unit).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

// TestTheServiceStartsWithItsConfiguration starts the server with the configuration that the
// head of the service installs, on a machine that has the folder which it makes, still empty.
func TestTheServiceStartsWithItsConfiguration(t *testing.T) {
	const folder = "/srv/rasters"
	example(t, "tileserver.service",
		replacement{"install -D -m 644 configs/production.yaml /etc/tileserver/tileserver.yaml\n", 1, ""},
		replacement{"--config /etc/tileserver/tileserver.yaml\n", 1, ""},
		replacement{"install -d " + folder + " ", 1, ""})
	rasters := t.TempDir()
	path := example(t, "production.yaml", replacement{folder, 1, filepath.ToSlash(rasters)})
	s := start(t, "serve", "--config", path)
	if got := s.layerNames(t); got != "" {
		t.Errorf("of an empty folder it has the layers %q", got)
	}
	writeTIFF(t, rasters, "plain.tif", fileOf(plain()))
	s = start(t, "serve", "--config", path)
	if got := s.layerNames(t); got != "plain" {
		t.Errorf("it has the layers %q", got)
	}
}
