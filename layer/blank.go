package layer

import (
	"context"
	"fmt"

	"tileserver/display/picture"
)

// blank is a picture in which nothing is to be seen.
type blankSpec struct {
	format        Format
	deep          bool
	width, height int
	options       picture.Options
}

// maxKeptBlankPixels is how large a blank may be that is kept. Those that maps
// are made of are smaller; larger ones have any size that a client thinks of.
const maxCachedBlankPixels = 1 << 20

// blankOf is what a job shows where there is nothing of the image.
func (j *Job) blankSpec() blankSpec {
	width, height := j.request.Finish.size(j.view.Rect.Width(), j.view.Rect.Height())
	return blankSpec{j.request.Format, j.request.Style.Deep, width, height, j.options()}
}

// blank is a picture of nothing, shared by all requests of its size and format.
func (c *Catalog) blank(ctx context.Context, spec blankSpec) (encodedPicture, error) {
	load := func(ctx context.Context) (encodedPicture, error) { return c.renderBlank(ctx, spec) }
	if int64(spec.width)*int64(spec.height) > maxCachedBlankPixels {
		return load(ctx)
	}
	key := fmt.Sprintf("blank:%v:%v:%dx%d", spec.format.fileFormat(false), spec.options, spec.width, spec.height)
	return c.pictures.FetchOne(ctx, key, load)
}

func (c *Catalog) renderBlank(ctx context.Context, spec blankSpec) (result encodedPicture, err error) {
	err = c.config.Gate.run(ctx, func() error {
		return c.withMemory(ctx, pictureBytes(spec.format, spec.deep, spec.width, spec.height), func() error {
			kind := spec.format.fileFormat(false)
			result.mime = kind.MIME()
			result.bytes, err = c.config.Encoder.Blank(kind, spec.width, spec.height, spec.options)
			return err
		})
	})
	return result, err
}
