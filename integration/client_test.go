package integration

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answer holds a complete HTTP answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// client keeps enough idle connections for tests with many concurrent requests.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}

func ask(t testing.TB, method, address string, header http.Header) answer {
	t.Helper()
	a, err := tryAsk(t, method, address, header)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// tryAsk does what ask does, for goroutines other than the test's own.
func tryAsk(t testing.TB, method, address string, header http.Header) (answer, error) {
	return askWith(client, t, method, address, header)
}

func askWith(client *http.Client, t testing.TB, method, address string, header http.Header) (answer, error) {
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		return answer{}, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

// get requests an address and fails the test unless the status is 200.
func get(t testing.TB, address string) answer {
	t.Helper()
	a := ask(t, http.MethodGet, address, nil)
	if a.status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", address, a.status, a.body)
	}
	return a
}

func getJSON[T any](t testing.TB, address string) (value T) {
	t.Helper()
	a := get(t, address)
	if got := a.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%s: Content-Type %q", address, got)
	}
	if err := json.Unmarshal(a.body, &value); err != nil {
		t.Fatalf("%s: %v in %s", address, err, a.body)
	}
	return value
}

func getPicture(t testing.TB, address string) image.Image {
	t.Helper()
	return decodePicture(t, get(t, address).body)
}

func decodePicture(t testing.TB, data []byte) image.Image {
	t.Helper()
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func colorAt(picture image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
}

// getError requests an address that must fail, and returns the fields of the error.
func getError(t testing.TB, address string) (status int, code, message string) {
	t.Helper()
	a := ask(t, http.MethodGet, address, nil)
	var body struct {
		Error *struct{ Code, Message string }
	}
	if err := json.Unmarshal(a.body, &body); err != nil || body.Error == nil {
		t.Fatalf("%s: status %d, %v in %s", address, a.status, err, a.body)
	}
	return a.status, body.Error.Code, body.Error.Message
}

// metric returns the value of a metric without labels, or with exactly the labels in name.
func (s *server) metric(t testing.TB, name string) int {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(get(t, s.admin+"/metrics").body)
	if found == nil {
		t.Fatalf("no metric %s", name)
	}
	value, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(value)
}

const decodedBlocks = "tileserver_decoded_blocks_total"

// maxWait is the maximum time that a test waits for a condition. Only failing tests wait that long.
const maxWait = 2 * time.Minute

// eventually waits until a condition holds. The pauses between its checks grow, because most
// conditions are requests, which cost more than waiting a little longer.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	const shortest, longest = time.Millisecond, 20 * time.Millisecond
	deadline := time.Now().Add(maxWait)
	for pause := shortest; !condition(); pause = min(longest, pause*3/2) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting until %s", what)
		}
		time.Sleep(pause)
	}
}

// layerNames returns the ids of all layers, in the server's order.
func (s *server) layerNames(t testing.TB) string {
	t.Helper()
	var names []string
	for _, l := range getJSON[struct{ Layers []struct{ ID string } }](t, s.maps+"/layers").Layers {
		names = append(names, l.ID)
	}
	return strings.Join(names, " ")
}
