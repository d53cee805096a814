package layer

import (
	"context"
	"fmt"
	"time"

	"tileserver/display/picture"
	"tileserver/internal/threadtime"
)

// An output is the file that a picture becomes.
type output struct {
	format        Format
	deep          bool // 16 bits per sample
	width, height int
	options       picture.Options
}

// encode encodes a drawn picture.
func (c *Catalog) encode(ctx context.Context, o *output, drawn *picture.Picture) (result encodedPicture, err error) {
	began := threadtime.Now()
	defer addSince(&timingOf(ctx).Encode, time.Now())
	kind := o.format.fileFormat(!o.format.isAuto() || drawn.IsOpaque())
	result.mime = kind.MIME()
	result.bytes, err = c.config.Encoder.Encode(nil, drawn, kind, o.options)
	learnSince(ctx, c.encoding[o.format], o.pixels(), began)
	return result, err
}

func (o *output) pixels() float64 { return float64(o.width) * float64(o.height) }

// maxCachedBlankPixels is the size above which blanks are not cached. Map tiles are smaller. Larger
// blanks have arbitrary sizes, so caching them would rarely help.
const maxCachedBlankPixels = 1 << 20

// blank returns a picture without pixels of an image. All requests of the same size and format
// share it.
func (c *Catalog) blank(ctx context.Context, o output) (encodedPicture, error) {
	load := func(ctx context.Context) (encodedPicture, error) { return c.renderBlank(ctx, o) }
	if int64(o.width)*int64(o.height) > maxCachedBlankPixels {
		return load(ctx)
	}
	key := fmt.Sprintf("blank:%v:%v:%dx%d", o.format.fileFormat(false), o.options, o.width, o.height)
	return c.pictures.FetchOne(ctx, key, load)
}

func (c *Catalog) renderBlank(ctx context.Context, o output) (result encodedPicture, err error) {
	err = c.config.Gate.Run(ctx, c.emptyWork(&o), func(context.Context) error {
		kind := o.format.fileFormat(false)
		result.mime = kind.MIME()
		result.bytes, err = c.config.Encoder.Blank(kind, o.width, o.height, o.options)
		return err
	})
	return result, err
}

// RunInSlot calls work in a slot of the gate, with memory for a PNG. It is for pictures that do not
// show an image, such as legends.
func (c *Catalog) RunInSlot(ctx context.Context, width, height int, work func() error) error {
	o := output{format: PNG, width: width, height: height}
	if err := c.config.Gate.Run(ctx, c.emptyWork(&o), func(context.Context) error { return work() }); err != nil {
		return Classify(err)
	}
	return nil
}
