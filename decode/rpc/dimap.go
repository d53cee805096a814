package rpc

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tileserver/geo"
)

// ParseDIMAP parses a file RPC_NAME.XML of Pléiades and SPOT: an XML document whose inverse model
// maps the ground to the image.
func ParseDIMAP(from, text string) (*Model, error) {
	texts := make(map[string]string)
	first := map[string]float64{"FIRST_ROW": 1, "FIRST_COL": 1} // number of the first pixel, in documents that do not tell
	err := forEachText(text, func(parent, name, value string) {
		switch parent {
		case "RFM_Validity", "Inverse_Model", "GroundtoImage_Values":
			texts[name] = value
		case "ImagetoGround_Validity_Domain":
			if v, err := strconv.ParseFloat(value, 64); err == nil {
				first[name] = v
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("RPC of %s: %w", from, err)
	}
	m, err := fromTexts(from, texts, func(f field) string { return f.text })
	if err != nil {
		return nil, err
	}
	m.LineOffset -= first["FIRST_ROW"]
	m.SampleOffset -= first["FIRST_COL"]
	return m, nil
}

// DIMAPTile returns the part of the full image that a file holds which is one of its tiles. It reads
// the size of tiles from the text of DIM_NAME.XML. row and column of the tile count from 1.
func DIMAPTile(text string, row, column int) (*geo.Affine, error) {
	size := make(map[string]float64)
	err := forEachText(text, func(parent, name, value string) {
		v, err := strconv.ParseFloat(value, 64)
		if isSize := parent == "NTILES_SIZE" || parent == "Regular_Tiling"; isSize && err == nil {
			size[name] = v
		}
	})
	width, height := size["ncols"], size["nrows"]
	switch {
	case err != nil:
		return nil, err
	case !(width > 0 && height > 0) || math.IsInf(width, 0) || math.IsInf(height, 0):
		return nil, errors.New("it does not tell the size of tiles")
	case size["OVERLAP_COL"] != 0 || size["OVERLAP_ROW"] != 0:
		return nil, errors.New("its tiles overlap")
	}
	return &geo.Affine{A: 1, C: float64(column-1) * width, E: 1, F: float64(row-1) * height}, nil
}

// forEachText calls do for each element of an XML document that has text, and for each attribute,
// with the name of the element around it.
func forEachText(text string, do func(parent, name, value string)) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // names and numbers are ASCII
	names := []string{"", ""}                                                                        // of the elements around, the innermost last
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			names = append(names, t.Name.Local)
			for _, a := range t.Attr {
				do(t.Name.Local, a.Name.Local, a.Value)
			}
		case xml.EndElement:
			names = names[:len(names)-1]
		case xml.CharData:
			if value := strings.TrimSpace(string(t)); value != "" {
				do(names[len(names)-2], names[len(names)-1], value)
			}
		}
	}
}
