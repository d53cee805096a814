package main

import (
	"log/slog"

	"tileserver/cache/disk"
	"tileserver/config"
	"tileserver/source/disktier"

	tilehttp "tileserver/http"
)

// openDiskCache opens the folder for what is read of remote files, if there is to be one. A server works
// without it, too.
func openDiskCache(c *config.Config, logger *slog.Logger) *disktier.Tier {
	folder := c.DiskCache.Folder
	if folder == "" {
		return nil
	}
	tier, err := disktier.Open(disktier.Config{
		Folder: folder, MaxBytes: int64(c.DiskCache.Size),
		Storage: disk.NewStorage(disk.StorageConfig{
			OnAway: func(err error) {
				logger.Warn("disk cache does not answer, remote files are read without it until it does", "path", folder, "err", err)
			},
			OnReturn: func() { logger.Info("disk cache answers again", "path", folder) },
		}),
		OnFailure: func(err error) { logger.Warn("remote files cannot be kept on disk", "path", folder, "err", err) },
	})
	if err != nil {
		logger.Warn("disk cache cannot be used, remote files are read without it", "path", folder, "err", err)
		return nil
	}
	return tier
}

// diskCacheStats returns what the metrics tell of the disk cache; nil if there is none.
func diskCacheStats(tier *disktier.Tier) func() tilehttp.DiskCacheStats {
	if tier == nil {
		return nil
	}
	return func() tilehttp.DiskCacheStats {
		s := tier.Stats()
		return tilehttp.DiskCacheStats{
			Bytes: s.Bytes, Blocks: int64(s.Blocks), Hits: s.Hits + s.Shared, Misses: s.Misses,
			Written: s.Written, Lost: s.Lost, Evicted: s.Evicted, Broken: s.Corrupt,
		}
	}
}
