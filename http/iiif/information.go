package iiif

import "encoding/json"

// The context of the information and the document of what level 2 is, which links name.
const (
	Context = "http://iiif.io/api/image/3/context.json"
	Profile = "http://iiif.io/api/image/3/level2.json"
)

// information is an info.json.
type information struct {
	Context        string       `json:"@context"`
	ID             string       `json:"id"`
	Type           string       `json:"type"`
	Protocol       string       `json:"protocol"`
	Profile        string       `json:"profile"`
	Width          int          `json:"width"`
	Height         int          `json:"height"`
	MaxWidth       int          `json:"maxWidth"`
	MaxHeight      int          `json:"maxHeight"`
	MaxArea        int          `json:"maxArea"`
	Sizes          []dimensions `json:"sizes"`
	Tiles          []tileSeries `json:"tiles"`
	Formats        []string     `json:"preferredFormats,omitempty"`
	ExtraFormats   []string     `json:"extraFormats"`
	ExtraQualities []string     `json:"extraQualities"`
	ExtraFeatures  []string     `json:"extraFeatures"`
}

type dimensions struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type tileSeries struct {
	Width        int   `json:"width"`
	Height       int   `json:"height"`
	ScaleFactors []int `json:"scaleFactors"`
}

// Information is the document of an image, whose base address is id, and whose tiles are best
// asked for with sides of tileSide pixels in a format.
func (i Image) Information(id string, tileSide int, format string) []byte {
	document := information{
		Context: Context, ID: id, Type: "ImageService3", Protocol: "http://iiif.io/api/image", Profile: "level2",
		Width: i.Width, Height: i.Height,
		MaxWidth: i.Limits.MaxWidth, MaxHeight: i.Limits.MaxHeight, MaxArea: i.Limits.MaxArea,
		Sizes: i.sizes(), Tiles: []tileSeries{{tileSide, tileSide, i.scaleFactors(tileSide)}},
		Formats: []string{format}, ExtraFormats: extraFormats(), ExtraQualities: extraQualities(),
		ExtraFeatures: i.extraFeatures(),
	}
	body, err := json.Marshal(document)
	if err != nil {
		panic(err) // numbers and texts can be written
	}
	return append(body, '\n')
}

func (i Image) extraFeatures() []string {
	features := []string{"mirroring", "profileLinkHeader", "sizeUpscaling"}
	if i.CanonicalLinks {
		features = append([]string{"canonicalLinkHeader"}, features...)
	}
	return features
}

// scaleFactors are those of the image whole and halved, until one tile has it all.
func (i Image) scaleFactors(tileSide int) []int {
	factors := []int{1}
	for factor := 1; max(i.Width, i.Height) > factor*tileSide; {
		factor *= 2
		factors = append(factors, factor)
	}
	return factors
}

// leastSize is the longer side from which the image is worth to be listed in a size.
const leastSize = 64

// sizes are those of the image halved and halved again that are within the limits, the
// smallest first.
func (i Image) sizes() []dimensions {
	var sizes []dimensions
	for halvings := maxHalvings - 1; halvings >= 0; halvings-- {
		s := Size{(i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1}
		if halvings > 0 && max(s.Width, s.Height) < leastSize || !i.Limits.allow(s) {
			continue
		}
		sizes = append(sizes, dimensions(s))
	}
	return sizes
}
