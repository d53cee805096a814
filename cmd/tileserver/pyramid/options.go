// Package pyramid writes an image of any format as a cloud-optimized GeoTIFF with overviews. Command
// pyramid calls it with an open image. It decides what of the image the file has, and how blocks are
// compressed. It must never know how an image is read, or how blocks lie in the file.
package pyramid

import (
	"flag"
	"slices"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/encode/blocks"
	"tileserver/raster"
)

// Options are the options of the command.
type Options struct {
	Memory    config.Size
	Workers   int
	Overwrite bool

	compression, resampling, onError string
	quality, blockSize               int
}

// Bounds and defaults of options.
const (
	defaultMemory    config.Size = 512 << 20
	defaultBlockSize             = 512
	minBlockSize                 = 64
	maxBlockSize                 = 4096
	blockSizeUnit                = 16
	maxWorkers                   = 1024
)

// The values of options.
const (
	onErrorStop = "stop"
	onErrorSkip = "skip"
	average     = "average"
	nearest     = "nearest"
)

// Define defines the options.
func (o *Options) Define(set *flag.FlagSet) {
	o.Memory = defaultMemory
	set.StringVar(&o.compression, "compression", string(blocks.ZSTD), "`NAME` How blocks are compressed: zstd, deflate, lzw, lerc, webp, none; or jpeg, which loses detail")
	set.IntVar(&o.quality, "quality", 0, "`1-100` Quality of jpeg (default 75), and of webp, which loses nothing without it")
	set.IntVar(&o.blockSize, "block-size", defaultBlockSize, "`PIXELS` Side of a block, a multiple of 16")
	set.StringVar(&o.resampling, "resampling", "", "`average|nearest` What an overview has of four pixels (default average, and nearest for palettes and classes)")
	set.StringVar(&o.onError, "on-error", onErrorStop, "`stop|skip` What damaged blocks do: end the command, or become nodata")
	set.BoolVar(&o.Overwrite, "overwrite", false, "Replace OUT if it exists, once the new file is complete")
	set.Var(&o.Memory, "memory", "`SIZE` Memory for what is read, decoded and encoded; the program itself takes up to 150MiB more")
	set.IntVar(&o.Workers, "workers", config.Default().Workers, "`N` Blocks that are made at a time (default one for each core)")
}

// Check returns the input and the output of a command line, or an error in what can be checked before the
// input is open.
func (o *Options) Check(arguments []string) (in, out string, err error) {
	compressions := []string{"zstd", "deflate", "lzw", "lerc", "jpeg", "webp", "none"}
	switch {
	case len(arguments) != 2:
		return "", "", usage.Mistakef("pyramid needs a file and an output: tileserver pyramid FILE OUT.tif")
	case !slices.Contains(compressions, o.compression):
		return "", "", usage.Mistakef("--compression must be zstd, deflate, lzw, lerc, jpeg, webp or none, not %q", o.compression)
	case o.quality < 0 || o.quality > 100:
		return "", "", usage.Mistakef("--quality must be 1 to 100, not %d", o.quality)
	case o.quality > 0 && o.compression != string(blocks.JPEG) && o.compression != string(blocks.WebP):
		return "", "", usage.Mistakef("--quality needs --compression jpeg or webp; %s loses nothing", o.compression)
	case o.blockSize < minBlockSize || o.blockSize > maxBlockSize || o.blockSize%blockSizeUnit > 0:
		return "", "", usage.Mistakef("--block-size must be a multiple of %d from %d to %d, not %d", blockSizeUnit, minBlockSize, maxBlockSize, o.blockSize)
	case !slices.Contains([]string{"", average, nearest}, o.resampling):
		return "", "", usage.Mistakef("--resampling must be %s or %s, not %q", average, nearest, o.resampling)
	case !slices.Contains([]string{onErrorStop, onErrorSkip}, o.onError):
		return "", "", usage.Mistakef("--on-error must be %s or %s, not %q", onErrorStop, onErrorSkip, o.onError)
	case o.Workers < 1 || o.Workers > maxWorkers:
		return "", "", usage.Mistakef("--workers must be from 1 to %d, not %d", maxWorkers, o.Workers)
	}
	in, out = arguments[0], arguments[1]
	return in, out, o.checkOutput(out)
}

// isTIFF reports whether a name is that of a TIFF.
func isTIFF(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tif") || strings.HasSuffix(name, ".tiff")
}

// coding returns how blocks are compressed.
func (o *Options) coding() blocks.Coding {
	compression := blocks.Compression(o.compression)
	return blocks.Coding{Compression: compression, Quality: o.quality, Lossless: compression == blocks.WebP && o.quality == 0}
}

// losesDetail reports whether samples change, so that none of them can mark nodata.
func (o *Options) losesDetail() bool {
	c := o.coding()
	return c.Compression == blocks.JPEG || c.Compression == blocks.WebP && !c.Lossless
}

// picks reports whether overviews pick one of four pixels.
func (o *Options) picks(info *raster.Info) (bool, error) {
	isClassified := info.IsClassified(nil)
	if isClassified && o.resampling == average {
		return false, usage.Unusablef("--resampling average: samples are colors of a palette or classes, whose mean has no meaning; use nearest")
	}
	return isClassified || o.resampling == nearest, nil
}

func (o *Options) skips() bool { return o.onError == onErrorSkip }
