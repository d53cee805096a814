package cog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// file is a temporary file, as os.File is one.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Name() string
}

// A spool keeps the records of a level in a file, in the order in which they come, until all levels
// before it in the COG are complete.
type spool struct {
	mu     sync.Mutex
	file   file // nil after it was removed
	bytes  int64
	blocks []stored
}

// begin claims a block for its writer.
func (s *spool) begin(block int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocks[block].state != missing {
		return errors.New("it was written before")
	}
	s.blocks[block].state = begun
	return nil
}

// write stores the record of a block that was begun.
func (s *spool) write(block int, record []byte, b stored) error {
	s.mu.Lock()
	b.at, b.state = s.bytes, begun
	s.bytes += int64(len(record))
	file := s.file
	s.mu.Unlock()
	if file == nil {
		return ErrEnded
	}
	if _, err := file.WriteAt(record, b.at); err != nil {
		return err
	}
	b.state = written
	s.set(block, b)
	return nil
}

func (s *spool) set(block int, b stored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocks[block] = b
}

// check returns an error unless every block was written or left out.
func (s *spool) check(columns int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range s.blocks {
		if b.state != written && b.state != leftOut {
			return fmt.Errorf("block %d,%d was not written", i%columns, i/columns)
		}
	}
	return nil
}

// remove closes and removes the file, once.
func (s *spool) remove() error {
	s.mu.Lock()
	file := s.file
	s.file = nil
	s.mu.Unlock()
	if file == nil {
		return nil
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
