package config

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"tileserver/source"
)

// The limits of block sides. Smaller blocks cost more overhead than they hold pixels; a few larger
// ones fill the cache.
const (
	minBlock = 64
	maxBlock = 8192
)

// minCache rejects sizes too small to be useful, such as 4 in place of 4GiB.
const minCache Size = 1 << 20

// maxHeight is the maximum height of the ground in meters. It is higher than any mountain.
const maxHeight = 10_000

// The bounds of requests a second, and at once.
const (
	minClientRate = 0.001
	maxClientRate = 1_000_000
)

// minRescan keeps the server from scanning folders all the time.
const minRescan = 100 * time.Millisecond

// validation collects the mistakes in a configuration.
type validation struct {
	document *document
	Mistakes
}

func (v *validation) require(holds bool, path, format string, arguments ...any) {
	if !holds {
		v.Add(v.document.mistake(path, format, arguments...))
	}
}

func (v *validation) requireOneOf(path, value string, known ...string) {
	v.require(slices.Contains(known, value), path, "must be %s, not %q", strings.Join(known, " or "), value)
}

// areDifferent reports whether no number is negative, or the same as another.
func areDifferent(numbers Numbers) bool {
	sorted := slices.Sorted(slices.Values(numbers))
	return len(sorted) == 0 || sorted[0] >= 0 && len(slices.Compact(sorted)) == len(numbers)
}

// Validate returns an error for values that the server cannot work with.
func (c *Config) Validate() error {
	v := validation{document: &c.document}
	v.listen("listen", c.Listen)
	if c.AdminListen != "" {
		v.listen("admin_listen", c.AdminListen)
	}
	for i, name := range c.AdminHosts {
		v.require(name != "" && !strings.ContainsAny(name, ":/* "), fmt.Sprintf("admin_hosts[%d]", i), "must be a host name without a port, such as admin.example.org, not %q", name)
	}
	v.require(c.Workers >= 1, "workers", "must be at least 1, not %d", c.Workers)
	v.require(c.Queue >= 0, "queue", "must not be negative, as %d is", c.Queue)
	v.require(c.Cache == 0 || c.Cache >= minCache, "cache", "must be 0 for none, or at least %v, not %v; a number without a unit is bytes", minCache, c.Cache)
	v.require(c.InFlight >= 1<<20, "in_flight", "must be at least 1MiB, not %v", c.InFlight)
	v.require(c.Rendering >= 16<<20, "rendering", "must be at least 16MiB, not %v", c.Rendering)
	v.require(c.Sending >= 16<<20, "sending", "must be at least 16MiB, not %v", c.Sending)
	v.require(c.RemoteMemory >= 16<<20, "remote_memory", "must be at least 16MiB, not %v", c.RemoteMemory)
	v.require(c.SavedOverviews >= 0, "saved_overviews", "must not be negative, as %v is", c.SavedOverviews)
	v.require(c.SendAllowance >= 0, "send_allowance", "must not be negative, as %v is", c.SendAllowance)
	v.require(c.MaxPixels >= 512*512, "max_pixels", "must be at least %d, not %d", 512*512, c.MaxPixels)
	v.require(c.StorageTimeout > 0, "storage_timeout", "must be more than 0, not %v", c.StorageTimeout)
	v.require(c.RequestTimeout > 0, "request_timeout", "must be more than 0, not %v", c.RequestTimeout)
	v.require(c.MaxRequests >= 1, "max_requests", "must be at least 1, not %d", c.MaxRequests)
	v.require(c.ClientRate == 0 || c.ClientRate >= minClientRate && c.ClientRate <= maxClientRate, "client_rate", "must be 0 for any, or from %v to %v, not %v", minClientRate, float64(maxClientRate), c.ClientRate)
	v.require(c.ClientBurst >= 1 && c.ClientBurst <= maxClientRate, "client_burst", "must be from 1 to %d, not %d", maxClientRate, c.ClientBurst)
	v.require(!strings.ContainsAny(c.ClientHeader, " :"), "client_header", "must be the name of a header, such as X-User, not %q", c.ClientHeader)
	v.require(c.MaxConnections >= 1, "max_connections", "must be at least 1, not %d", c.MaxConnections)
	v.require(c.Watchdog >= 0, "watchdog", "must not be negative, as %v is", c.Watchdog)
	v.require(c.DrainDelay >= 0, "drain_delay", "must not be negative, as %v is", c.DrainDelay)
	v.require(c.ShutdownTimeout > 0, "shutdown_timeout", "must be more than 0, not %v", c.ShutdownTimeout)
	v.require(c.CacheControl != "", "cache_control", `must not be empty; to have pictures asked for each time, say "no-cache"`)
	v.require(c.Rescan == 0 || time.Duration(c.Rescan) >= minRescan, "rescan", "must be 0 for never, or at least %v, not %v", minRescan, c.Rescan)
	v.require(c.OpenFiles >= 1, "open_files", "must be at least 1, not %d", c.OpenFiles)
	v.require(c.OpenRemoteFiles >= 1, "open_remote_files", "must be at least 1, not %d", c.OpenRemoteFiles)
	v.require(c.KeptOpen >= 1, "kept_open", "must be at least 1, not %d", c.KeptOpen)
	v.require(c.SlowRequest >= 0, "slow_request", "must not be negative, as %v is", c.SlowRequest)
	v.requireOneOf("gpu", c.GPU, GPUAuto, GPUOff, GPUStrict)
	v.require(areDifferent(c.GPUDevice), "gpu_device", "must be different numbers from 0 on, not %q", c.GPUDevice.String())
	v.require(c.GPUMemory >= 16<<20, "gpu_memory", "must be at least 16MiB, not %v", c.GPUMemory)
	v.requireOneOf("symlinks", c.Symlinks, SymlinksFollow, SymlinksInside, SymlinksNone)
	v.requireOneOf("caching", c.Caching, CachingRevalidated, CachingVersioned)
	v.requireOneOf("log_level", c.LogLevel, "debug", "info", "warn", "error")
	v.requireOneOf("log_format", c.LogFormat, LogText, LogJSON)
	v.requireOneOf("access_log", c.AccessLog, AccessOff, AccessProblems, AccessAll)
	if _, _, err := c.PublicAddress(); err != nil {
		v.Add(err)
	}
	_, err := c.TrustedProxies.Prefixes(nil)
	v.require(err == nil, "trusted_proxies", "%v", err)
	v.emptyAnswer("empty", c.Empty)
	err = source.CheckLocal(c.State)
	v.require(err == nil, "state", "%v", err)
	err = source.CheckLocal(c.Grids)
	v.require(err == nil, "grids", "%v", err)
	v.diskCache("disk_cache", c.DiskCache)
	v.remotes(c.Remote)
	v.url("url", &c.URL)
	v.allow("allow", &c.Allow)
	for i := range c.Paths {
		path := fmt.Sprintf("paths[%d]", i)
		v.require(c.Paths[i].Path != "", path, `has no "path"`)
		v.allow(path+".allow", &c.Paths[i].Allow)
	}
	for i := range c.Layers {
		v.layer(fmt.Sprintf("layers[%d]", i), &c.Layers[i])
	}
	return v.Err()
}

