package local

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// mounts are the folders at which file systems are mounted, as far as the system tells. It tells
// without asking the file systems themselves, which may hang.
type mounts struct {
	read func() ([]byte, error) // the table of mounts of Linux

	mu      sync.Mutex // guards the fields below
	folders map[string]bool
	readAt  time.Time
}

// mountTable is where Linux lists the mounts of a process.
const mountTable = "/proc/self/mountinfo"

// mountsAge is how long a table is used. File systems are hardly mounted while a server runs.
const mountsAge = 10 * time.Second

// maxMountTable bounds the bytes of a table that are read.
const maxMountTable = 1 << 20

func newMounts() *mounts {
	return &mounts{read: func() ([]byte, error) { return os.ReadFile(mountTable) }}
}

// above returns the folder at which the file system of an absolute path is mounted, if no link leads
// elsewhere.
func (m *mounts) above(path string) (folder string, ok bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.folders == nil || time.Since(m.readAt) > mountsAge {
		text, _ := m.read() // without a table, no folder is known
		m.folders, m.readAt = mountFolders(text[:min(len(text), maxMountTable)]), time.Now()
	}
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if m.folders[at] {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

// mountFolders returns the mount points in a table. They are in the fifth field of each line, in
// which \040 and the like are bytes in octal.
func mountFolders(table []byte) map[string]bool {
	folders := make(map[string]bool)
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			folders[unescapeOctal(fields[4])] = true
		}
	}
	return folders
}

func unescapeOctal(text string) string {
	var plain strings.Builder
	for {
		before, after, found := strings.Cut(text, `\`)
		plain.WriteString(before)
		if !found {
			return plain.String()
		}
		code, err := strconv.ParseUint(after[:min(3, len(after))], 8, 8)
		if err != nil {
			plain.WriteString(`\` + after)
			return plain.String()
		}
		plain.WriteByte(byte(code))
		text = after[3:]
	}
}
