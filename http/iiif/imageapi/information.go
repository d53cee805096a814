package imageapi

import "encoding/json"

// The JSON-LD context of the information document, and the compliance level for links.
const (
	Context = "http://iiif.io/api/image/3/context.json"
	Profile = "http://iiif.io/api/image/3/level2.json"
)

// information is the info.json document.
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

// Information returns the information document of an image. id is its base address. It recommends
// tiles with sides of tileSide pixels in a format.
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
		panic(err) // numbers and texts can always be encoded
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

// scaleFactors returns the powers of 2 until the image fits into one tile.
func (i Image) scaleFactors(tileSide int) []int {
	factors := []int{1}
	for factor := 1; max(i.Width, i.Height) > factor*tileSide; {
		factor *= 2
		factors = append(factors, factor)
	}
	return factors
}

// minListedSide is the longer side of the smallest size that is listed.
const minListedSide = 64

// sizes returns the sizes of the image halved repeatedly that are within the limits, the smallest
// first.
func (i Image) sizes() []dimensions {
	var sizes []dimensions
	for halvings := maxHalvings - 1; halvings >= 0; halvings-- {
		s := Size{(i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1}
		if halvings > 0 && max(s.Width, s.Height) < minListedSide || !i.Limits.allow(s) {
			continue
		}
		sizes = append(sizes, dimensions(s))
	}
	return sizes
}
