package pyramid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"tileserver/cmd/tileserver/progress"
	"tileserver/cmd/tileserver/usage"
	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/encode/cog"
	"tileserver/pyramid/build"
	"tileserver/raster"
)

// A Run writes one image.
type Run struct {
	Options *Options
	File    container.File
	Number  int // of the image, from 1
	Out     string
	Stderr  io.Writer // for progress, and for what the file cannot have
}

// A Report says what was written.
type Report struct {
	Levels int
	Bytes  int64
	Lost   build.Lost
}

// ErrInterrupted means that ctx ended.
var ErrInterrupted = errors.New("interrupted; the output was not written")

// Do writes the image. The output has its name once it is complete.
func (r *Run) Do(ctx context.Context) (report Report, err error) {
	img, err := r.Options.imageOf(ctx, r.File, r.Number)
	if err != nil {
		return report, err
	}
	for _, note := range img.notes {
		fmt.Fprintln(r.Stderr, usage.WithoutControls("note: "+note))
	}
	picks, err := r.Options.picks(&img.file.Info)
	if err != nil {
		return report, err
	}
	w, err := r.create(img.file)
	if err != nil {
		return report, err
	}
	report.Lost, err = r.build(ctx, img, w, picks)
	if err != nil {
		return report, interruption(ctx, errors.Join(err, w.Abort()))
	}
	if err := w.Finish(ctx); err != nil {
		return report, interruption(ctx, &writeError{r.Out, err})
	}
	if info, err := os.Stat(r.Out); err == nil {
		report.Bytes = info.Size()
	}
	report.Levels = len(img.file.Info.Levels)
	return report, nil
}

// create begins the output, after what runs left that were killed is removed.
func (r *Run) create(image *cog.Image) (*cog.Writer, error) {
	if err := cog.RemoveLeftovers(r.Out); err != nil {
		return nil, &writeError{r.Out, err}
	}
	w, err := cog.Create(r.Out, image)
	switch {
	case errors.Is(err, cog.ErrImage):
		return nil, usage.Unusablef("%v", err)
	case err != nil:
		return nil, &writeError{r.Out, err}
	}
	return w, nil
}

// build makes the blocks of all levels.
func (r *Run) build(ctx context.Context, img *image, w *cog.Writer, picks bool) (build.Lost, error) {
	made := new(build.Progress)
	began := time.Now()
	end := progress.Tell(r.Stderr, func() string {
		done, total := made.Made()
		if total == 0 {
			return "opening"
		}
		if done == total {
			return "joining levels"
		}
		return progress.Count{Things: "blocks", Done: done, Made: done, Total: total}.After(time.Since(began))
	})
	defer end()
	config := build.Config{
		Source: img.pixels, Levels: img.file.Info.Levels, Nearest: picks, Workers: r.Options.Workers,
		Memory: int64(r.Options.Memory) * (decodingPart - 1) / decodingPart, Progress: made,
		Put: func(level int, id raster.BlockID, tile raster.Tile) error {
			if err := w.Put(level, id, tile); err != nil {
				return &writeError{r.Out, err}
			}
			return nil
		},
	}
	if r.Options.skips() {
		config.IsDamage = func(err error) bool { return errors.Is(err, decode.ErrCorrupt) }
	}
	return build.Run(ctx, config)
}

// decodingPart divides --memory into what decoding may use, and what is left for blocks.
const decodingPart = 4

// InFlight returns the bytes that decoding may use.
func (o *Options) InFlight() int64 { return int64(o.Memory) / decodingPart }

// interruption returns an error about the end of ctx instead of what came of it.
func interruption(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return ErrInterrupted
	}
	return err
}
