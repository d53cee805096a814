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

// WorkFolder returns the folder of an unfinished export.
func WorkFolder(out string) string { return filepath.Clean(out) + ".part" }

// The names in a work folder.
const (
	lockName    = "lock"
	journalName = "job.json"    // the Job
	shardsName  = "shards"      // a file for each finished shard
	outputName  = "output"      // what is being joined
	joinedName  = "joined.json" // the Report; it exists once the output is complete
)

// A workFolder is the work folder of an export.
type workFolder struct {
	out, path string
	locked    *os.File
}

// ErrExists is about an output that is there before the export begins.
var ErrExists = errors.New("exists already; remove it to make it again")

// CheckFree returns an error if an output exists, unless an export of it was interrupted when it had
// nothing left to do but to tidy up.
func CheckFree(out string) error {
	if exists(out) && !exists(filepath.Join(WorkFolder(out), joinedName)) {
		return fmt.Errorf("%s %w", out, ErrExists)
	}
	return nil
}

// ErrOtherJob is about a work folder of another export.
var ErrOtherJob = errors.New("an unfinished export with other inputs or options")

// openWorkFolder opens the work folder of a job, or makes it.
func openWorkFolder(out string, job Job) (*workFolder, error) {
	f := &workFolder{out: filepath.Clean(out), path: WorkFolder(out)}
	if err := os.MkdirAll(f.in(shardsName), 0o755); err != nil {
		return nil, err
	}
	if err := f.lock(); err != nil {
		return nil, err
	}
	if err := f.claim(job); err != nil {
		f.unlock()
		return nil, err
	}
	return f, nil
}

func (f *workFolder) in(names ...string) string {
	return filepath.Join(append([]string{f.path}, names...)...)
}

// claim writes the journal, or compares the job with it. What lies there without a journal may be of any job, so
// it is removed.
func (f *workFolder) claim(job Job) error {
	text, err := os.ReadFile(f.in(journalName))
	if errors.Is(err, fs.ErrNotExist) {
		shards := f.in(shardsName)
		if err := errors.Join(os.RemoveAll(f.in(joinedName)), os.RemoveAll(shards), os.Mkdir(shards, 0o755)); err != nil {
			return err
		}
		text, _ = json.MarshalIndent(job, "", "  ") // texts can always be written
		return writeWhole(f.in(journalName), text)
	}
	if err != nil {
		return err
	}
	var before Job
	if err := json.Unmarshal(text, &before); err != nil {
		return fmt.Errorf("%s: %w", f.in(journalName), err)
	}
	if difference := job.differenceTo(before); difference != "" {
		return fmt.Errorf("%s has %w: %s; give the same again, or remove the folder", f.path, ErrOtherJob, difference)
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
func (f *workFolder) isFinished(s shard) bool { return exists(f.shardPath(s)) }

func (f *workFolder) shardPath(s shard) string { return f.in(shardsName, s.name()) }

// remove removes the folder: last what tells that the output is complete and of which job, and the lock, so that
// the next start removes what is left.
func (f *workFolder) remove() error {
	entries, err := os.ReadDir(f.path)
	for _, entry := range entries {
		if !slices.Contains([]string{joinedName, journalName, lockName}, entry.Name()) {
			err = errors.Join(err, os.RemoveAll(f.in(entry.Name())))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(f.path)
}

// Discard removes a work folder to which no job was written.
func Discard(out string) {
	if folder := WorkFolder(out); !exists(filepath.Join(folder, journalName)) {
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
