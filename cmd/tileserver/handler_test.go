package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tileserver/config"
)

// meanwhile is a client that does something when its response begins.
type meanwhile struct {
	*httptest.ResponseRecorder
	do func()
}

func (m meanwhile) WriteHeader(status int) {
	m.do()
	m.ResponseRecorder.WriteHeader(status)
}

// After a reload, requests of the old handler count among those of the new one, whatever its limit.
func TestHandlersShareTheCountOfRequests(t *testing.T) {
	c := config.Default()
	c.MaxRequests = 1
	s, err := (&program{stdout: io.Discard, stderr: io.Discard}).newServer(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	handlerFor := func(maxRequests int) http.Handler {
		c.MaxRequests = maxRequests
		handler, err := s.handler(c)
		if err != nil {
			t.Fatal(err)
		}
		return handler
	}
	ask := func(handler http.Handler, do func()) int {
		client := meanwhile{httptest.NewRecorder(), do}
		handler.ServeHTTP(client, httptest.NewRequest(http.MethodGet, "/colormaps", nil))
		return client.Code
	}
	old, same, larger := handlerFor(1), handlerFor(1), handlerFor(2)
	began := ask(old, func() {
		if got := ask(same, func() {}); got != http.StatusServiceUnavailable {
			t.Errorf("beside a request of the old handler, one of the new one has status %d", got)
		}
		if got := ask(larger, func() {}); got != http.StatusOK {
			t.Errorf("with a larger limit, the status is %d", got)
		}
	})
	if after := ask(same, func() {}); began != http.StatusOK || after != http.StatusOK {
		t.Errorf("the statuses are %d and %d", began, after)
	}
}

func TestAServerWarnsOfForgedClients(t *testing.T) {
	const warning = "clients at private addresses may pass for others"
	for _, test := range []struct {
		options []string
		want    string
	}{
		{nil, ""},
		{[]string{"--client-rate", "9"}, "header=X-Forwarded-For"},
		{[]string{"--client-rate", "9", "--client-header", "X-User"}, "header=X-User"},
		{[]string{"--client-rate", "9", "--trusted-proxies", "none"}, ""},
		{[]string{"--client-rate", "9", "--trusted-proxies", "private"}, ""},
		{[]string{"--client-header", "X-User"}, ""},
	} {
		s := start(t, append(append([]string{"serve", smallTIFF(t)}, freePorts...), test.options...)...)
		s.stop()
		_, after, warned := strings.Cut(s.stderr.String(), warning)
		if line, _, _ := strings.Cut(after, "\n"); warned != (test.want != "") || !strings.Contains(line, test.want) {
			t.Errorf("%q: the warning is %q", test.options, line)
		}
	}
}
