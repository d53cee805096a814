package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// MaxValueBytes is the maximum size of a value.
const MaxValueBytes = 16 << 20

// errDamaged is the error for a file that is not what was written for a key.
var errDamaged = errors.New("the file is damaged")

// read returns the value in a file. It lies in the memory of a buffer, whose content is lost.
func read(system system, path, key string, content *bytes.Buffer) ([]byte, error) {
	f, err := system.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > int64(MaxValueBytes+len(key)+overheadBytes) {
		return nil, errDamaged
	}
	content.Reset()
	content.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := content.ReadFrom(f); err != nil {
		return nil, err
	}
	value, ok := decode(key, content.Bytes())
	if !ok {
		return nil, errDamaged
	}
	return value, nil
}

// write creates a file that is complete as soon as it exists, even after a power failure. One that may be lost
// may be damaged after that.
func write(system system, path string, content []byte, mayLose bool) (err error) {
	f, err := system.Create(filepath.Dir(path), unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, system.Remove(f.Name()))
		}
	}()
	_, err = f.Write(content)
	if !mayLose {
		err = errors.Join(err, f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return system.Rename(f.Name(), path)
}

// nameOf returns the name of the file of a key.
func nameOf(key string) string { return hashOf(key) + extension }

// hashOf returns the hash of a key in names of files and folders.
func hashOf(key string) string {
	name := sha256.Sum256([]byte(key))
	return hex.EncodeToString(name[:16])
}

const extension = ".kept"

// overheadBytes is the size of a file beyond key and value. A file holds a digest of the rest, the
// key, a zero byte, and the value.
const overheadBytes = sha256.Size + 1

func encode(key string, value []byte) []byte {
	content := make([]byte, sha256.Size, overheadBytes+len(key)+len(value))
	content = append(append(append(content, key...), 0), value...)
	digest := sha256.Sum256(content[sha256.Size:])
	copy(content, digest[:])
	return content
}

// decode returns the value in a file, if the file is undamaged and belongs to the key.
func decode(key string, content []byte) ([]byte, bool) {
	if len(content) < overheadBytes+len(key) {
		return nil, false
	}
	digest := sha256.Sum256(content[sha256.Size:])
	if !bytes.Equal(digest[:], content[:sha256.Size]) {
		return nil, false
	}
	named, ok := bytes.CutPrefix(content[sha256.Size:], []byte(key))
	if !ok || named[0] != 0 {
		return nil, false
	}
	return named[1:], true
}

// unfinished is the name pattern of files that are being written.
const unfinished = ".unfinished-*"

// abandonedAfter is the age at which an unfinished file must belong to a process that died.
const abandonedAfter = time.Hour

// isUnfinished reports whether a file has the name of one that is being written.
func isUnfinished(name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(unfinished, "*"))
}

// isValue reports whether a file has the name of a value.
func isValue(name string) bool { return filepath.Ext(name) == extension }

// isGroup reports whether a folder has the name of a group. Others are foreign and stay untouched.
func isGroup(name string) bool {
	bytes, err := hex.DecodeString(name)
	return err == nil && hex.EncodeToString(bytes) == name && len(name) == len(hashOf(""))
}

// timeOf returns when a file was written. A file from the future was written before the clock was set
// back, long ago.
func timeOf(info fs.FileInfo, now time.Time) time.Time {
	if written := info.ModTime(); written.Before(now.Add(abandonedAfter)) {
		return written
	}
	return time.Time{}
}

// isGone reports whether err means that another process has removed the file.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func ignoreGone(err error) error {
	if isGone(err) {
		return nil
	}
	return err
}