func (v *validation) listen(path, address string) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	v.require(err == nil, path, "must be HOST:PORT, such as 127.0.0.1:8080, not %q", address)
}

func (v *validation) layer(path string, l *Layer) {
	v.require(l.Path != "", path, `has no "path"`)
	v.require(l.StatisticsPixels >= 0, path+".statistics_pixels", "must not be negative, as %d is", l.StatisticsPixels)
	v.require(l.QualityLayers >= 0, path+".quality_layers", "must be 0 for all of them, or more, not %d", l.QualityLayers)
	v.require(l.Block == 0 || l.Block >= minBlock && l.Block <= maxBlock, path+".block", "must be from %d to %d, not %d", minBlock, maxBlock, l.Block)
	if l.Placement != "" {
		v.requireOneOf(path+".placement", l.Placement, PlacementGeoreference, PlacementRPC)
	}
	v.require(l.Height == nil || math.Abs(*l.Height) <= maxHeight, path+".height", "must be meters above the ellipsoid, from -%d to %d", maxHeight, maxHeight)
	v.emptyAnswer(path+".empty", l.Empty)
	v.allow(path+".allow", &l.Allow)
}

// emptyAnswer accepts what requests accept, in package http/request.
func (v *validation) emptyAnswer(path, word string) {
	isKnown := slices.Contains([]string{"", "blank", "204", "404"}, word)
	v.require(isKnown, path, "unknown answer %q for empty tiles; use blank, 204 or 404", word)
}
