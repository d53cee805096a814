package geo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tileserver/identifier"
)

// ErrTileMatrixSet means that the definition of a tile matrix set is invalid or not supported.
var ErrTileMatrixSet = errors.New("unusable tile matrix set")

// Limits of a definition. Columns and rows of pixels are counted in int and in float64.
const (
	maxSetBytes       = 1 << 20
	maxMatrices       = 64
	maxTileSide       = 4096
	maxPixelsAcross   = 1 << 40
	maxSetCoordinate  = 1e12
	minResolution     = 1e-12
	maxIdentifierSize = 100
)

// ParseTileMatrixSet parses a definition in the JSON of the OGC standard Two Dimensional Tile
// Matrix Set 2.0. It uses the cell sizes and computes the scale denominators from them. Rows must
// count from the top, and all rows of a matrix must have the same width.
func ParseTileMatrixSet(text []byte) (*TileMatrixSet, error) {
	if len(text) > maxSetBytes {
		return nil, fmt.Errorf("%w: %d bytes of text, more than %d", ErrTileMatrixSet, len(text), maxSetBytes)
	}
	var document setDocument
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTileMatrixSet, explainJSON(err))
	}
	set, err := document.set()
	if err != nil {
		return nil, fmt.Errorf("%w %.100q: %w", ErrTileMatrixSet, document.ID, err)
	}
	return set, nil
}

// matrixDocuments is a list that stops decoding beyond maxMatrices, before it allocates more.
type matrixDocuments []matrixDocument

// UnmarshalJSON decodes the matrices one by one.
func (d *matrixDocuments) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return errors.New("tileMatrices is no list")
	}
	*d = nil
	for decoder.More() {
		if len(*d) == maxMatrices {
			return fmt.Errorf("more than %d tile matrices", maxMatrices)
		}
		var m matrixDocument
		if err := decoder.Decode(&m); err != nil {
			return fmt.Errorf("tile matrix %d: %w", len(*d), explainJSON(err))
		}
		*d = append(*d, m)
	}
	return nil
}

// explainJSON names the key of a value of the wrong kind, instead of Go's types.
func explainJSON(err error) error {
	wrong := (*json.UnmarshalTypeError)(nil)
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Field == "":
		return fmt.Errorf("%s is not allowed here", kindOfJSON(wrong.Value))
	}
	return fmt.Errorf("%s is not allowed as %s", kindOfJSON(wrong.Value), wrong.Field)
}

// kindOfJSON returns a readable name of a kind of value. The kind of a number may include its
// digits.
func kindOfJSON(kind string) string {
	switch kind {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "string":
		return "a text"
	}
	return "a " + kind
}

func (d *setDocument) set() (*TileMatrixSet, error) {
	if !isSetID(d.ID) {
		return nil, errors.New("the id must be of letters, digits, \"-\", \"_\" and \".\"")
	}
	crs, err := d.crs()
	if err != nil {
		return nil, err
	}
	if len(d.TileMatrices) == 0 {
		return nil, errors.New("no tileMatrices")
	}
	set := &TileMatrixSet{ID: d.ID, Title: d.Title, URI: d.URI, CRS: crs, WellKnownScaleSet: d.WellKnownScaleSet}
	names := make(map[string]bool)
	for i := range d.TileMatrices {
		m, err := d.TileMatrices[i].matrix(crs)
		if err != nil {
			return nil, fmt.Errorf("tile matrix %d, %.100q: %w", i, d.TileMatrices[i].ID, err)
		}
		if names[m.ID] {
			return nil, fmt.Errorf("two tile matrices are named %q", m.ID)
		}
		names[m.ID] = true
		set.Matrices = append(set.Matrices, m)
	}
	slices.SortStableFunc(set.Matrices, func(a, b TileMatrix) int { return cmp.Compare(b.Resolution, a.Resolution) })
	return set, nil
}

