package main

import (
	"log/slog"
	"path/filepath"

	"tileserver/cache/disk"
	"tileserver/config"

	tilehttp "tileserver/http"
)

// state is the state folder: data that outlives the process. Without it, the server works too, and so it
// does while the disk of the folder hangs.
type state struct {
	folder    string
	storage   *disk.Storage
	values    *disk.Store  // statistics and indexes; nil stores none
	overviews *disk.Groups // nil stores none
}

// maxStateBytes bounds the files of the state folder itself. Its subfolders have bounds of their own.
const maxStateBytes = 256 << 20

// openState opens the folder, if there is to be one.
func openState(c *config.Config, logger *slog.Logger) state {
	s := state{folder: c.State, storage: disk.NewStorage(disk.StorageConfig{
		OnAway: func(err error) {
			logger.Warn("state folder does not answer, nothing is stored or found there until it does", "path", c.State, "err", err)
		},
		OnReturn: func() { logger.Info("state folder answers again", "path", c.State) },
	})}
	if c.State == "" {
		return s
	}
	var err error
	if s.values, err = disk.Open(disk.Config{Folder: c.State, MaxBytes: maxStateBytes, Storage: s.storage}); err != nil {
		s.values = nil
		logger.Warn("state folder cannot be used, statistics will be computed again after a restart", "path", c.State, "err", err)
	}
	if c.SavedOverviews > 0 {
		s.overviews = s.openOverviews(int64(c.SavedOverviews), logger)
	}
	return s
}

// openOverviews opens the folder for overviews.
func (s *state) openOverviews(maxBytes int64, logger *slog.Logger) *disk.Groups {
	folder := filepath.Join(s.folder, "overviews")
	saved, err := disk.OpenGroups(disk.GroupsConfig{
		Folder: folder, MaxBytes: maxBytes, Storage: s.storage,
		OnDamage: func(path string, err error) {
			logger.Warn("saved overview cannot be used, it will be built again", "path", path, "err", err)
		},
		OnFailure: func(err error) { logger.Warn("overviews cannot be saved", "err", err) },
	})
	if err != nil {
		logger.Warn("state folder cannot be used, overviews will be built again after a restart", "path", folder, "err", err)
		return nil
	}
	return saved
}

// stats returns what is known of the folder's storage, for the metrics.
func (s *state) stats() tilehttp.StorageStats {
	known := s.storage.Stats()
	return tilehttp.StorageStats{Name: s.folder, IsAway: known.IsAway, Failures: known.Timeouts, Refused: known.Refused, Hanging: known.Hanging}
}

// problems returns a line if the folder does not answer.
func (s *state) problems() []string {
	if !s.storage.Stats().IsAway {
		return nil
	}
	return []string{"state folder " + s.folder + " does not answer"}
}
