package http

// DiskCacheStats describes what is kept on disk of remote files, in blocks.
type DiskCacheStats struct {
	Bytes, Blocks                  int64 // now
	Hits, Misses                   int64 // that were on the disk, and that servers were asked for
	Written, Lost, Evicted, Broken int64 // lost are those that could not be written, broken those that were damaged
}

// told is a number for the metrics.
type told struct {
	name, help string
	value      int64
}

// now returns what the numbers of the moment are called.
func (s *DiskCacheStats) now() []told {
	return []told{
		{"disk_cache_bytes", "Bytes of remote files on the disk.", s.Bytes},
		{"disk_cache_blocks", "Blocks of remote files on the disk.", s.Blocks},
	}
}

// sinceStart returns what the numbers since the start are called.
func (s *DiskCacheStats) sinceStart() []told {
	return []told{
		{"disk_cache_hits_total", "Blocks that were read from the disk.", s.Hits},
		{"disk_cache_misses_total", "Blocks that remote servers were asked for.", s.Misses},
		{"disk_cache_written_total", "Blocks that were written to the disk.", s.Written},
		{"disk_cache_lost_total", "Blocks that were not written, because the disk failed or was too slow.", s.Lost},
		{"disk_cache_evictions_total", "Blocks that made room for others.", s.Evicted},
		{"disk_cache_damaged_total", "Blocks that were damaged on the disk.", s.Broken},
	}
}
