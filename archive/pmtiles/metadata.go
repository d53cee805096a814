package pmtiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"tileserver/archive"
	"tileserver/archive/pmtiles/directory"
)

// metadata is the part of the JSON metadata that the specification names, but for that of vector tiles.
type metadata struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Attribution string `json:"attribution,omitempty"`
	Type        string `json:"type,omitempty"`
	Version     string `json:"version,omitempty"`
}

// maxMetadataBytes bounds metadata, compressed and decompressed. Those of vector tiles can be long.
const maxMetadataBytes = 8 << 20

// metadataOf returns the metadata of an archive, compressed.
func metadataOf(d archive.Description) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(metadata{d.Name, d.Summary, d.Attribution, d.Kind(), d.Version}); err != nil {
		return nil, err
	}
	var compressor directory.Compressor
	return compressor.Compress(bytes.TrimSpace(text.Bytes()))
}

// describe adds metadata to a description. Members of other types than the specification's are ignored.
func describe(d archive.Description, text []byte) (archive.Description, error) {
	var m metadata
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &m); err != nil && !errors.As(err, &mistyped) {
		return d, fmt.Errorf("%w: metadata: %w", directory.ErrCorrupt, err)
	}
	d.Name, d.Summary, d.Attribution, d.Version = m.Name, m.Description, m.Attribution, m.Version
	d.SetKind(m.Type)
	return d, nil
}

// headerOf returns a header with what a description says.
func headerOf(d archive.Description) directory.Header {
	h := directory.Header{
		IsClustered: true, Compression: directory.Gzip, TileCompression: tileCompressionOf(d.Format), TileType: tileTypeOf(d.Format),
		MinZoom: d.MinZoom, MaxZoom: d.MaxZoom, CenterZoom: d.Center.Zoom,
	}
	for i, degrees := range []float64{d.Bounds.West, d.Bounds.South, d.Bounds.East, d.Bounds.North} {
		h.Bounds[i] = unitsOf(degrees)
	}
	h.Center = [2]int32{unitsOf(d.Center.Longitude), unitsOf(d.Center.Latitude)}
	return h
}

// descriptionOf returns what a header says. Bounds and center that are not on the globe are unknown.
func descriptionOf(h directory.Header) archive.Description {
	d := archive.Description{
		Format:  formatOf(h.TileType),
		MinZoom: min(h.MinZoom, archive.MaxZoom), MaxZoom: min(h.MaxZoom, archive.MaxZoom),
		Bounds: archive.Bounds{
			West: degreesOf(h.Bounds[0]), South: degreesOf(h.Bounds[1]), East: degreesOf(h.Bounds[2]), North: degreesOf(h.Bounds[3]),
		},
		Center: archive.Center{Longitude: degreesOf(h.Center[0]), Latitude: degreesOf(h.Center[1]), Zoom: min(h.CenterZoom, archive.MaxZoom)},
	}
	return d.WithoutNonsense()
}

// unitsPerDegree are the units of the header.
const unitsPerDegree = 1e7

func unitsOf(degrees float64) int32 {
	return int32(math.Round(min(max(degrees, -180), 180) * unitsPerDegree))
}

func degreesOf(units int32) float64 { return float64(units) / unitsPerDegree }

// tileTypes are the formats by their numbers in the header.
func tileTypes() []archive.Format {
	return []archive.Format{archive.Mixed, archive.Vector, archive.PNG, archive.JPEG, archive.WebP, archive.AVIF}
}

func tileTypeOf(f archive.Format) uint8 {
	for number, format := range tileTypes() {
		if format == f {
			return uint8(number)
		}
	}
	return 0
}

func formatOf(tileType uint8) archive.Format {
	if types := tileTypes(); int(tileType) < len(types) {
		return types[tileType]
	}
	return archive.Mixed
}

// tileCompressionOf returns how tiles of a format are compressed beyond what the format itself does.
func tileCompressionOf(f archive.Format) directory.Compression {
	if f == archive.Vector {
		return directory.Gzip
	}
	return directory.None
}
