// Package container says what a file of any format is: its images, what can be known of them, and
// a registry that recognizes formats by their content. A format is a package below decode that
// returns a Format; decode/formats lists them. Commands and the opener of datasets call it. It owns
// nothing: a File belongs to whoever opened it. It must never know how a format stores pixels, nor
// anything of layers, HTTP or the command line.
package container

import (
	"context"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/raster"
)

// File is an open file of any format.
type File interface {
	Images() []Image // at least one
	Notes() []string // what is ignored in the file, and why
	Close() error
}

// Image is one image of a file.
type Image interface {
	raster.Provider

	// Unsupported returns why Blocks cannot decode the pixels, or nil.
	Unsupported() error

	// Undisplayable returns why the samples must not be rendered although they can be read, or nil.
	Undisplayable() error

	Georeference() georeference.Georeference

	// RPC reads the camera model, or returns nil if there is none. An error is about the model
	// alone, unless ctx has ended.
	RPC(ctx context.Context) (*rpc.Model, error)

	// Missing returns the damage that shows without reading pixels: data that should be stored but
	// is not. If known is false, the format cannot tell.
	Missing(ctx context.Context) (damage raster.Damage, known bool, err error)

	// AddStorage adds to the facts how the image is stored.
	AddStorage(to *Facts)

	// AddMetadata adds to the facts what the file and its side files say about the image and its
	// bands. The facts must have their bands.
	AddMetadata(ctx context.Context, to *Facts) error
}

// NoImageError reports the number of an image that a file does not have, or a name instead of one.
type NoImageError struct {
	Number, Count int
	Name          string
}

func (e NoImageError) Error() string {
	if e.Name != "" {
		return fmt.Sprintf(`images of a file have numbers, as in FILE#2: there is no image %q; "tileserver info FILE" lists them`, e.Name)
	}
	if e.Number < 1 {
		return fmt.Sprintf("images of a file are counted from 1: there is no image %d", e.Number)
	}
	return fmt.Sprintf("no image %d in the file; it has %d", e.Number, e.Count)
}

// ImageOf returns an image of a file by its number, from 1. The error is a NoImageError.
func ImageOf(f File, number int) (Image, error) {
	images := f.Images()
	if number > len(images) {
		return nil, NoImageError{Number: number, Count: len(images)}
	}
	return images[number-1], nil
}
