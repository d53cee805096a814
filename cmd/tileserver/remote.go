package main

import (
	"fmt"

	"tileserver/config"
	"tileserver/source"
	"tileserver/source/azure"
	"tileserver/source/google"
	"tileserver/source/mount"
	"tileserver/source/s3"
	"tileserver/source/web"
	"tileserver/source/web/transport"

	tilehttp "tileserver/http"
)

// mountRemote mounts the stores of addresses, unless they are: one for each entry of the configuration, and one
// for each scheme, with what the environment says. They ask nobody until they are asked.
func (p *program) mountRemote(c *config.Config) error {
	if p.remote != nil {
		return nil
	}
	var found config.Mistakes
	permitted, err := c.URL.Policy()
	found.Add(err)
	p.client = transport.New(transport.Config{UserAgent: "tileserver/" + builtFrom().version, Permit: permitted})
	p.notices = &notices{stderr: p.stderr}
	memory := web.NewMemory(int64(c.RemoteMemory))
	for i := range c.Remote {
		service, err := serviceOf(&c.Remote[i], p.notices)
		if err != nil {
			found.Add(c.At("remote[%d]", i).Mistake(err))
			continue
		}
		p.mount(&c.Remote[i], service, memory)
	}
	for _, scheme := range config.RemoteSchemes() {
		plain := config.Remote{Prefix: scheme + "://"}
		service, err := serviceOf(&plain, p.notices)
		if err != nil {
			service = unusable{err}
		}
		p.mount(&plain, service, memory)
	}
	return found.Err()
}

// mount mounts the store of what a service has. Requests that name an address see the same store, unless their
// address says which web server is asked: nobody has named that.
func (p *program) mount(r *config.Remote, service web.Service, memory *web.Memory) {
	of := web.Config{Service: service, Client: p.client, IsTrusted: true, HasSideFiles: r.SideFiles, Recheck: r.RecheckTime(), Memory: memory}
	own := mount.Mount{Prefix: r.Prefix, Store: web.NewStore(of)}
	p.remote = append(p.remote, own)
	if isAnyServer := r.Prefix == r.Scheme()+"://" && source.IsWeb(r.Prefix); isAnyServer {
		of.IsTrusted = false
		own.Store = web.NewStore(of)
	}
	p.visited = append(p.visited, own)
}

// originStats returns what was asked of remote servers, for the metrics.
func (p *program) originStats() (all []tilehttp.OriginStats) {
	if p.client == nil {
		return nil
	}
	for _, s := range p.client.Stats() {
		all = append(all, tilehttp.OriginStats(s))
	}
	return all
}

// serviceOf returns the service of an entry, of which the environment says what the entry leaves out.
func serviceOf(r *config.Remote, told *notices) (web.Service, error) {
	switch r.Scheme() {
	case config.SchemeS3:
		return s3.New(s3.FromEnvironment(s3.Config{
			Endpoint: r.Endpoint, Region: r.Region, Profile: r.Profile, RoleARN: r.Role, ExternalID: r.ExternalID,
			Style: styleOf(r.PathStyle), Anonymous: r.Anonymous, RequesterPays: r.RequesterPays, Clock: told.clockOf(r.Prefix),
		}))
	case config.SchemeGoogle:
		return google.New(google.FromEnvironment(google.Config{Endpoint: r.Endpoint, Anonymous: r.Anonymous, UserProject: r.Project}))
	case config.SchemeAzure:
		return azure.New(azure.FromEnvironment(azure.Config{Account: r.Account, Endpoint: r.Endpoint, Anonymous: r.Anonymous, Clock: told.clockOf(r.Prefix)}))
	case config.SchemeHTTP, config.SchemeHTTPS:
		own, err := readHeaders(r, told)
		if err != nil {
			return nil, fmt.Errorf("headers: %w", err)
		}
		return web.Plain{Proof: own}, nil
	}
	return nil, fmt.Errorf("prefix: %s:// is not supported", r.Scheme())
}

// styleOf returns how the buckets of S3 become a part of URLs.
func styleOf(pathStyle *bool) s3.Style {
	switch {
	case pathStyle == nil:
		return s3.Automatic
	case *pathStyle:
		return s3.PathStyle
	}
	return s3.VirtualHosts
}
