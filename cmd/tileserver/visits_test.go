package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"tileserver/source/web/webtest"
)

// visiting runs a server that serves a file of its own, with the keys of url.
func visiting(t *testing.T, keys string) *running {
	t.Helper()
	folder := t.TempDir()
	writeFile(t, folder, "own.tif", smallFile(t, 33))
	config := writeFile(t, t.TempDir(), "c.yaml", "paths: ["+folder+"]\n"+keys)
	return start(t, append([]string{"serve", "--config", config, "--log-level", "debug", "--access-log", "all"}, freePorts...)...)
}

// at returns an address of the server about a file of another one.
func (s *running) at(rest, file string) string {
	separator := "?"
	if strings.Contains(rest, "?") {
		separator = "&"
	}
	return s.maps + "/url" + rest + separator + "url=" + url.QueryEscape(file)
}

func TestAServerNeedsNoFilesOfItsOwn(t *testing.T) {
	web := webtest.New(t)
	web.Put("/map.tif", smallFile(t, 33))
	config := writeFile(t, t.TempDir(), "c.yaml", "url: {allow: ['"+web.URL+"/'], networks: [127.0.0.0/8]}\n")
	s := start(t, append([]string{"serve", "--config", config}, freePorts...)...)
	if status, body := get(t, s.at("/preview.png", web.URL+"/map.tif")); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
	if status, body := get(t, s.maps+"/layers"); status != http.StatusOK {
		t.Errorf("without layers, status %d: %s", status, body)
	}
}

func TestAFileIsShownByItsAddress(t *testing.T) {
	web := webtest.New(t)
	web.Put("/maps/My map.tif", smallFile(t, 33))
	s := visiting(t, "url: {allow: ['"+web.URL+"/maps/'], networks: [127.0.0.0/8]}\n")
	file := web.URL + "/maps/My%20map.tif?sig=s3cret"
	for of, same := range map[string]string{
		"/preview.png": "/layers/own/preview.png", "/view.png?crs=image&bbox=0,0,9,9": "/layers/own/view.png?crs=image&bbox=0,0,9,9",
		"/tiles/image/0/0/0.png": "/tiles/own/image/0/0/0.png", "/point/1,1?crs=image": "/layers/own/point/1,1?crs=image",
	} {
		status, got := get(t, s.at(of, file))
		if _, want := get(t, s.maps+same); status != http.StatusOK || string(got) != string(want) {
			t.Errorf("%s: status %d, and not what %s answers: %s", of, status, same, got)
		}
	}
	if status, body := get(t, s.at("", file)); status != http.StatusOK || !strings.Contains(string(body), `"title":"My map"`) {
		t.Errorf("status %d: %s", status, body)
	}
	if asked := web.Asked(); len(asked) != 1 {
		t.Errorf("all of that took %d requests", len(asked))
	}
	if status, body := get(t, s.maps+"/layers"); status != http.StatusOK || strings.Contains(string(body), "My map") {
		t.Errorf("the list has it: %s", body)
	}
	if told := s.answers(t, "own") + s.stderr.String(); strings.Contains(told, "s3cret") {
		t.Errorf("the signature is told: %s", told)
	}
	for address, want := range map[string]int{
		web.URL + "/maps/none.tif": http.StatusNotFound, web.URL + "/other.tif": http.StatusForbidden, web.URL + "/maps/%2e%2e/other.tif": http.StatusForbidden,
		"/etc/passwd": http.StatusForbidden, "file:///etc/passwd": http.StatusForbidden, "": http.StatusBadRequest,
	} {
		if status, body := get(t, s.at("", address)); status != want {
			t.Errorf("%s: status %d, want %d: %s", address, status, want, body)
		}
	}
}

// Nothing inside is reached, neither by an address that leads there nor by a redirect.
func TestAddressesInwardAreRefused(t *testing.T) {
	asked := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer inside.Close()
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	s := visiting(t, "url: {allow: ['"+inside.URL+"', 'http://localhost"+port+"']}\n")
	for _, address := range []string{inside.URL + "/a.tif", "http://localhost" + port + "/a.tif"} {
		if status, body := get(t, s.at("", address)); status != http.StatusForbidden || !strings.Contains(string(body), "address_not_allowed") {
			t.Errorf("%s: status %d: %s", address, status, body)
		}
	}
	outside := httptest.NewServer(http.RedirectHandler("http://localhost"+port+"/secret", http.StatusFound))
	defer outside.Close()
	own := visiting(t, "url: {allow: ['"+outside.URL+"'], networks: [127.0.0.1]}\n")
	if status, body := get(t, own.at("", outside.URL+"/a.tif")); status != http.StatusForbidden {
		t.Errorf("a redirect: status %d: %s", status, body)
	}
	if asked != 0 {
		t.Errorf("the inside was asked %d times", asked)
	}
}

func TestWithoutAListNoAddressIsShown(t *testing.T) {
	s := visiting(t, "")
	if status, body := get(t, s.at("", "https://example.org/a.tif")); status != http.StatusForbidden || !strings.Contains(string(body), "url.allow") {
		t.Errorf("status %d: %s", status, body)
	}
}
