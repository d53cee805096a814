package integration

import (
	"os/exec"
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
