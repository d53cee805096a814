package jp2k

import (
	"context"

	"tileserver/decode"
	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// Config is what Open needs beside the file.
type Config struct {
	Pool *decode.Pool

	// Key is the identity and version of the dataset, with which the keys of its images
	// begin. It must not be shared by files with other pixels. Empty, it is made of the
	// name and the version of the source.
	Key string

	// Shared is what open files keep together. Nil, the file keeps what it needs by
	// itself, and little.
	Shared *Shared

	// Kept is where that is kept which took long to find out, so that a restart need not
	// find it out again; nil is nowhere.
	Kept Kept

	// Beside opens what lies in the same place as the file under another name, or
	// fails with fs.ErrNotExist. Without it there is nothing beside the file.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// GeoTIFF reads where the image of a GeoTIFF lies: GeoJP2 keeps one for that alone. Without it
	// GeoJP2 is not read.
	GeoTIFF func(ctx context.Context, src source.Source) (georeference.Georeference, error)

	// Layers is how many quality layers are decoded at most; 0 is all of them.
	Layers int

	// Warn is told what is found to be damaged while pixels are read, once for each
	// kind of damage. Nil, nobody is told.
	Warn func(note string)

	// BatchBytes is about how much Blocks holds in flight at a time; a request for more
	// is done in parts. 0 is 64 MiB.
	BatchBytes int64

	Limits Limits
}

// Kept is where values outlive the process. Nobody may depend on finding one again.
type Kept interface {
	Get(key string) ([]byte, bool)
	Put(key string, value []byte) error
}

// Limits bound what a file may make us do before anything is known to be true of it. A
// zero field stands for its default.
type Limits struct {
	Boxes      boxes.Limits
	Codestream codestream.Limits
	Packets    packets.Limits

	// Side bounds the width and the height of an image in pixels. 0 is 2^31-1.
	Side int
}

const (
	defaultBatchBytes = 64 << 20
	defaultSide       = 1<<31 - 1
	mostLayers        = 1<<16 - 1 // that there can be
)

// What a file keeps that shares nothing with others.
const (
	ownBytes      = 24 << 20
	ownIndexBytes = 8 << 20
)

func (c Config) withDefaults() Config {
	if c.BatchBytes <= 0 {
		c.BatchBytes = defaultBatchBytes
	}
	if most := c.Pool.MaxReserve(); most > 0 {
		c.BatchBytes = min(c.BatchBytes, most)
	}
	most := packets.DefaultLimits()
	orDefault(&c.Limits.Packets.Blocks, most.Blocks)
	orDefault(&c.Limits.Packets.Precincts, most.Precincts)
	orDefault(&c.Limits.Packets.Packets, most.Packets)
	orDefault(&c.Limits.Packets.NoteBytes, most.NoteBytes)
	orDefault(&c.Limits.Side, defaultSide)
	if c.Layers < 0 || c.Layers > mostLayers {
		c.Layers = 0
	}
	if c.Warn == nil {
		c.Warn = func(string) {}
	}
	return c
}

func orDefault(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}
