package integration

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTheServiceIsOneForSystemd checks that systemd knows all keys of the service, and that the
// service is restricted enough.
func TestTheServiceIsOneForSystemd(t *testing.T) {
	analyze := find(t, "systemd-analyze")
	unit := example(t, "tileserver.service", replacement{"ExecStart=/usr/local/bin/tileserver ", 1, "ExecStart=" + program(t) + " "})
	output, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput()
	if err != nil || len(output) > 0 {
		t.Errorf("%v: %s", err, output)
	}
	// The unit is 1/100 of systemd's exposure level. A service without restrictions has 960.
	output, err = exec.Command(analyze, "security", "--offline=yes", "--threshold=15", unit).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

// TestTheServiceStartsWithItsConfiguration starts the server with the configuration from the
// comment at the head of the service file, first with an empty data folder.
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
		t.Errorf("with an empty folder, the layers are %q", got)
	}
	writeTIFF(t, rasters, "plain.tif", fileOf(plain()))
	s = start(t, "serve", "--config", path)
	if got := s.layerNames(t); got != "plain" {
		t.Errorf("the layers are %q", got)
	}
}
