//go:build gpu

package integration

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tileserver/codec/jpeg/kernel/kerneltest"
	"tileserver/decode/tiff/tifftest"
	"tileserver/integration/realfiles"
)

// programWithGPU returns the path of a program that was built with the tag gpu.
func programWithGPU(t *testing.T) string {
	t.Helper()
	skipWithoutProgram(t)
	path := filepath.Join(t.TempDir(), "tileserver")
	command := exec.Command("go", "build", "-tags", "gpu", "-ldflags=-w", "-o", path, "../cmd/tileserver")
	command.Env = append(os.Environ(), "CGO_ENABLED=1")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, output)
	}
	if output, err := exec.Command(path, "gpu", "--largest", "1").CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" || !bytes.Contains(output, []byte("no GPU")) {
			t.Fatalf("%v\n%s", err, output)
		}
		t.Skipf("SKIPPED, NOTHING WAS COMPARED: there is no GPU, nor a software one; see CONTRIBUTING.md\n%s", output)
	}
	return path
}

// realForGPU returns folders of real files: of many kinds of code-blocks, of blocks with DEFLATE, and of those
// with JPEG that has restart markers.
func realForGPU(t *testing.T) []string {
	t.Helper()
	from := realfiles.Folder(t, "jp2k")
	var folders []string
	for _, name := range []string{
		"jp2k/gdal", "jp2k/openhtj2k", "jp2k/openjpeg-data", "jp2k/pillow", "nitf/gdal", "nitf/imaging-nitf",
		"tiff/gdal", "tiff/rio-tiler",
	} {
		folders = append(folders, filepath.Join(from, filepath.FromSlash(name)))
	}
	return folders
}

// restartBlocks is how many blocks the file of folderWithRestarts has.
const restartBlocks = 256

// folderWithRestarts returns a folder with restarts.tif. Its blocks are JPEG with restart markers.
func folderWithRestarts(t *testing.T) string {
	t.Helper()
	const side, across = 64, 16
	random := rand.New(rand.NewPCG(1, 2))
	folder, block := t.TempDir(), kerneltest.Picture{
		Width: side, Height: side, Factors: [][2]int{{2, 2}, {1, 1}, {1, 1}}, Interval: 4, Largest: 300, Quantizer: 3,
	}
	writeTIFF(t, folder, "restarts.tif", tifftest.File{Images: []tifftest.Image{{
		Width: side * across, Height: side * restartBlocks / across, Samples: 3, Tiled: true, BlockWidth: side, BlockHeight: side,
		Compression: tifftest.JPEGBlocks, Photometric: tifftest.YCbCr,
		Stored: func(_, _, _ int) []byte { return block.Stream(random) },
	}}})
	return folder
}

// gpuAddresses returns addresses of pictures of all layers.
func gpuAddresses(t *testing.T, s *server) (addresses []string) {
	t.Helper()
	layers := getJSON[struct{ Layers []struct{ ID string } }](t, s.maps+"/layers?limit=1000")
	for _, l := range layers.Layers {
		addresses = append(addresses, "/layers/"+l.ID+"/preview.png?max_size=600", "/tiles/"+l.ID+"/image/1/0/0.png")
		addresses = append(addresses, "/layers/"+l.ID+"/preview.png?max_size=40") // of overviews that are built
	}
	if len(addresses) < 100 {
		t.Fatalf("only %d pictures are compared", len(addresses))
	}
	return addresses
}

// gpuMetric returns the value of a metric, over all kernels.
func gpuMetric(t *testing.T, s *server, name string) (sum int) {
	t.Helper()
	each := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `(?:{kernel="[a-z0-9-]+"})? (\d+)$`)
	for _, found := range each.FindAllSubmatch(get(t, s.admin+"/metrics").body, -1) {
		value, _ := strconv.Atoi(string(found[1]))
		sum += value
	}
	return sum
}

