package main

import (
	"context"
	"fmt"
	"net/url"

	"tileserver/cmd/tileserver/health"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
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
	set.Func("admin-listen", "`HOST:PORT` Where the server tells metrics and health (default "+config.DefaultAdminListen+")", func(listen string) error {
		o.adminListen = &listen
		return nil
	})
	set.StringVar(&o.address, "url", "", "`URL` Address to ask in place of the admin listener; without a path, /readyz there")
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	if len(arguments) > 0 {
		return usage.Mistakef("health takes no file")
	}
	address, err := o.readiness()
	if err != nil {
		return err
	}
	if err := health.Ask(ctx, address); err != nil {
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
			return "", usage.Mistakef("--url: %q is no address like http://127.0.0.1:8081/readyz", o.address)
		}
		if at.Path == "" || at.Path == "/" {
			at.Path = health.Path
		}
		return at.String(), nil
	}
	c := config.Default()
	if o.config != "" {
		if err := c.Load(o.config); err != nil {
			return "", err
		}
	}
	listen := c.AdminListen
	if o.adminListen != nil {
		listen = *o.adminListen
	}
	if listen == "" {
		return "", usage.Mistakef("a server with no admin_listen cannot be asked there; give --url")
	}
	address, err := health.URL(listen)
	if err != nil {
		return "", usage.Mistakef("--admin-listen: %v", err)
	}
	return address, nil
}
