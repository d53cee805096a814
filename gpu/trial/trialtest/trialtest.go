// Package trialtest tests the samples of kernels.
package trialtest

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
)

// CheckTwin runs the trial of a kernel on its twin in Go.
func CheckTwin(t *testing.T, sample trial.Sample, twin map[string]gputest.Entry) {
	t.Helper()
	const one, several, least = 1, 9, 4 // items differ, but not so much that nine have less work than four times one
	device := gputest.NewDevice(gputest.Entries{sample.Kernel.Name: twin})
	results, err := trial.Run(t.Context(), device, sample, []int{one, several})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Jobs != one || results[1].Jobs != several || results[0].Work < 1 || results[1].Work < least*results[0].Work {
		t.Errorf("the results are %+v", results)
	}
}

var update = flag.Bool("update", false, "write the files of samples")

// CheckFile compares the file of a sample, as it is embedded in the package of the test, with what the test
// makes. With -update it writes the file.
func CheckFile(t *testing.T, name string, embedded, made []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, made, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(made, embedded) {
		t.Errorf("%s is not up to date: run this test with -update", name)
	}
}
