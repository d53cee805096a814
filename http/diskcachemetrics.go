package http

import "github.com/prometheus/client_golang/prometheus"

// DiskCacheStats describes what is kept on disk of remote files, in blocks.
type DiskCacheStats struct {
	Bytes, Blocks                  int64 // now
	Hits, Misses                   int64 // that were on the disk, and that servers were asked for
	Written, Lost, Evicted, Broken int64 // lost are those that could not be written, broken those that were damaged
}

func collectDiskCache(to chan<- prometheus.Metric, s DiskCacheStats) {
	metric := func(kind prometheus.ValueType, name, help string, value int64) {
		to <- prometheus.MustNewConstMetric(described("disk_cache_"+name, help), kind, float64(value))
	}
	metric(prometheus.GaugeValue, "bytes", "Bytes of remote files on the disk.", s.Bytes)
	metric(prometheus.GaugeValue, "blocks", "Blocks of remote files on the disk.", s.Blocks)
	metric(prometheus.CounterValue, "hits_total", "Blocks that were read from the disk.", s.Hits)
	metric(prometheus.CounterValue, "misses_total", "Blocks that remote servers were asked for.", s.Misses)
	metric(prometheus.CounterValue, "written_total", "Blocks that were written to the disk.", s.Written)
	metric(prometheus.CounterValue, "lost_total", "Blocks that were not written, because the disk failed or was too slow.", s.Lost)
	metric(prometheus.CounterValue, "evictions_total", "Blocks that made room for others.", s.Evicted)
	metric(prometheus.CounterValue, "damaged_total", "Blocks that were damaged on the disk.", s.Broken)
}
