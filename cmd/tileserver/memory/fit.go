package memory

import (
	"fmt"
	"strings"

	"tileserver/config"
)

// besideBudgets is what a server takes besides its budgets: for the program, layers, connections,
// indexes of files, and garbage that is not collected yet.
const besideBudgets config.Size = 100 << 20

// spareDivisor is the part of a limit that the defaults leave free for the buffers of the system: an
// eighth.
const spareDivisor = 8

// Files are bytes of files that stay in memory beside the budgets.
type Files struct {
	Grids     int64 // of datum shifts
	Heights   int64 // on which images are placed
	DiskCache int64 // records of what is kept on disk
	Remote    int64 // what is kept and read of remote files
}

// Bytes returns the sum.
func (f Files) Bytes() int64 { return f.Grids + f.Heights + f.DiskCache + f.Remote }

// A budget is one of the keys that bound the memory of a server.
type budget struct {
	key       string
	size      *config.Size
	byDefault config.Size
	least     config.Size
	times     config.Size // how often the server has it
}

// budgetsOf returns the budgets of a configuration with some GPUs. The cache is the first.
func budgetsOf(c *config.Config, gpus int) []budget {
	d := config.Default()
	all := []budget{
		{"cache", &c.Cache, d.Cache, 1 << 20, 1},
		{"in_flight", &c.InFlight, d.InFlight, 16 << 20, 1},
		{"rendering", &c.Rendering, d.Rendering, 16 << 20, 1},
		{"sending", &c.Sending, d.Sending, 16 << 20, 1},
	}
	if gpus > 0 {
		all = append(all, budget{"gpu_memory", &c.GPUMemory, d.GPUMemory, 16 << 20, config.Size(gpus)})
	}
	return all
}

// Fit sets the budgets that a configuration leaves out so that all of them fit into the limit, with
// the files that stay in memory and the batches of some GPUs. It returns a mistake if they cannot.
func (l Limit) Fit(c *config.Config, files Files, gpus int) error {
	if l == (Limit{}) {
		return nil
	}
	all := budgetsOf(c, gpus)
	room := config.Size(l.Bytes) - config.Size(l.Bytes)/spareDivisor - besideBudgets - config.Size(files.Bytes())
	var free []budget
	for _, b := range all {
		if c.IsSet(b.key) {
			room -= b.times * *b.size
		} else {
			free = append(free, b)
		}
	}
	divide(room, free)
	return l.check(c, all, files)
}

// String returns the budget as a summand.
func (b *budget) String() string {
	if b.times > 1 {
		return fmt.Sprintf("%d x %s %v", b.times, b.key, *b.size)
	}
	return fmt.Sprintf("%s %v", b.key, *b.size)
}

// divide sets budgets so that they take the room together. With less room than their defaults, all
// shrink alike. With more, the cache grows, since only there memory saves work.
func divide(room config.Size, free []budget) {
	wanted := config.Size(0)
	for _, b := range free {
		wanted += b.times * b.byDefault
	}
	for _, b := range free {
		switch {
		case room < wanted:
			part := float64(b.byDefault) / float64(wanted)
			*b.size = max(wholeMiB(config.Size(float64(max(room, 0))*part)), b.least)
		case b.key == "cache":
			*b.size = wholeMiB(b.byDefault + room - wanted)
		default:
			*b.size = b.byDefault
		}
	}
}

// wholeMiB rounds a size down.
func wholeMiB(s config.Size) config.Size { return s &^ (1<<20 - 1) }

// check returns a mistake with the sum written out if budgets do not fit. It is located at the
// largest of those that are set.
func (l Limit) check(c *config.Config, all []budget, files Files) error {
	var sum []string
	total, at := besideBudgets, all[0]
	for _, b := range all {
		sum = append(sum, b.String())
		total += b.times * *b.size
		if isLarger := *b.size > *at.size; c.IsSet(b.key) && (isLarger || !c.IsSet(at.key)) {
			at = b
		}
	}
	for _, f := range []struct {
		name  string
		bytes int64
	}{{"grids", files.Grids}, {"heights for dem", files.Heights}, {"records of disk_cache", files.DiskCache}, {"remote_memory", files.Remote}} {
		if f.bytes > 0 {
			sum = append(sum, fmt.Sprintf("%s %v", f.name, config.Size(f.bytes+1<<20-1)&^(1<<20-1)))
			total += config.Size(f.bytes)
		}
	}
	if int64(total) <= l.Bytes {
		return nil
	}
	return c.At("%s", at.key).Mistakef("%s + %v for the program are %v, more than the limit of %v (%s); give less, or leave keys out that then follow from the limit",
		strings.Join(sum, " + "), besideBudgets, total, config.Size(l.Bytes), l.Source)
}
