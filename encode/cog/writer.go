package cog

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"

	"tileserver/encode/blocks"
	"tileserver/internal/filelock"
	"tileserver/raster"
)

// ErrEnded is the error of a Put after Finish or Abort.
var ErrEnded = errors.New("the writing of the COG has ended")

// A Writer writes one COG. Put is safe for concurrent use. Either Finish or Abort ends the writing, and
// removes all temporary files.
type Writer struct {
	path    string
	image   *Image
	encoder *blocks.Encoder
	masks   *blocks.MaskEncoder // nil if there are none
	fill    []byte              // the nodata sample, or nil
	create  createFile
	levels  []*spool
	records sync.Pool // of *[]byte
}

// createFile creates a file that does not exist.
type createFile func(path string) (file, error)

// createNew creates a file that is locked while it is open, so that it is no leftover. It gives other users the
// rights that they have to any new file, unlike os.CreateTemp.
func createNew(path string) (file, error) {
	created, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(created); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, errors.Join(err, created.Close(), os.Remove(path))
	}
	return created, nil
}

// Create begins a COG. Until Finish, blocks lie in temporary files beside it, which need as much room as
// the COG.
func Create(path string, image *Image) (*Writer, error) {
	return create(path, image, createNew)
}

func create(path string, image *Image, createFile createFile) (*Writer, error) {
	if err := image.validate(); err != nil {
		return nil, err
	}
	w := &Writer{path: path, image: image, create: createFile, fill: image.noDataSample()}
	shape := image.shape()
	var err error
	if w.encoder, err = blocks.NewEncoder(shape, image.Coding); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrImage, err)
	}
	if image.Info.Masked {
		if w.masks, err = blocks.NewMaskEncoder(shape.Width, shape.Height); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrImage, err)
		}
	}
	for _, level := range image.Info.Levels {
		file, err := w.temporary()
		if err != nil {
			return nil, errors.Join(err, w.Abort())
		}
		w.levels = append(w.levels, &spool{file: file, blocks: make([]stored, level.Columns()*level.Rows())})
	}
	return w, nil
}

// temporary creates a file beside the COG.
func (w *Writer) temporary() (file, error) {
	return w.create(w.path + unfinishedMark + rand.Text()[:8])
}

// Abort ends the writing without a COG.
func (w *Writer) Abort() error {
	var errs []error
	for _, level := range w.levels {
		errs = append(errs, level.remove())
	}
	return errors.Join(errs...)
}

// Put encodes and keeps a block of a level. The tile has the pixels of the block, without those beyond
// the edge of the image. Each block is put once.
func (w *Writer) Put(level int, id raster.BlockID, tile raster.Tile) error {
	if err := w.image.Info.CheckRequest(level, []raster.BlockID{id}, nil); err != nil {
		return err
	}
	if err := w.put(level, id, tile); err != nil {
		return fmt.Errorf("level %d: block %d,%d: %w", level, id.Col, id.Row, err)
	}
	return nil
}

func (w *Writer) put(level int, id raster.BlockID, tile raster.Tile) error {
	l, s := &w.image.Info.Levels[level], w.levels[level]
	if err := w.checkTile(l.Block(id), tile); err != nil {
		return err
	}
	block := id.Row*l.Columns() + id.Col
	if err := s.begin(block); err != nil {
		return err
	}
	if w.image.Sparse && w.image.saysWhatIsValid() && !tile.AnyValid() {
		s.set(block, stored{state: leftOut})
		return nil
	}
	memory, _ := w.records.Get().(*[]byte)
	if memory == nil {
		memory = new([]byte)
	}
	defer w.records.Put(memory)
	record, b, err := w.encode((*memory)[:0], tile)
	if err != nil {
		return err
	}
	*memory = record
	return s.write(block, record, b)
}

func (w *Writer) checkTile(rect raster.Rect, tile raster.Tile) error {
	info := &w.image.Info
	if tile.IsZero() || tile.Width() != rect.Width() || tile.Height() != rect.Height() {
		return fmt.Errorf("a tile of another size than the %dx%d pixels of the block", rect.Width(), rect.Height())
	}
	if tile.Bands() != len(info.Bands) || tile.Type() != info.Type {
		return fmt.Errorf("a tile of %d bands of %v for %d of %v", tile.Bands(), tile.Type(), len(info.Bands), info.Type)
	}
	return nil
}

// encode appends the record of a tile.
func (w *Writer) encode(record []byte, tile raster.Tile) (_ []byte, b stored, err error) {
	record = beginPart(record)
	if record, err = w.encoder.Append(record, w.pixels(tile)); err != nil {
		return nil, b, err
	}
	b.image = uint32(len(record) - sizeBytes)
	record = endPart(record, 0)
	if w.masks == nil {
		return record, b, nil
	}
	begin := len(record)
	record = beginPart(record)
	if record, err = w.masks.Append(record, coverageOf(tile), tile.Width(), tile.Height()); err != nil {
		return nil, b, err
	}
	b.mask = uint32(len(record) - begin - sizeBytes)
	return endPart(record, begin), b, nil
}
