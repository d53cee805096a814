package integration

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// behindCaddy starts replicas behind Caddy with configs/Caddyfile, but without the certificate,
// which a test cannot get.
func behindCaddy(t *testing.T) *front {
	t.Helper()
	caddy := find(t, "caddy")
	f := behind(t)
	address := f.listen(t)
	_, port, _ := strings.Cut(address, ":")
	site := example(t, "Caddyfile",
		replacement{"\n" + publicName + " {", 1, "\nhttp://" + publicName + ":" + port + " {\n\tbind 127.0.0.1"},
		replacement{"127.0.0.1:8080", 1, f.replicaAddress(0)},
		replacement{"127.0.0.1:8090", 1, f.replicaAddress(1)},
	)
	main := writeFile(t, t.TempDir(), "Caddyfile", []byte("{\n\tadmin off\n\tauto_https off\n}\nimport "+site+"\n"))
	if output, err := exec.Command(caddy, "validate", "--adapter", "caddyfile", "--config", main).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	runProgram(t, f.isUp(t), caddy, "run", "--adapter", "caddyfile", "--config", main)
	return f
}

func TestCaddyLinksLeadThroughIt(t *testing.T) {
	testLinks(t, behindCaddy(t))
}

func TestCaddyServesThePathOnly(t *testing.T) {
	testServesThePathOnly(t, behindCaddy(t), http.StatusMovedPermanently)
}

func TestCaddySendsATileToOneReplica(t *testing.T) {
	skipWithoutInterrupt(t)
	f := behindCaddy(t)
	served := make([]int, len(f.replicas))
	for _, path := range placesOfTiles() {
		replica := f.servedBy(t, f.get(t, path))
		served[replica]++
		if other := f.servedBy(t, f.get(t, path)); other != replica {
			t.Errorf("%s is rendered by replica %d, and then by %d", path, replica, other)
		}
	}
	if served[0] < 5 || served[1] < 5 {
		t.Errorf("the replicas render %v tiles", served)
	}
	if err := f.replicas[0].stop(); err != nil {
		t.Fatal(err)
	}
	for _, path := range placesOfTiles() {
		if by := f.servedBy(t, f.get(t, path)); by != 1 {
			t.Errorf("%s comes from replica %d, which has ended", path, by)
		}
	}
}
