package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tileserver/internal/unfinished"
)

// A Job says what an export makes of what. Whatever changes a byte of the output is a fact of it.
type Job []Fact

// A Fact is something that the output depends on.
type Fact struct {
	Name  string `json:"name"` // as it is called in messages
	Value string `json:"value"`
}

// PartFolder returns the folder of an unfinished export.
func PartFolder(out string) string { return filepath.Clean(out) + ".part" }

// The names in a part folder.
const (
	lockName    = "lock"
	journalName = "job.json"    // the Job
	shardsName  = "shards"      // a file for each finished shard
	outputName  = "output"      // what is being joined
	joinedName  = "joined.json" // the Report; it exists once the output is complete
)

// A part is the part folder of an export.
type part struct {
	out, folder string
	locked      *os.File
}

// ErrExists is about an output that is there before the export begins.
var ErrExists = errors.New("exists already; remove it to make it again")

// CheckFree returns an error if an output exists, unless an export of it was interrupted when it had
// nothing left to do but to tidy up.
func CheckFree(out string) error {
	if exists(out) && !exists(filepath.Join(PartFolder(out), joinedName)) {
		return fmt.Errorf("%s %w", out, ErrExists)
	}
	return nil
}

// ErrOtherJob is about a part folder of another export.
var ErrOtherJob = errors.New("an unfinished export with other inputs or options")

// openPart opens the part folder of a job, or makes it.
func openPart(out string, job Job) (*part, error) {
	p := &part{out: filepath.Clean(out), folder: PartFolder(out)}
	if err := os.MkdirAll(p.path(shardsName), 0o755); err != nil {
		return nil, err
	}
	if err := p.lock(); err != nil {
		return nil, err
	}
	if err := p.claim(job); err != nil {
		p.unlock()
		return nil, err
	}
	return p, nil
}

func (p *part) path(names ...string) string {
	return filepath.Join(append([]string{p.folder}, names...)...)
}

// claim writes the journal, or compares the job with it. What lies there without a journal may be of any job, so
// it is removed.
func (p *part) claim(job Job) error {
	text, err := os.ReadFile(p.path(journalName))
	if errors.Is(err, fs.ErrNotExist) {
		shards := p.path(shardsName)
		if err := errors.Join(os.RemoveAll(p.path(joinedName)), os.RemoveAll(shards), os.Mkdir(shards, 0o755)); err != nil {
			return err
		}
		text, _ = json.MarshalIndent(job, "", "  ") // texts can always be written
		return writeWhole(p.path(journalName), text)
	}
	if err != nil {
		return err
	}
	var before Job
	if err := json.Unmarshal(text, &before); err != nil {
		return fmt.Errorf("%s: %w", p.path(journalName), err)
	}
	if difference := job.differenceTo(before); difference != "" {
		return fmt.Errorf("%s has %w: %s; give the same again, or remove the folder", p.folder, ErrOtherJob, difference)
	}
	return nil
}

// differenceTo returns the first difference to another job, or "".
func (j Job) differenceTo(before Job) string {
	for i := range max(len(j), len(before)) {
		switch {
		case i >= len(j):
			return fmt.Sprintf("%s was %s", before[i].Name, before[i].Value)
		case i >= len(before):
			return fmt.Sprintf("%s is %s", j[i].Name, j[i].Value)
		case j[i].Name != before[i].Name:
			return fmt.Sprintf("%s was %s", before[i].Name, before[i].Value)
		case j[i].Value != before[i].Value:
			return fmt.Sprintf("%s was %s, and is %s", j[i].Name, before[i].Value, j[i].Value)
		}
	}
	return ""
}

// isFinished reports whether the file of a shard is complete.
func (p *part) isFinished(s shard) bool { return exists(p.shardPath(s)) }

func (p *part) shardPath(s shard) string { return p.path(shardsName, s.name()) }

// remove removes the folder: last what tells that the output is complete and of which job, and the lock, so that
// the next start removes what is left.
func (p *part) remove() error {
	entries, err := os.ReadDir(p.folder)
	for _, entry := range entries {
		if !slices.Contains([]string{joinedName, journalName, lockName}, entry.Name()) {
			err = errors.Join(err, os.RemoveAll(p.path(entry.Name())))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(p.folder)
}

// Discard removes a part folder to which no job was written.
func Discard(out string) {
	if folder := PartFolder(out); !exists(filepath.Join(folder, journalName)) {
		os.RemoveAll(folder)
	}
}

// writeWhole writes a file that has its name only when it is complete.
func writeWhole(path string, data []byte) error {
	file, err := unfinished.Create(path)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Finish(path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
