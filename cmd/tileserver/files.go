package main

import (
	"log/slog"
	"slices"
	"time"

	"tileserver/admission"
	"tileserver/config"
	"tileserver/source"
	"tileserver/source/disktier"
	"tileserver/source/guard"
	"tileserver/source/local"
	"tileserver/source/mount"

	tilehttp "tileserver/http"
)

// files returns the store of all that commands read.
func (p *program) files() source.Store { return mount.New(local.Store{}, p.remote...) }

// servedFiles is the store of all that the server serves. It stays usable while a disk or a host hangs.
type servedFiles struct {
	*guard.Store
	calls *local.Calls
	links *local.Links // nil follows all links
}

// servedFiles returns a store that keeps what it reads of remote files in a tier; or nil.
func (p *program) servedFiles(timeout config.Duration, links *local.Links, logger *slog.Logger, kept *disktier.Tier) servedFiles {
	calls := local.NewCalls()
	disk := p.disk
	if disk == nil {
		disk = local.Store{Calls: calls, Links: links}
	}
	return servedFiles{guarded(mount.New(disk, keptIn(kept, p.remote)...), timeout, logger), calls, links}
}

// visitedFiles returns the store of what requests name by an address. It has no files of this machine.
func (p *program) visitedFiles(timeout config.Duration, logger *slog.Logger, kept *disktier.Tier) source.Store {
	return guarded(mount.New(nil, keptIn(kept, p.visited)...), timeout, logger)
}

// guarded returns a store that leaves a storage alone that does not answer.
func guarded(store source.Store, timeout config.Duration, logger *slog.Logger) *guard.Store {
	return guard.Wrap(store, guard.Config{Timeout: time.Duration(timeout), Logger: logger, OnWait: admission.Wait})
}

// keptIn returns mounts that keep what is read of them in a tier.
func keptIn(kept *disktier.Tier, mounts []mount.Mount) []mount.Mount {
	mounts = slices.Clone(mounts)
	for i := range mounts {
		mounts[i].Store = kept.Over(mounts[i].Store)
	}
	return mounts
}

// stats returns what is known of the storages, for the metrics.
func (f servedFiles) stats() (all []tilehttp.StorageStats) {
	for _, s := range f.Storages() {
		all = append(all, tilehttp.StorageStats{
			Name: s.Name, IsAway: s.IsAway, Failures: s.Failures, Refused: s.Refused, Hanging: f.calls.Hanging(s.Name),
		})
	}
	return all
}

// problems returns a line for each storage that does not answer.
func (f servedFiles) problems() (lines []string) {
	for _, s := range f.Storages() {
		if s.IsAway {
			lines = append(lines, "storage "+s.Name+" does not answer: "+s.Reason)
		}
	}
	return lines
}
