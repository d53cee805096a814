package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"tileserver/source"
)

// A Remote is an entry of remote: how what lies below a prefix is reached.
type Remote struct {
	Prefix string `yaml:"prefix"` // a scheme, a bucket, a host, or a folder there

	Endpoint      string `yaml:"endpoint"` // URL of a server with the interface of the service
	Region        string `yaml:"region"`
	PathStyle     *bool  `yaml:"path_style"` // whether buckets are in paths, and not in names of hosts; nil as the endpoint suggests
	Anonymous     bool   `yaml:"anonymous"`
	RequesterPays bool   `yaml:"requester_pays"`
	Profile       string `yaml:"profile"`     // of the files of AWS
	Role          string `yaml:"role"`        // to assume
	ExternalID    string `yaml:"external_id"` // that the role demands
	Account       string `yaml:"account"`     // of Azure
	Project       string `yaml:"project"`     // of Google, that pays

	Headers   Headers  `yaml:"headers"`
	SideFiles bool     `yaml:"side_files"` // look for them where no list tells of them
	Recheck   Duration `yaml:"recheck"`    // 0 is DefaultRecheck
}

// ReadsRemote reports whether the server may read remote files.
func (c *Config) ReadsRemote() bool {
	isRemotePath := func(p Path) bool { return source.IsRemote(p.Path) }
	isRemoteLayer := func(l Layer) bool { return source.IsRemote(l.Path) }
	return len(c.URL.Allow) > 0 || slices.ContainsFunc(c.Paths, isRemotePath) || slices.ContainsFunc(c.Layers, isRemoteLayer)
}

// DefaultRecheck is how often an object is looked for again, if nothing else is said.
const DefaultRecheck = time.Minute

// minRecheck keeps the server from asking for an object all the time.
const minRecheck = time.Second

// The schemes of addresses.
const (
	SchemeS3     = "s3"
	SchemeGoogle = "gs"
	SchemeAzure  = "az"
	SchemeHTTPS  = "https"
	SchemeHTTP   = "http"
)

// RemoteSchemes returns all schemes.
func RemoteSchemes() []string {
	return []string{SchemeAzure, SchemeGoogle, SchemeHTTP, SchemeHTTPS, SchemeS3}
}

// Scheme returns the scheme of the prefix.
func (r *Remote) Scheme() string {
	scheme, _, _ := strings.Cut(r.Prefix, "://")
	return strings.ToLower(scheme)
}

// keysOfSchemes are the keys that only some schemes have.
var keysOfSchemes = []struct {
	schemes []string
	keys    []string
}{
	{[]string{SchemeS3}, []string{"region", "path_style", "profile", "role", "external_id", "requester_pays"}},
	{[]string{SchemeGoogle}, []string{"project"}},
	{[]string{SchemeS3, SchemeGoogle, SchemeAzure}, []string{"endpoint", "anonymous"}},
	{[]string{SchemeAzure}, []string{"account"}},
	{[]string{SchemeHTTPS, SchemeHTTP}, []string{"headers"}},
}

func (v *validation) remotes(all []Remote) {
	seen := make(map[string]bool)
	for i := range all {
		path := fmt.Sprintf("remote[%d]", i)
		v.remote(path, &all[i])
		prefix := strings.TrimRight(all[i].Prefix, "/")
		v.require(!seen[prefix], path+".prefix", "another entry has the prefix %s", source.Redacted(prefix))
		seen[prefix] = true
	}
}

func (v *validation) remote(path string, r *Remote) {
	if r.Prefix == "" {
		v.require(false, path, `has no "prefix"`)
		return
	}
	told := source.Redacted(r.Prefix)
	v.require(told == r.Prefix, path+".prefix", "must have no user, password or query, as %s has", told)
	if !source.IsRemote(r.Prefix) || !slices.Contains(RemoteSchemes(), r.Scheme()) {
		v.require(false, path+".prefix", "must begin with %s://, not be %s", strings.Join(RemoteSchemes(), "://, "), told)
		return
	}
	v.keysOfScheme(path, r.Scheme())
	v.endpoint(path+".endpoint", r.Endpoint)
	v.require(r.Recheck == 0 || time.Duration(r.Recheck) >= minRecheck, path+".recheck", "must be at least %v, not %v", minRecheck, r.Recheck)
	v.require(r.Role != "" || r.ExternalID == "", path+".external_id", `is of no use without "role"`)
	isKnown := r.Profile != "" || r.Role != "" || r.RequesterPays || r.Project != ""
	v.require(!r.Anonymous || !isKnown, path+".anonymous", "excludes profile, role, requester_pays and project, which say who asks")
	for _, header := range r.Headers {
		err := header.check()
		v.require(err == nil, path+".headers", "%v", err)
	}
}

// keysOfScheme requires that each key that is written has an effect.
func (v *validation) keysOfScheme(path, scheme string) {
	for _, own := range keysOfSchemes {
		for _, key := range own.keys {
			isUseless := v.document.has(path+"."+key) && !slices.Contains(own.schemes, scheme)
			v.require(!isUseless, path+"."+key, "has no effect on %s://, but on %s://", scheme, strings.Join(own.schemes, ":// and "))
		}
	}
}

func (v *validation) endpoint(path, text string) {
	if text == "" {
		return
	}
	u, err := url.Parse(text)
	isPlain := err == nil && u.Host != "" && source.IsWeb(text) && source.Redacted(text) == text
	v.require(isPlain, path, "must be an address such as https://minio.example.org:9000, without user, password and query")
}

// RecheckTime returns how long an object counts as current.
func (r *Remote) RecheckTime() time.Duration {
	if r.Recheck == 0 {
		return DefaultRecheck
	}
	return time.Duration(r.Recheck)
}
