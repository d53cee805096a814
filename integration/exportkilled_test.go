package integration

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// stage is how far the work folder of an export is: how many files of shards have names, and how many
// bytes are in files that have none yet.
func stageOf(part string) (finished int, bytes int64, isJoining bool) {
	shards, _ := os.ReadDir(filepath.Join(part, "shards")) // there may be none
	for _, entry := range shards {
		if !strings.HasSuffix(entry.Name(), ".unfinished") {
			finished++
		} else if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
	}
	_, err := os.Stat(filepath.Join(part, "output"))
	return finished, bytes, err == nil
}

// killedExport starts an export and kills it when some more shards are finished, and some bytes of the
// next are written, or when it has joined them. It reports whether the export ended before that.
func killedExport(t *testing.T, random *rand.Rand, out string, args []string) (ended bool) {
	t.Helper()
	command := exec.Command(program(t), args...)
	var said strings.Builder
	command.Stderr = &said
	before, _, _ := stageOf(out + ".part")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	wanted, wantedBytes := before+random.IntN(2), random.Int64N(20_000)
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("the export ended by itself: %v\n%s", err, &said)
			}
			return true
		default:
		}
		finished, bytes, isJoining := stageOf(out + ".part")
		if finished > wanted || finished == wanted && bytes >= wantedBytes || isJoining {
			command.Process.Kill()
			return <-done == nil
		}
		time.Sleep(time.Millisecond)
	}
}

// Exports that were killed twenty times in all give the same files as one that was not. On a machine that is busy an
// export may end before it is killed again: then the next one goes on with being killed.
func TestAKilledExportGoesOn(t *testing.T) {
	t.Parallel()
	const kills, maxExports, levels = 20, 10, 30
	configuration := exportedLayers(t, unevenLevels(levels, 128, 1.07))
	args := func(out string) []string {
		return []string{"export", "--config", configuration, "--layer", "colors", "--tms", "Uneven", "--zooms", "0-29", out}
	}
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole")
	runExport(t, args(whole)[1:]...)
	random, killed, want := rand.New(rand.NewPCG(1, 2)), 0, exported(t, whole)
	for i := 0; i < maxExports && killed < kills; i++ {
		out := filepath.Join(folder, fmt.Sprint("out", i))
		for killed < kills && !killedExport(t, random, out, args(out)) {
			killed++
			if _, err := os.Stat(out); err == nil {
				t.Error("a killed export has an output")
			}
		}
		if _, err := os.Stat(out); err != nil {
			runExport(t, args(out)[1:]...)
		}
		if got := exported(t, out); !maps.EqualFunc(want, got, slices.Equal) || len(want) < levels {
			t.Errorf("after %d kills there are %d files, want %d, or they differ", killed, len(got), len(want))
		}
	}
	if killed < kills {
		t.Errorf("%d exports ended after %d kills", maxExports, killed)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*.part")); len(left) != 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}

// A first Ctrl+C ends an export with a message, and the same command goes on.
func TestAnInterruptedExportSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	configuration := exportedLayers(t, unevenLevels(30, 128, 1.07))
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"export", "--config", configuration, "--layer", "colors", "--tms", "Uneven", "--zooms", "0-29", out}
	command := exec.Command(program(t), args...)
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "two shards are finished", func() bool {
		finished, _, _ := stageOf(out + ".part")
		return finished >= 2
	})
	end(command.Process)
	if err := command.Wait(); err == nil || command.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "the same command goes on") {
		t.Errorf("it ended with %v: %s", err, &said)
	}
	if unfinished, _ := filepath.Glob(filepath.Join(out+".part", "shards", "*.unfinished")); len(unfinished) != 0 {
		t.Errorf("%v is left", unfinished)
	}
	runExport(t, args[1:]...)
}