// Pictures are the same bytes without a GPU, with one that does all that it can, and with one whose process
// is killed again and again in the midst of batches. Answers that are errors are the same, too.
func TestPicturesAreTheSameOnAGPU(t *testing.T) {
	program := []string{programWithGPU(t)}
	arguments := slices.Concat([]string{"serve", "--state", "", "--cache", "0", folderWithRestarts(t)}, realForGPU(t))
	without := startAs(t, program, append(arguments, "--gpu", "off")...)
	addresses := gpuAddresses(t, without)
	want := make(map[string]answer)
	for _, address := range addresses {
		want[address] = ask(t, http.MethodGet, without.maps+address, nil)
	}
	without.stop()

	strict := startAs(t, program, append(arguments, "--gpu", "strict")...)
	compare := func(address string) error {
		got, err := tryAsk(t, http.MethodGet, strict.maps+address, nil)
		if w := want[address]; err == nil && (got.status != w.status || !bytes.Equal(got.body, w.body)) {
			err = fmt.Errorf("status %d and %d bytes, without a GPU status %d and %d bytes", got.status, len(got.body), w.status, len(w.body))
		}
		return err
	}
	if err := compare("/layers/restarts/preview.png?max_size=600"); err != nil {
		t.Error(err)
	}
	if jobs := gpuMetric(t, strict, "tileserver_gpu_jobs_total"); jobs != restartBlocks {
		t.Errorf("the GPU did %d blocks with restart markers, want %d", jobs, restartBlocks)
	}
	for _, address := range addresses {
		if err := compare(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if jobs := gpuMetric(t, strict, "tileserver_gpu_jobs_total"); jobs < 1000 {
		t.Errorf("the GPU did %d jobs", jobs)
	}
	if failed := gpuMetric(t, strict, "tileserver_gpu_batches_failed_total"); failed != 0 {
		t.Errorf("%d batches failed", failed)
	}

	var clients sync.WaitGroup
	var killed atomic.Bool
	for client := range 3 {
		clients.Go(func() {
			for i := 0; i < len(addresses) || !killed.Load(); i++ {
				address := addresses[(7*i+client*len(addresses)/3)%len(addresses)]
				if err := compare(address); err != nil {
					t.Errorf("while the process of the GPU is killed, %s: %v", address, err)
				}
			}
		})
	}
	defer clients.Wait()
	defer killed.Store(true)
	killGPUWorkers(t, strict, program[0])
}

// killGPUWorkers kills the child with a device that a server has, until several of its batches were lost
// that way. Each time it waits until another child works.
func killGPUWorkers(t *testing.T, s *server, program string) {
	t.Helper()
	const losses, attempts = 3, 30
	lost := func() int { return gpuMetric(t, s, "tileserver_gpu_batches_failed_total") }
	for range attempts {
		if lost() >= losses {
			return
		}
		for _, worker := range gpuWorkers(program) {
			_ = syscall.Kill(worker, syscall.SIGKILL) // it may have ended
		}
		if !gpuWorksAgain(t, s) {
			t.Error("after its process was killed, the GPU did no more jobs")
			return
		}
	}
	t.Errorf("the process was killed %d times, and %d batches were lost, want %d", attempts, lost(), losses)
}

// gpuWorksAgain waits until a server has started its child with a device once more, and that has done jobs.
func gpuWorksAgain(t *testing.T, s *server) bool {
	t.Helper()
	starts, jobs := gpuMetric(t, s, "tileserver_gpu_starts_total"), -1
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		switch {
		case gpuMetric(t, s, "tileserver_gpu_starts_total") == starts:
		case jobs < 0:
			jobs = gpuMetric(t, s, "tileserver_gpu_jobs_total")
		case gpuMetric(t, s, "tileserver_gpu_jobs_total") > jobs:
			return true
		}
	}
	return false
}

// gpuWorkers returns the children with a device of the servers that run a program.
func gpuWorkers(program string) (processes []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		line, _ := os.ReadFile(path)
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "stat"))
		_, afterName, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(afterName)
		if !bytes.Contains(line, []byte("\x00gpu-worker\x00")) || len(fields) < 2 {
			continue
		}
		if parent, _ := os.ReadFile("/proc/" + fields[1] + "/cmdline"); bytes.HasPrefix(parent, []byte(program+"\x00")) {
			process, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			processes = append(processes, process)
		}
	}
	return processes
}
