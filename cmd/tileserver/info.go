package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/georeference"
	"tileserver/display"
	"tileserver/geo"
)

// fileInfo is the output of `tileserver info --json`: one image of a file, and a list of the
// others.
type fileInfo struct {
	Container   string      `json:"container"`
	Width       int         `json:"width"`
	Height      int         `json:"height"`
	Bands       int         `json:"bands"`
	DataType    string      `json:"dtype"`
	Compression string      `json:"compression"`
	Block       [2]int      `json:"block"`
	Overviews   [][2]int    `json:"overviews"`
	EPSG        *int        `json:"epsg"`
	NoData      *jsonNumber `json:"nodata"`

	CRS           string             `json:"crs,omitempty"`
	CRSProblem    string             `json:"crs_problem,omitempty"`
	Placement     string             `json:"placement,omitempty"` // how control points are used
	PlaceProblem  string             `json:"place_problem,omitempty"`
	Transform     *[6]float64        `json:"geotransform,omitempty"`
	Bounds        *[4]float64        `json:"bounds,omitempty"`
	ControlPoints []controlPointInfo `json:"gcps,omitempty"`
	RPC           *rpcInfo           `json:"rpc,omitempty"`
	RPCProblem    string             `json:"rpc_problem,omitempty"`
	Colors        []string           `json:"colors"`
	Palette       int                `json:"palette,omitempty"` // number of colors
	Photometric   string             `json:"photometric"`
	Interleave    string             `json:"interleave,omitempty"`
	Predictor     int                `json:"predictor,omitempty"`
	Bits          int                `json:"bits"`
	Tiled         bool               `json:"tiled"`
	Masked        bool               `json:"mask"`
	BigTIFF       bool               `json:"bigtiff"`
	ByteOrder     string             `json:"byte_order,omitempty"`
	Orientation   int                `json:"orientation"`
	JPEG2000      *jpeg2000Info      `json:"jpeg2000,omitempty"`
	Page          int                `json:"page"` // number of this image, from 1
	Images        int                `json:"images"`
	Pages         []pageInfo         `json:"pages,omitempty"` // all images, if several
	SideFiles     []string           `json:"side_files,omitempty"`
	BandInfo      []bandInfo         `json:"band_info"`
	Metadata      metadataInfo       `json:"metadata,omitempty"`
	Notes         []string           `json:"notes,omitempty"`
	Unsupported   string             `json:"unsupported,omitempty"`
	Undisplayable string             `json:"undisplayable,omitempty"` // readable, but not renderable
	Damage        *damageInfo        `json:"damage,omitempty"`        // if it was checked
	Default       *display.Summary   `json:"default,omitempty"`       // what pictures show without style parameters

	drawnNames []string // of the bands that Default counts; empty if the color says it all
}

// jsonNumber is a number that may be NaN or infinite, which JSON numbers cannot be.
type jsonNumber float64

// MarshalJSON writes NaN and the infinities as strings: nan, inf and -inf.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	text := fmt.Sprint(float64(n))
	if strings.ContainsAny(text, "NI") {
		return json.Marshal(strings.ToLower(strings.TrimPrefix(text, "+")))
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads the output of MarshalJSON.
func (n *jsonNumber) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*n = jsonNumber(v)
	return err
}

func (p *program) info(ctx context.Context, args []string) error {
	set := usage.Options("info")
	asJSON := set.Bool("json", false, "Print JSON")
	checkAll := set.Bool("check", false, "Read all pixels, to find out whether the file is damaged")
	inFlight := inFlightOption(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := oneFile("info", arguments)
	if err != nil {
		return err
	}
	restore, err := limitMemory(*inFlight)
	if err != nil {
		return err
	}
	defer restore()
	f, file, err := newOpener(openerConfig{workers: defaultConfig().Workers, inFlight: *inFlight}).openFile(ctx, image.path, openOptions{})
	if err != nil {
		return fileError{image, fileLayer, err}
	}
	defer f.Close()
	info, err := describe(ctx, f, image.number)
	if err != nil {
		return err
	}
	m := f.images()[image.number-1]
	d := &dump{provider: m, bands: m.Info().AllBands(), room: int64(*inFlight) / readShare}
	if info.Damage, err = checkDamage(ctx, m, file.Size(), d, *checkAll); err != nil && *checkAll {
		return fmt.Errorf("%v: %w", image, withMemoryHint(err, *inFlight))
	}
	if err := info.print(p.stdout, *asJSON); err != nil || info.Damage == nil {
		return err
	}
	return damagedOf(image.String(), info.Damage.found)
}

func (i *fileInfo) print(to io.Writer, asJSON bool) error {
	if !asJSON {
		return i.write(to)
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(i)
}

func describe(ctx context.Context, c container, number int) (*fileInfo, error) {
	m, err := imageOf(c, number)
	if err != nil {
		return nil, err
	}
	info := &fileInfo{Page: number, Images: len(c.images()), Overviews: [][2]int{}, Notes: c.Notes()}
	info.Bands, info.Palette = len(m.Info().Bands), len(m.Info().Palette)
	info.addBands(m)
	info.Pages = describePages(c)
	if err := m.Unsupported(); err != nil {
		info.Unsupported = err.Error()
	}
	if err := undisplayable(m); err != nil {
		info.Undisplayable = err.Error()
	}
	info.addDrawn(m)
	m.addStorage(info)
	info.addPlacement(m.Georeference())
	return info, m.addDetails(ctx, info)
}

// pageInfo describes one of several images.
type pageInfo struct {
	Page        int    `json:"page"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Bands       int    `json:"bands"`
	DataType    string `json:"dtype"`
	Compression string `json:"compression"`
}

func describePages(c container) []pageInfo {
	images := c.images()
	if len(images) == 1 {
		return nil
	}
	var pages []pageInfo
	for i, m := range images {
		var info fileInfo
		m.addStorage(&info)
		pages = append(pages, pageInfo{i + 1, info.Width, info.Height, len(m.Info().Bands), info.DataType, info.Compression})
	}
	return pages
}

func (i *fileInfo) addPlacement(g georeference.Georeference) {
	if g.HasAffine {
		a := g.Affine
		i.Transform = &[6]float64{a.C, a.A, a.B, a.F, a.D, a.E}
	}
	for _, p := range g.ControlPoints {
		i.ControlPoints = append(i.ControlPoints, controlPointInfo{p.Name, p.Info, p.Column, p.Row, p.X, p.Y, p.Z})
	}
	if g.CRS == nil {
		problem := g.Missing()
		if g.HasPlaces() {
			problem = cmp.Or(g.CRSError, problem)
		}
		i.CRSProblem = problem.Error()
		return
	}
	i.CRS = g.CRS.Name()
	var code int
	if _, err := fmt.Sscanf(g.CRS.Code(), "EPSG:%d", &code); err == nil {
		i.EPSG = &code
	}
	placement, err := g.Placement()
	if err != nil {
		i.PlaceProblem = err.Error()
		return
	}
	if placement == nil {
		i.PlaceProblem = g.Missing().Error()
		return
	}
	if fitted, ok := placement.(*geo.ControlPointPlacement); ok {
		i.Placement = "by " + fitted.String()
	}
	t := geo.NewTransform(g.CRS, geo.WorldCRS84Quad().CRS)
	if b := geo.TransformBounds(t, placement.Bounds(i.Width, i.Height)); !b.Empty() {
		i.Bounds = &[4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}
	}
}
