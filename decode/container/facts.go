package container

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/decode/rpc"
	"tileserver/geo"
)

// Facts is what can be known of an image without reading pixels, and a list of the other images of
// its file.
type Facts struct {
	Container   string   `json:"container"`
	Width       int      `json:"width"`
	Height      int      `json:"height"`
	Bands       int      `json:"bands"`
	DataType    string   `json:"dtype"`
	Compression string   `json:"compression"`
	Block       [2]int   `json:"block"`
	Overviews   [][2]int `json:"overviews"`
	EPSG        *int     `json:"epsg"`
	NoData      *Number  `json:"nodata"`

	CRS           string         `json:"crs,omitempty"`
	CRSProblem    string         `json:"crs_problem,omitempty"`
	Placement     string         `json:"placement,omitempty"` // how pixels are placed, unless by a transform
	PlaceProblem  string         `json:"place_problem,omitempty"`
	Transform     *[6]float64    `json:"geotransform,omitempty"`
	Bounds        *[4]float64    `json:"bounds,omitempty"`
	ControlPoints []ControlPoint `json:"gcps,omitempty"`
	RPC           *rpc.Model     `json:"rpc,omitempty"`
	RPCProblem    string         `json:"rpc_problem,omitempty"`
	Colors        []string       `json:"colors"`
	Palette       int            `json:"palette,omitempty"` // number of colors
	Photometric   string         `json:"photometric"`
	Interleave    string         `json:"interleave,omitempty"`
	Predictor     int            `json:"predictor,omitempty"`
	Bits          int            `json:"bits"`
	Tiled         bool           `json:"tiled"`
	Masked        bool           `json:"mask"`
	BigTIFF       bool           `json:"bigtiff"`
	ByteOrder     string         `json:"byte_order,omitempty"`
	Orientation   int            `json:"orientation"`

	// Section holds the facts that only this format has; or nil. In JSON it stands here, under a
	// key of its own.
	Section Section `json:"-"`

	Page        int      `json:"page"`            // number of this image, from 1
	Title       string   `json:"title,omitempty"` // of this image, if the file names its images
	Images      int      `json:"images"`
	Pages       []Page   `json:"pages,omitempty"` // all images, if several
	SideFiles   []string `json:"side_files,omitempty"`
	BandInfo    []Band   `json:"band_info"`
	Metadata    Metadata `json:"metadata,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	Unsupported string   `json:"unsupported,omitempty"`
}

// Section is the part of the facts that only one format has. Encoded as JSON it is an object.
type Section interface {
	Key() string   // of the object
	Lines() []Line // the same for people
}

// Line is a fact for people.
type Line struct{ Name, Text string }

// Page describes one of several images.
type Page struct {
	Page        int    `json:"page"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Bands       int    `json:"bands"`
	DataType    string `json:"dtype"`
	Compression string `json:"compression"`
	Title       string `json:"title,omitempty"`

	// Damage says why the headers of the image cannot be read. Its size is not known then.
	Damage string `json:"damage,omitempty"`
}

// Number is a number that may be NaN or infinite, which JSON numbers cannot be.
type Number float64

// MarshalJSON writes NaN and the infinities as strings: nan, inf and -inf.
func (n Number) MarshalJSON() ([]byte, error) {
	text := fmt.Sprint(float64(n))
	if strings.ContainsAny(text, "NI") {
		return json.Marshal(strings.ToLower(strings.TrimPrefix(text, "+")))
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads the output of MarshalJSON.
func (n *Number) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*n = Number(v)
	return err
}

// Describe returns the facts about an image of a file, by its number from 1, placed with grids of
// datum shifts, if there are any.
func Describe(ctx context.Context, file File, number int, grids *geo.Grids) (*Facts, error) {
	m, err := ImageOf(file, number)
	if err != nil {
		return nil, err
	}
	f := &Facts{Page: number, Images: len(file.Images()), Overviews: [][2]int{}, Notes: file.Notes()}
	f.Bands, f.Palette = len(m.Info().Bands), len(m.Info().Palette)
	f.addBands(m)
	f.Pages = describePages(file)
	if err := m.Unsupported(); err != nil {
		f.Unsupported = err.Error()
	}
	m.AddStorage(f)
	return f, cmp.Or(f.addPlacement(ctx, m, grids), f.addRPC(ctx, m), m.AddMetadata(ctx, f))
}

func describePages(file File) []Page {
	images := file.Images()
	if len(images) == 1 {
		return nil
	}
	var pages []Page
	for i, m := range images {
		var f Facts
		m.AddStorage(&f)
		page := Page{i + 1, f.Width, f.Height, len(m.Info().Bands), f.DataType, f.Compression, f.Title, ""}
		if err := m.Unsupported(); errors.Is(err, decode.ErrCorrupt) {
			page.Damage = err.Error()
		}
		pages = append(pages, page)
	}
	return pages
}
