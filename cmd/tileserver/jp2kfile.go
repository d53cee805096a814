package main

import (
	"context"
	"fmt"
	"strings"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/decode/jp2k"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/tiff"
	"tileserver/raster"
	"tileserver/source"
)

var jp2kFormat = format{
	name:       "JPEG 2000",
	extensions: []string{".jp2", ".j2k", ".jpx", ".jpf", ".jpc", ".j2c", ".jph", ".jhc"},
	matches:    boxes.LooksLike,
	open: func(ctx context.Context, o *opener, s source.Source, options openOptions) (container, error) {
		f, err := jp2k.Open(ctx, s, jp2k.Config{
			Pool: o.pool, Shared: o.jp2ks, Key: options.key(s), Layers: options.qualityLayers, Beside: options.openSibling,
			GeoTIFF: tiff.ReadGeoreference, Store: o.indexStore(options.identity), Warn: o.damageWarner(s),
		})
		if err != nil {
			return nil, err
		}
		return jp2kFile{f}, nil
	},
}

// indexShare is the divisor of the cache size that gives the bytes for code-block indexes. The
// separate budget keeps pixels from evicting them.
const indexShare = 8

// newJP2KShared returns the cache that all JPEG 2000 files share, or nil if each file has its own.
func newJP2KShared(c *cache.Cache) *jp2k.Shared {
	if c == nil {
		return nil
	}
	return jp2k.NewShared(c, c.MaxBytes()/indexShare)
}

// maxIndexStateBytes bounds the code-block indexes in the state folder.
const maxIndexStateBytes = 192 << 20

// indexStore returns the store for the code-block index of a file, or nil if it must not be stored.
func (o *opener) indexStore(identity string) jp2k.Store {
	if o.indexes == nil || identity == "" {
		return nil
	}
	return fileIndexStore{o.indexes, identity}
}

// fileIndexStore is the part of the store that belongs to one file. It prefixes keys with the
// file's identity, because another file may have the same key.
type fileIndexStore struct {
	*disk.Store
	identity string
}

func (k fileIndexStore) Get(key string) ([]byte, bool) { return k.Store.Get(k.identity + ":" + key) }

func (k fileIndexStore) Put(key string, value []byte) error {
	return k.Store.Put(k.identity+":"+key, value)
}

// jp2kFile is a JPEG 2000 file as a container.
type jp2kFile struct{ *jp2k.File }

func (f jp2kFile) images() []fileImage {
	images := make([]fileImage, len(f.Images()))
	for i, m := range f.Images() {
		images[i] = jp2kImage{m}
	}
	return images
}

// jp2kImage is an image of a JPEG 2000 file.
type jp2kImage struct{ *jp2k.Image }

func (m jp2kImage) addStorage(info *fileInfo) {
	d, levels := m.Description(), m.Info().Levels
	info.Container, info.Compression = "JPEG 2000", "jpeg 2000"
	if d.HighThroughput {
		info.Compression = "htj2k"
	}
	info.DataType, info.Bits = m.Info().Type.String(), m.Info().Bits
	if info.Bits == 0 {
		info.Bits = 8 * m.Info().Type.Size()
	}
	info.Width, info.Height, info.Tiled = levels[0].Width, levels[0].Height, d.Tiles > 1
	info.Block = [2]int{d.TileWidth, d.TileHeight}
	for _, l := range levels[1:] {
		info.Overviews = append(info.Overviews, [2]int{l.Width, l.Height})
	}
	info.Photometric, info.Orientation, info.SideFiles = d.Colors, 1, d.Beside
	info.JPEG2000 = &jpeg2000Info{
		Brand: d.Container, Codestreams: d.Codestreams, Wavelet: d.Wavelet, Levels: d.Levels, Layers: d.Layers,
		Progression: d.Progression, CodeBlock: [2]int{d.BlockWidth, d.BlockHeight}, Precincts: d.Precincts,
		Tiles: d.Tiles, ComponentTransform: d.ComponentTransform, Tables: d.Tables,
	}
	if d.Capture != nil {
		info.JPEG2000.PixelsPerMeter = &[2]float64{d.Capture.X, d.Capture.Y}
	}
	for _, c := range d.Components {
		info.JPEG2000.Components = append(info.JPEG2000.Components, fmt.Sprintf("%s/%dx%d", c.Type, c.DX, c.DY))
	}
	for _, comment := range d.Comments {
		info.Notes = append(info.Notes, "comment in the file: "+strings.Join(strings.Fields(comment), " "))
	}
}

func (m jp2kImage) missing(ctx context.Context) (*raster.Damage, error) {
	damage, err := m.Missing(ctx)
	return &damage, err
}

func (m jp2kImage) addDetails(context.Context, *fileInfo) error { return nil }

// jpeg2000Info describes how a codestream is encoded.
type jpeg2000Info struct {
	Brand              string   `json:"brand,omitempty"` // of the container
	Codestreams        int      `json:"codestreams"`
	Components         []string `json:"components"`
	Wavelet            string   `json:"wavelet"`
	Levels             int      `json:"levels"` // of the wavelet
	Layers             int      `json:"layers"`
	Progression        string   `json:"progression"`
	CodeBlock          [2]int   `json:"code_block"`
	Precincts          bool     `json:"precincts"`
	Tiles              int      `json:"tiles"`
	ComponentTransform bool     `json:"component_transform"`
	Tables             []string `json:"tables,omitempty"` // markers that index the codestream

	PixelsPerMeter *[2]float64 `json:"pixels_per_metre,omitempty"` // resolution of the capture, across and down
}

func (j *jpeg2000Info) write(w *infoWriter, tile [2]int) {
	kind := j.Brand
	if kind == "" {
		kind = "bare codestream"
	}
	w.line("codestream", "%s, %s wavelet of %s, %s in %s", kind, j.Wavelet, counted(j.Levels, "level"), counted(j.Layers, "quality layer"), j.Progression)
	w.line("read by", "code-blocks of %d x %d, whatever the tiles: %d of %d x %d", j.CodeBlock[0], j.CodeBlock[1], j.Tiles, tile[0], tile[1])
	if j.PixelsPerMeter != nil {
		w.line("taken at", "%s pixels per meter", plain(j.PixelsPerMeter[0])+", "+plain(j.PixelsPerMeter[1]))
	}
	w.line("components", "%s (type of a sample / pixels to one)", inRuns(j.Components))
}
