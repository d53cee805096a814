package memory

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Limit is the most memory that the process may take. The zero Limit is none.
type Limit struct {
	Bytes  int64
	Source string // what sets it, for people
}

// cgroupRoot is where control groups are mounted, in the file system of FindLimit.
const cgroupRoot = "sys/fs/cgroup"

// FindLimit returns the lowest of the limits that a container or a service manager sets by control
// groups of version 1 or 2, and of goLimit, which is GOMEMLIMIT; math.MaxInt64 is none. The root
// directory of the system is root. Where it has no control groups, as on systems other than Linux,
// only goLimit counts.
func FindLimit(root fs.FS, goLimit int64) Limit {
	lowest := Limit{goLimit, "GOMEMLIMIT"}
	for _, file := range limitFiles(root) {
		if bytes, ok := readLimit(root, file); ok && bytes < lowest.Bytes {
			lowest = Limit{bytes, "/" + file}
		}
	}
	if lowest.Bytes == math.MaxInt64 {
		return Limit{}
	}
	return lowest
}

// limitFiles returns the names of the files that may limit this process: those of its control group
// and of all groups above. In a container, the group may have another name than its folder, of
// which only the root is then found.
func limitFiles(root fs.FS) (files []string) {
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // hierarchy, controllers, path
		if len(fields) < 3 {
			continue
		}
		switch controllers := fields[1]; {
		case controllers == "":
			files = append(files, upwards(cgroupRoot, fields[2], "memory.max")...)
			files = append(files, upwards(cgroupRoot, fields[2], "memory.high")...)
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			files = append(files, upwards(cgroupRoot+"/memory", fields[2], "memory.limit_in_bytes")...)
		}
	}
	return files
}

// upwards returns the names of a file in a group below mount and in each group above.
func upwards(mount, group, name string) (files []string) {
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		files = append(files, path.Join(mount, at, name))
		if at == "/" {
			return files
		}
	}
}

// maxLimit is more than any machine has: version 1 writes "no limit" as such a number.
const maxLimit = 1 << 60

// readLimit reads a limit. It returns false if the file does not exist or sets none.
func readLimit(root fs.FS, file string) (bytes int64, ok bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	bytes, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is no number
	return bytes, err == nil && bytes > 0 && bytes < maxLimit
}
