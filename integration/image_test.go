package integration

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// containerImage is an unpacked container image.
type containerImage struct {
	root   string // the root folder of its files
	config imageConfig
}

// imageConfig holds the fields that the tests read of an image's configuration, as buildah prints
// it.
type imageConfig struct {
	User            string
	Env, Entrypoint []string
	Cmd             []string
	ExposedPorts    map[string]struct{}
	Volumes         map[string]struct{}
	Healthcheck     struct{ Test []string }
	Labels          map[string]string
}

// buildImage builds the image of Containerfile with the program of these tests. It needs neither a
// daemon nor a network.
func buildImage(t *testing.T) *containerImage {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("container images need Linux")
	}
	buildah, context := find(t, "buildah"), imageContext(t)
	storage := []string{"--storage-driver", "vfs", "--root", filepath.Join(t.TempDir(), "root"), "--runroot", filepath.Join(t.TempDir(), "run")}
	run := func(args ...string) string {
		t.Helper()
		command := exec.Command(buildah, append(slices.Clone(storage), args...)...)
		var complaints strings.Builder
		command.Stderr = &complaints
		output, err := command.Output()
		if err != nil {
			t.Fatalf("buildah %q: %v\n%s%s", args, err, output, &complaints)
		}
		return strings.TrimSpace(string(output))
	}
	run("build", "--isolation", "chroot", "--format", "docker", "--file", filepath.Join(context, "Containerfile"),
		"--build-arg", "VERSION=1.2.3", "--tag", "tileserver:test", context)
	var described struct {
		Docker struct{ Config imageConfig }
	}
	if err := json.Unmarshal([]byte(run("inspect", "--type", "image", "tileserver:test")), &described); err != nil {
		t.Fatal(err)
	}
	return &containerImage{root: run("mount", run("from", "tileserver:test")), config: described.Docker.Config}
}

// imageContext copies what "make image" puts into the image to a folder of the test.
func imageContext(t *testing.T) string {
	t.Helper()
	context, repository := t.TempDir(), ".."
	for name, from := range map[string]string{
		"Containerfile": "Containerfile", ".dockerignore": ".dockerignore", "LICENSE": "LICENSE", "NOTICE": "NOTICE",
		"configs/container.yaml": "configs/container.yaml", "dist/THIRD-PARTY.txt": "NOTICE", "bin/ca-certificates.crt": "NOTICE",
	} {
		data, err := os.ReadFile(filepath.Join(repository, from))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, context, name, data)
	}
	data, err := os.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	program := writeFile(t, context, "bin/linux-"+runtime.GOARCH+"/tileserver", data)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(context, "bin", "state"), 0o755); err != nil {
		t.Fatal(err)
	}
	return context
}

// runInImage is a script for sh that runs a command as a container runtime does: in a mount
// namespace, with the image's files read-only except for its volume. Its arguments are the root,
// the folder to mount at /data, and the user, followed by the command.
const runInImage = `set -e
root=$1 data=$2 user=$3; shift 3
state=$root/var/lib/tileserver
mount --bind "$root" "$root"
mount --bind "$state" "$state"
mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"`

// in returns a command line that runs the image's entry point with a data folder. The caller
// appends arguments.
func (i *containerImage) in(t *testing.T, data string) []string {
	t.Helper()
	if os.Geteuid() != 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("only root can run the image")
		}
		t.Skip("NOT TESTED: only root can run the image")
	}
	if err := os.MkdirAll(filepath.Join(i.root, "data"), 0o755); err != nil { // as runtimes do
		t.Fatal(err)
	}
	command := append([]string{"env", "-i"}, i.config.Env...)
	command = append(command, find(t, "unshare"), "--mount", "sh", "-c", runInImage, "sh", i.root, data, i.config.User)
	return append(command, i.config.Entrypoint...)
}

func TestTheImage(t *testing.T) {
	i := buildImage(t)
	t.Run("says how to run it", i.testDescription)
	t.Run("serves its folder", i.testServing)
}

func (i *containerImage) testServing(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", tifftest.File{Images: []tifftest.Image{colors()}})
	s := startAs(t, i.in(t, folder), i.config.Cmd...)
	get(t, s.maps+"/tiles/colors/"+cornerTile+".png")
	get(t, s.maps+"/layers/colors/statistics")
	if complaints := s.log.complaints(); complaints != "" {
		t.Errorf("the server logged warnings:\n%s", complaints)
	}
	if kept, err := os.ReadDir(filepath.Join(i.root, "var", "lib", "tileserver")); err != nil || len(kept) == 0 {
		t.Errorf("statistics are not stored: %v", err)
	}

	// The image's own health check runs, with the test's free port.
	health := func() ([]byte, error) {
		test := i.config.Healthcheck.Test
		if len(test) < 3 || test[0] != "CMD" || test[1] != i.config.Entrypoint[0] {
			t.Fatalf("the health check is %q", test)
		}
		args := slices.Concat(i.in(t, folder), test[2:], []string{"--admin-listen", strings.TrimPrefix(s.admin, "http://")})
		return exec.Command(args[0], args[1:]...).CombinedOutput()
	}
	if output, err := health(); err != nil {
		t.Errorf("the health check of a running server failed: %v: %s", err, output)
	}
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if output, err := health(); err == nil {
		t.Errorf("the health check of an ended server succeeded: %s", output)
	}
}

func (i *containerImage) testDescription(t *testing.T) {
	c := i.config
	if want := []string{"/tileserver"}; !slices.Equal(c.Entrypoint, want) {
		t.Errorf("the entry point is %q, want %q", c.Entrypoint, want)
	}
	if c.User != "65532:65532" {
		t.Errorf("the user is %q, want one without privileges", c.User)
	}
	if _, ok := c.ExposedPorts["8080/tcp"]; !ok {
		t.Errorf("the exposed ports are %v", c.ExposedPorts)
	}
	if _, ok := c.Volumes["/var/lib/tileserver"]; !ok {
		t.Errorf("the volumes are %v", c.Volumes)
	}
	if got := c.Labels["org.opencontainers.image.version"]; got != "1.2.3" {
		t.Errorf("the version is %q", got)
	}
	for _, name := range []string{"licenses/LICENSE", "licenses/NOTICE", "licenses/THIRD-PARTY.txt", "etc/ssl/certs/ca-certificates.crt"} {
		if _, err := os.Stat(filepath.Join(i.root, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(i.root, "bin")); err == nil {
		t.Error("the image contains more than the program")
	}
}
