package main

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
	"net/url"
	"strings"
	"time"

	"tileserver/cmd/tileserver/usage"
)

const (
	// healthTimeout bounds the wait for an answer. Callers such as a container runtime ask again
	// soon.
	healthTimeout = 4 * time.Second

	// maxHealthBytes bounds the size of the answer that is read.
	maxHealthBytes = 64 << 10

	// readyPath is the path of the readiness check on the admin listener.
	readyPath = "/readyz"
)

// healthOptions are the options of health.
type healthOptions struct {
	config, address string
	adminListen     *string // nil if not given; "" means a server without one
}

// health asks a running server whether it is ready, and prints the answer in one line.
func (p *program) health(ctx context.Context, args []string) error {
	set := usage.Options("health")
	var o healthOptions
	set.StringVar(&o.config, "config", "", "`FILE` Configuration of the server, for its admin_listen")
	set.Func("admin-listen", "`HOST:PORT` Where the server tells metrics and health (default "+defaultAdminListen+")", func(listen string) error {
		o.adminListen = &listen
		return nil
	})
	set.StringVar(&o.address, "url", "", "`URL` Address to ask in place of the admin listener; without a path, /readyz there")
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	if len(arguments) > 0 {
		return usageError("health takes no file")
	}
	address, err := o.readiness()
	if err != nil {
		return err
	}
	if err := askReadiness(ctx, address); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, "ready")
	return err
}

// readiness returns the address of the readiness check.
func (o healthOptions) readiness() (string, error) {
	if o.address != "" {
		at, err := url.Parse(o.address)
		if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
			return "", usageError("--url: %q is no address like http://127.0.0.1:8081/readyz", o.address)
		}
		if at.Path == "" || at.Path == "/" {
			at.Path = readyPath
		}
		return at.String(), nil
	}
	c := defaultConfig()
	if o.config != "" {
		if err := c.load(o.config); err != nil {
			return "", err
		}
	}
	listen := c.AdminListen
	if o.adminListen != nil {
		listen = *o.adminListen
	}
	if listen == "" {
		return "", usageError("a server with no admin_listen cannot be asked there; give --url")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", usageError("--admin-listen: %v", err)
	}
	return "http://" + net.JoinHostPort(reachable(host), port) + readyPath, nil
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

// askReadiness returns why a server is not ready, or nil. It uses no proxy, since the server is on
// this machine. It follows no redirect, since a login page says nothing about the server.
func askReadiness(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return usageError("%v", err)
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("not healthy: no answer from %s in %v", address, healthTimeout)
	case err != nil:
		return fmt.Errorf("not healthy: no answer from %s: %w", address, causeOf(err))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxHealthBytes))
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
