package layer

import (
	"context"
	"fmt"

	"tileserver/display/picture"
)

// A blankSpec describes a picture without pixels of the image.
type blankSpec struct {
	format        Format
	deep          bool
	width, height int
	options       picture.Options
}

// maxCachedBlankPixels is the size above which blanks are not cached. Map tiles are smaller. Larger
// blanks have arbitrary sizes, so caching them would rarely help.
const maxCachedBlankPixels = 1 << 20

// blankSpec describes the picture that the job returns where the image has no pixels.
func (j *Job) blankSpec() blankSpec {
	width, height := j.request.Finish.size(j.view.Rect.Width(), j.view.Rect.Height())
	return blankSpec{j.request.Format, j.request.Style.Deep, width, height, j.options()}
}

// blank returns a blank picture. All requests of the same size and format share it.
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