// crs parses the CRS, which is a text or an object with a URI.
func (d *setDocument) crs() (*CRS, error) {
	var name string
	var object struct {
		URI string `json:"uri"`
	}
	switch {
	case json.Unmarshal(d.CRS, &name) == nil:
	case json.Unmarshal(d.CRS, &object) == nil && object.URI != "":
		name = object.URI
	default:
		return nil, errors.New("crs must be the URI of a reference system")
	}
	crs, _, err := ParseCRSName(name) // axis order follows the definition, whatever the form of the name
	if err != nil {
		return nil, err
	}
	if said, ok := parseAxisOrder(d.OrderedAxes); ok && said != crs.NorthingFirst() {
		first, second := crs.AxisAbbreviations()
		return nil, fmt.Errorf("orderedAxes are %.50q, those of %.100s are %q and %q", d.OrderedAxes, name, first, second)
	}
	return crs, nil
}

// parseAxisOrder interprets the names of axes. X and Y are ambiguous: in many systems X is the
// northing.
func parseAxisOrder(axes []string) (northingFirst, ok bool) {
	if len(axes) == 0 {
		return false, false
	}
	switch strings.ToLower(axes[0]) {
	case "lat", "latitude", "n", "north", "northing":
		return true, true
	case "lon", "long", "longitude", "e", "east", "easting":
		return false, true
	}
	return false, false
}

func (d *matrixDocument) matrix(crs *CRS) (TileMatrix, error) {
	switch {
	case !isMatrixID(d.ID):
		return TileMatrix{}, errors.New("the id must be of letters, digits, \"-\", \"_\", \".\" and \":\"")
	case len(d.VariableWidths) > 0 && string(d.VariableWidths) != "null" && string(d.VariableWidths) != "[]":
		return TileMatrix{}, errors.New("variableMatrixWidths are not served: all rows must be as wide")
	case d.CornerOfOrigin != "" && d.CornerOfOrigin != topLeft:
		return TileMatrix{}, fmt.Errorf("the cornerOfOrigin %.50q is not served: rows must count from the top left", d.CornerOfOrigin)
	case len(d.PointOfOrigin) != 2:
		return TileMatrix{}, fmt.Errorf("pointOfOrigin has %d numbers, not 2", len(d.PointOfOrigin))
	}
	origin := crs.FromOrdered(d.PointOfOrigin[0], d.PointOfOrigin[1])
	m := TileMatrix{
		ID: d.ID, OriginX: origin.X, OriginY: origin.Y, Resolution: d.CellSize,
		TileWidth: d.TileWidth, TileHeight: d.TileHeight, Columns: d.MatrixWidth, Rows: d.MatrixHeight,
	}
	if m.Resolution == 0 {
		m.Resolution = d.ScaleDenominator * metersPerOGCPixel / ogcMetersPerUnit(crs)
	}
	m.SetResolution(m.Resolution, crs)
	return m, m.check()
}

// check rejects matrices with numbers that cannot be computed with.
func (m *TileMatrix) check() error {
	extent := m.Extent()
	largest := max(math.Abs(extent.MinX), math.Abs(extent.MinY), math.Abs(extent.MaxX), math.Abs(extent.MaxY))
	switch {
	case m.TileWidth < 1 || m.TileHeight < 1 || m.TileWidth > maxTileSide || m.TileHeight > maxTileSide:
		return fmt.Errorf("tiles of %d × %d pixels: a side has 1 to %d", m.TileWidth, m.TileHeight, maxTileSide)
	case m.Columns < 1 || m.Rows < 1 || m.Columns > maxPixelsAcross/m.TileWidth || m.Rows > maxPixelsAcross/m.TileHeight:
		return fmt.Errorf("a matrix of %d × %d tiles", m.Columns, m.Rows)
	case !(m.Resolution >= minResolution):
		return fmt.Errorf("a cellSize of %g", m.Resolution)
	case !(largest <= maxSetCoordinate):
		return errors.New("the tiles lie nowhere near the earth")
	}
	return nil
}

// isSetID reports whether a text can be the id of a tile matrix set.
func isSetID(id string) bool { return identifier.IsValid(id) && len(id) <= maxIdentifierSize }

// isMatrixID reports whether a text can be the id of a tile matrix. Some begin with that of their
// set and a colon.
func isMatrixID(id string) bool { return isSetID(strings.ReplaceAll(id, ":", "-")) }
