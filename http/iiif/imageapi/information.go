package imageapi

import (
	"encoding/json"
	"slices"
)

// Context is the JSON-LD context of the information document.
const Context = "http://iiif.io/api/image/3/context.json"

// Profile returns the address of the compliance level, for links.
func (i Image) Profile() string { return "http://iiif.io/api/image/3/" + i.level() + ".json" }

// level returns the compliance level. The levels require formats. If one is not offered, level 0
// remains, and the document lists the features of level 2 one by one.
func (i Image) level() string {
	for _, required := range requiredFormats() {
		if !i.offers(required) {
			return "level0"
		}
	}
	return "level2"
}

func (i Image) offers(format string) bool {
	return i.Formats == nil || slices.Contains(i.Formats, format)
}

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
		Context: Context, ID: id, Type: "ImageService3", Protocol: "http://iiif.io/api/image", Profile: i.level(),
		Width: i.Width, Height: i.Height,
		MaxWidth: i.Limits.MaxWidth, MaxHeight: i.Limits.MaxHeight, MaxArea: i.Limits.MaxArea,
		Sizes: i.sizes(), Tiles: []tileSeries{{tileSide, tileSide, i.scaleFactors(tileSide)}},
		Formats: []string{format}, ExtraFormats: i.extraFormats(), ExtraQualities: extraQualities(),
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
	if i.level() == "level0" {
		features = append(features, "baseUriRedirect", "cors", "jsonldMediaType", "regionByPct", "regionByPx", "regionSquare",
			"rotationBy90s", "sizeByConfinedWh", "sizeByH", "sizeByPct", "sizeByW", "sizeByWh")
	}
	return features
}

// extraFormats returns the offered formats beyond those that the compliance level requires.
func (i Image) extraFormats() []string {
	extra := []string{}
	if i.level() == "level0" && i.offers("png") {
		extra = append(extra, "png")
	}
	for _, format := range extraFormats() {
		if i.offers(format) {
			extra = append(extra, format)
		}
	}
	return extra
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
