package clients

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// stage is the running program stage.mjs, which shows pages in a browser.
type stage struct {
	address string
	stop    func()
}

// raise starts a stage. The stage ends when its standard input closes, even if the tests are
// killed.
func raise(t testing.TB) *stage {
	t.Helper()
	command := exec.Command("node", "stage.mjs")
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), "CHROMIUM="+chromium())
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the stage did not print its address: %v, %v", err, command.Wait())
	}
	return &stage{address: strings.TrimSpace(line), stop: func() {
		stdin.Close()
		command.Wait()
	}}
}

// performance names a page of pages/ to show, or a script of scripts/ to run.
type performance struct {
	Page       string         `json:"page,omitempty"`
	Script     string         `json:"script,omitempty"`
	Width      int            `json:"width"`
	Height     int            `json:"height"`
	PixelRatio float64        `json:"pixelRatio,omitempty"`
	Settings   map[string]any `json:"settings"`

	// AllowedStatuses lists error statuses of requests that are not complaints.
	AllowedStatuses []int `json:"allowedStatuses,omitempty"`
}

// shown is the result of a performance.
type shown struct {
	Value       json.RawMessage // returned by the page or the script
	Screenshots []string        // PNG in base64
	Complaints  []string        // console errors and failed requests
	Requests    []string        // requested addresses
}

func (s *stage) show(t testing.TB, p performance) shown {
	t.Helper()
	body, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(s.address, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var result shown
	if err := json.Unmarshal(answer, &result); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	for _, complaint := range result.Complaints {
		t.Errorf("%s%s: %s", p.Page, p.Script, complaint)
	}
	return result
}

// screenshot returns the only screenshot of a page.
func (s shown) screenshot(t testing.TB) image.Image {
	t.Helper()
	if len(s.Screenshots) != 1 {
		t.Fatalf("%d screenshots, want one", len(s.Screenshots))
	}
	return decodeScreenshot(t, s.Screenshots[0])
}

func decodeScreenshot(t testing.TB, encoded string) image.Image {
	t.Helper()
	picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// requestsOf counts the requested addresses that contain a text.
func (s shown) requestsOf(part string) int {
	count := 0
	for _, address := range s.Requests {
		if strings.Contains(address, part) {
			count++
		}
	}
	return count
}
