package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tileserver/decode/tiff"
	"tileserver/geo"
)

// fileInfo is what `tileserver info --json` prints: the first image of a file,
// and how many there are.
type fileInfo struct {
	Width       int         `json:"width"`
	Height      int         `json:"height"`
	Bands       int         `json:"bands"`
	DataType    string      `json:"dtype"`
	Compression string      `json:"compression"`
	Block       [2]int      `json:"block"`
	Overviews   [][2]int    `json:"overviews"`
	EPSG        *int        `json:"epsg"`
	NoData      *jsonNumber `json:"nodata"`

	CRS           string      `json:"crs,omitempty"`
	CRSProblem    string      `json:"crs_problem,omitempty"`
	Transform     *[6]float64 `json:"geotransform,omitempty"`
	Bounds        *[4]float64 `json:"bounds,omitempty"`
	Colors        []string    `json:"colors"`
	Photometric   string      `json:"photometric"`
	Interleave    string      `json:"interleave"`
	Predictor     int         `json:"predictor,omitempty"`
	Bits          int         `json:"bits"`
	Tiled         bool        `json:"tiled"`
	Masked        bool        `json:"mask"`
	BigTIFF       bool        `json:"bigtiff"`
	ByteOrder     string      `json:"byte_order"`
	Orientation   int         `json:"orientation"`
	Images        int         `json:"images"`
	Notes         []string    `json:"notes,omitempty"`
	Unsupported   string      `json:"unsupported,omitempty"`
	Undisplayable string      `json:"undisplayable,omitempty"` // it can be read, but not served
}

// jsonNumber is a number that may be what JSON has no number for.
type jsonNumber float64

// MarshalJSON writes NaN and the infinities as strings: nan, inf and -inf.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	text := fmt.Sprint(float64(n))
	if strings.ContainsAny(text, "NI") {
		return json.Marshal(strings.ToLower(strings.TrimPrefix(text, "+")))
	}
	return json.Marshal(float64(n))
}

func (p *program) info(ctx context.Context, args []string) error {
	set := flags("info")
	asJSON := set.Bool("json", false, "print JSON")
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	path, err := oneFile("info", arguments)
	if err != nil {
		return err
	}
	f, err := newOpener(1, defaultConfig().InFlight).openFile(ctx, path, "")
	if err != nil {
		return err
	}
	defer f.Close()
	info := describe(f)
	if !*asJSON {
		return info.write(p.stdout)
	}
	encoder := json.NewEncoder(p.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(info)
}

func describe(f *tiff.File) fileInfo {
	image := f.Images()[0]
	d := image.Description()
	info := fileInfo{
		Width: d.Width, Height: d.Height, Bands: len(image.Info().Bands), DataType: d.Type,
		Compression: d.Compression, Block: [2]int{d.BlockWidth, d.BlockHeight}, Overviews: [][2]int{},
		Photometric: d.Photometric, Interleave: d.Interleave, Predictor: d.Predictor, Bits: d.Bits, Tiled: d.Tiled,
		Masked: len(d.Masks) > 0, BigTIFF: d.BigTIFF, ByteOrder: "little endian", Orientation: d.Orientation,
		Images: len(f.Images()), Notes: d.Notes,
	}
	if d.BigEndian {
		info.ByteOrder = "big endian"
	}
	for _, o := range d.Overviews {
		info.Overviews = append(info.Overviews, [2]int{o.Width, o.Height})
	}
	for _, b := range image.Info().Bands {
		info.Colors = append(info.Colors, b.Color.String())
	}
	if d.HasNoData {
		n := jsonNumber(d.NoData)
		info.NoData = &n
	}
	if err := image.Unsupported(); err != nil {
		info.Unsupported = err.Error()
	}
	if err := image.Undisplayable(); err != nil {
		info.Undisplayable = err.Error()
	}
	info.place(image.Georeference())
	return info
}

func (i *fileInfo) place(g tiff.Georeference) {
	if g.HasAffine {
		a := g.Affine
		i.Transform = &[6]float64{a.C, a.A, a.B, a.F, a.D, a.E}
	}
	if g.CRS == nil {
		if g.HasAffine && g.CRSError != nil {
			i.CRSProblem = g.CRSError.Error()
		}
		return
	}
	i.CRS = g.CRS.Name()
	var code int
	if _, err := fmt.Sscanf(g.CRS.Code(), "EPSG:%d", &code); err == nil {
		i.EPSG = &code
	}
	if g.HasAffine {
		t := geo.NewTransform(g.CRS, geo.WorldCRS84Quad().CRS)
		if b := geo.TransformBounds(t, g.Affine.Bounds(i.Width, i.Height)); !b.Empty() {
			i.Bounds = &[4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}
		}
	}
}

// write prints the facts for people.
func (i *fileInfo) write(w io.Writer) error {
	var b strings.Builder
	line := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, fmt.Sprintf(format, values...))
	}
	line("size", "%d x %d pixels, %d bands of %s (%s)", i.Width, i.Height, i.Bands, i.DataType, strings.Join(i.Colors, ", "))
	line("stored", "%s, %s, %s interleaved, %d bits a sample", i.Compression, i.Photometric, i.Interleave, i.Bits)
	line("blocks", "%d x %d", i.Block[0], i.Block[1])
	if len(i.Overviews) > 0 {
		line("overviews", "%v", i.Overviews)
	}
	if i.CRS != "" {
		line("crs", "%s", i.CRS)
	}
	if i.EPSG != nil {
		line("epsg", "%d", *i.EPSG)
	}
	if i.CRSProblem != "" {
		line("crs", "not known: %s", i.CRSProblem)
	}
	if i.Transform != nil {
		line("geotransform", "%v", *i.Transform)
	}
	if i.Bounds != nil {
		line("bounds", "%.6f, %.6f to %.6f, %.6f (longitude, latitude)", i.Bounds[0], i.Bounds[1], i.Bounds[2], i.Bounds[3])
	}
	if i.NoData != nil {
		line("nodata", "%v", float64(*i.NoData))
	}
	line("mask", "%v", i.Masked)
	line("file", "%s, BigTIFF %v, %d images", i.ByteOrder, i.BigTIFF, i.Images)
	for _, note := range i.Notes {
		line("note", "%s", note)
	}
	if i.Unsupported != "" {
		line("unsupported", "%s", i.Unsupported)
	}
	if i.Undisplayable != "" {
		line("undisplayable", "%s", i.Undisplayable)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
