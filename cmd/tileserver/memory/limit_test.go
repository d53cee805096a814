package memory

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestTheLowestLimitCounts(t *testing.T) {
	const none = math.MaxInt64
	for name, test := range map[string]struct {
		files   map[string]string
		goLimit int64
		want    Limit
	}{
		"no control groups": {nil, none, Limit{}},
		"GOMEMLIMIT alone":  {nil, 3 << 30, Limit{3 << 30, "GOMEMLIMIT"}},
		"version 2 in a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, none, Limit{512 << 20, "/sys/fs/cgroup/memory.max"}},
		"version 2 without a limit": {map[string]string{
			"proc/self/cgroup": "0::/system.slice/t.service\n", "sys/fs/cgroup/system.slice/t.service/memory.max": "max\n",
		}, none, Limit{}},
		"a parent of version 2": {map[string]string{
			"proc/self/cgroup": "0::/a/b/c\n", "sys/fs/cgroup/a/b/c/memory.max": "900000000\n",
			"sys/fs/cgroup/a/b/memory.max": "800000000\n", "sys/fs/cgroup/a/memory.max": "max\n",
		}, none, Limit{800000000, "/sys/fs/cgroup/a/b/memory.max"}},
		"where the kernel slows down": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "900000000\n", "sys/fs/cgroup/a/memory.high": "700000000\n",
		}, none, Limit{700000000, "/sys/fs/cgroup/a/memory.high"}},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu,cpuacct:/b\n4:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "300000000\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, none, Limit{300000000, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes"}},
		"version 1 in a container that shows the group of the host": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/0123\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "400000000\n",
		}, none, Limit{400000000, "/sys/fs/cgroup/memory/memory.limit_in_bytes"}},
		"GOMEMLIMIT below the container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, 100 << 20, Limit{100 << 20, "GOMEMLIMIT"}},
		"nonsense": {map[string]string{
			"proc/self/cgroup": "0:/\n\n:::::\n0::/../../etc\n0::", "sys/fs/cgroup/etc/memory.max": "-5\n", "sys/fs/cgroup/memory.max": "12GB\n",
		}, none, Limit{}},
	} {
		root := make(fstest.MapFS)
		for path, text := range test.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := FindLimit(root, test.goLimit); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
