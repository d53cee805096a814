package integration

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// composeFile lists the keys that configs/compose.yaml may use, a subset of the format. A key that is
// not listed here is an error.
type composeFile struct {
	Name     string
	Services map[string]composeService
	Volumes  map[string]struct{}
}

type composeService struct {
	Image, Restart string
	ReadOnly       bool                         `yaml:"read_only"`
	CapDrop        []string                     `yaml:"cap_drop"`
	SecurityOpt    []string                     `yaml:"security_opt"`
	MemLimit       string                       `yaml:"mem_limit"`
	DependsOn      map[string]map[string]string `yaml:"depends_on"`
	Ports, Volumes []string
}

func readCompose(t *testing.T) (c composeFile) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "configs", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestComposeMountsWhatThereIs(t *testing.T) {
	c := readCompose(t)
	for name, service := range c.Services {
		for _, mount := range service.Volumes {
			parts := strings.Split(mount, ":")
			source, target := parts[0], parts[len(parts)-1]
			if last := parts[len(parts)-1]; last == "ro" {
				target = parts[len(parts)-2]
			}
			_, isVolume := c.Volumes[source]
			switch {
			case !strings.HasPrefix(target, "/"):
				t.Errorf("%s mounts %s on %q", name, source, target)
			case strings.HasPrefix(source, "./"):
				if _, err := os.Stat(filepath.Join("..", "configs", source)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			case !isVolume && !strings.HasPrefix(source, "${IMAGERY"):
				t.Errorf("%s mounts %s, which is neither a volume nor a file", name, source)
			}
		}
		for other := range service.DependsOn {
			if _, ok := c.Services[other]; !ok {
				t.Errorf("%s depends on %s, which is not a service", name, other)
			}
		}
	}
}

func TestComposeGivesTheServerNoRights(t *testing.T) {
	s := readCompose(t).Services["tileserver"]
	if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.MemLimit == "" {
		t.Errorf("the server runs with more rights than it needs: %+v", s)
	}
	if len(s.Ports) > 0 {
		t.Errorf("the server publishes the ports %q, past nginx", s.Ports)
	}
}

// behindComposeNginx starts a server behind nginx with the configuration configs/compose-nginx.conf.
func behindComposeNginx(t *testing.T) *front {
	t.Helper()
	nginx := find(t, "nginx")
	f := behind(t)
	f.root = "http://" + publicName
	address, cache := f.listen(t), t.TempDir()
	site := example(t, "compose-nginx.conf",
		replacement{"listen 80;", 1, "listen " + address + ";"},
		replacement{"/var/cache/nginx/tileserver", 1, filepath.Join(cache, "pictures")},
		replacement{"server tileserver:8080;", 1, "server " + f.replicaAddress(0) + ";"},
	)
	f.runNginx(t, nginx, nginxMain(cache, site))
	return f
}

func TestComposeServesThroughNginx(t *testing.T) {
	f := behindComposeNginx(t)
	testLinks(t, f)
	for _, path := range []string{"/tiles/colors/" + cornerTile + ".png?bidx=1", "/iiif/plain/full/max/0/default.png"} {
		wantCacheStatus(t, path, f.get(t, path), http.StatusOK, "MISS")
		wantCacheStatus(t, path+" again", f.get(t, path), http.StatusOK, "HIT")
	}
	for range 2 {
		wantCacheStatus(t, "a document", f.get(t, "/layers"), http.StatusOK, "")
	}
	if a := f.ask(t, http.MethodGet, "/metrics", nil); a.status != http.StatusNotFound {
		t.Errorf("metrics: status %d; clients must not see them", a.status)
	}
}
