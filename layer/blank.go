package layer

import (
	"context"
	"fmt"

	"tileserver/display/picture"
)

// blank is a picture in which nothing is to be seen.
type blank struct {
	format        Format
	deep          bool
	width, height int
	options       picture.Options
}

// maxKeptBlankPixels is how large a blank may be that is kept. Those that maps
// are made of are smaller; larger ones have any size that a client thinks of.
const maxKeptBlankPixels = 1 << 20

// blankOf is what a job shows where there is nothing of the image.
func (j *Job) blankOf() blank {
	width, height := j.request.Finish.size(j.want.Rect.Width(), j.want.Rect.Height())
	return blank{j.request.Format, j.request.Style.Deep, width, height, j.options()}
}

// blank is a picture of nothing, shared by all requests of its size and format.
func (c *Catalog) blank(ctx context.Context, of blank) (encoded, error) {
	load := func(ctx context.Context) (encoded, error) { return c.makeBlank(ctx, of) }
	if int64(of.width)*int64(of.height) > maxKeptBlankPixels {
		return load(ctx)
	}
	key := fmt.Sprintf("blank:%v:%v:%dx%d", of.format.of(false), of.options, of.width, of.height)
	return c.pictures.FetchOne(ctx, key, load)
}

func (c *Catalog) makeBlank(ctx context.Context, of blank) (made encoded, err error) {
	err = c.config.Gate.within(ctx, func() error {
		return c.withMemory(ctx, drawnBytes(of.format, of.deep, of.width, of.height), func() error {
			kind := of.format.of(false)
			made.mime = kind.MIME()
			made.bytes, err = c.config.Encoder.Blank(kind, of.width, of.height, of.options)
			return err
		})
	})
	return made, err
}
