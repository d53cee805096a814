// Package health asks a running server whether it is ready. Command health calls it. The package
// must never know how the server was configured.
package health

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"tileserver/cmd/tileserver/usage"
)

const (
	// timeout bounds the wait for an answer. Callers such as a container runtime ask again soon.
	timeout = 4 * time.Second

	// maxAnswerBytes bounds the size of the answer that is read.
	maxAnswerBytes = 64 << 10
)

// Path is the path of the readiness check on the admin port.
const Path = "/readyz"

// URL returns the address of the readiness check of a server on this machine, whose admin port
// listens on HOST:PORT.
func URL(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", err
	}
	return "http://" + net.JoinHostPort(reachable(host), port) + Path, nil
}

// reachable returns a host at which a server that listens on host can be reached from this machine.
// For a server that listens on all addresses, that is the loopback address.
func reachable(host string) string {
	at, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && at.IsUnspecified() && at.Is4():
		return "127.0.0.1"
	case err == nil && at.IsUnspecified():
		return "::1"
	}
	return host
}

// Ask returns why a server is not ready, or nil. The address is that of its readiness check. Ask
// uses no proxy, since the server is on this machine. It follows no redirect, since a login page
// says nothing about the server.
func Ask(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return usage.Mistakef("%v", err)
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("not healthy: no answer from %s in %v", address, timeout)
	case err != nil:
		return fmt.Errorf("not healthy: no answer from %s: %w", address, causeOf(err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		return fmt.Errorf("not healthy: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", cmp.Or(messageOf(body), response.Status))
	}
	return nil
}

// causeOf returns the innermost error.
func causeOf(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// messageOf returns the message of a JSON error response in one line, or "".
func messageOf(body []byte) string {
	var document struct {
		Error struct{ Message string }
	}
	if json.Unmarshal(body, &document) != nil {
		return ""
	}
	return strings.Join(strings.Fields(document.Error.Message), " ")
}
