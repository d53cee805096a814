package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/webgpu"
)

func TestGPUWorkerIsForServersOnly(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, "takes the number of a device and a size"},
		{[]string{"0"}, "takes the number of a device and a size"},
		{[]string{"zero", "1"}, `"zero" and "1" are not the number of a device and a size`},
		{[]string{"-1", "1"}, `"-1" and "1" are not`},
		{[]string{"0", "1 GiB"}, `"0" and "1 GiB" are not`},
		{[]string{"0", "1"}, "this process is no child of a server"},
	} {
		command := exec.Command(os.Args[0], append([]string{gpuWorkerCommand}, test.args...)...)
		command.Env = append(os.Environ(), asProgram+"=1")
		said, _ := command.CombinedOutput()
		if code := command.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(string(said), test.says) {
			t.Errorf("%q: exit code %d, it says %s", test.args, code, said)
		}
	}
}

// The child opens the device, or says that this program or machine has none.
func TestDeviceIsOpenedByAChild(t *testing.T) {
	t.Setenv(asProgram, "1")
	var log bytes.Buffer
	d, err := newDevice(0, 1<<20, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Adapter(t.Context())
	if closeErr := d.Close(); closeErr != nil {
		t.Error(closeErr)
	}
	adapters, _ := webgpu.Adapters()
	if len(adapters) == 0 && (!errors.Is(err, gpu.ErrNoDevice) || !strings.Contains(log.String(), `msg="GPU cannot be used, cores do its work" gpu=0 err="no GPU`)) {
		t.Errorf("got the error %v, the log is %s", err, &log)
	}
	if len(adapters) > 0 && err != nil {
		t.Errorf("a machine with %v: %v", adapters, err)
	}
}
