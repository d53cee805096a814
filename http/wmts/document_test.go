package wmts_test

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"testing"
)

// wmtsDocument is a capabilities document as clients parse it.
type wmtsDocument struct {
	XMLName        xml.Name `xml:"http://www.opengis.net/wmts/1.0 Capabilities"`
	Version        string   `xml:"version,attr"`
	UpdateSequence string   `xml:"updateSequence,attr"`
	Schema         string   `xml:"http://www.w3.org/2001/XMLSchema-instance schemaLocation,attr"`

	Identification *struct {
		Title, Abstract   string
		Keywords          []string `xml:"Keywords>Keyword"`
		ServiceType       string
		Fees              string
		AccessConstraints string
	} `xml:"ServiceIdentification"`
	Provider *struct {
		Name    string `xml:"ProviderName"`
		Contact string `xml:"ServiceContact>IndividualName"`
		Email   string `xml:"ServiceContact>ContactInfo>Address>ElectronicMailAddress"`
	} `xml:"ServiceProvider"`
	Operations *struct {
		Operations []struct {
			Name string `xml:"name,attr"`
			Gets []struct {
				Href     string   `xml:"href,attr"`
				Encoding []string `xml:"Constraint>AllowedValues>Value"`
			} `xml:"DCP>HTTP>Get"`
			Parameters []struct {
				Name   string   `xml:"name,attr"`
				Values []string `xml:"AllowedValues>Value"`
			} `xml:"Parameter"`
		} `xml:"Operation"`
	} `xml:"OperationsMetadata"`
	Contents *struct {
		Layers []wmtsLayer     `xml:"Layer"`
		Sets   []wmtsMatrixSet `xml:"TileMatrixSet"`
	}
	Themes   *struct{}
	Metadata []struct {
		Href string `xml:"href,attr"`
	} `xml:"ServiceMetadataURL"`
}

type wmtsLayer struct {
	Title, Abstract string
	ID              string    `xml:"Identifier"`
	WGS84           wmtsBox   `xml:"WGS84BoundingBox"`
	Boxes           []wmtsBox `xml:"BoundingBox"`
	Styles          []struct {
		Default bool   `xml:"isDefault,attr"`
		ID      string `xml:"Identifier"`
		Title   string
		Legends []struct {
			Format string `xml:"format,attr"`
			Href   string `xml:"href,attr"`
			Width  int    `xml:"width,attr"`
			Height int    `xml:"height,attr"`
		} `xml:"LegendURL"`
	} `xml:"Style"`
	Formats     []string `xml:"Format"`
	InfoFormats []string `xml:"InfoFormat"`
	Links       []struct {
		Set    string `xml:"TileMatrixSet"`
		Limits *struct {
			Matrices []wmtsTileLimits `xml:"TileMatrixLimits"`
		} `xml:"TileMatrixSetLimits"`
	} `xml:"TileMatrixSetLink"`
	Resources []struct {
		Format   string `xml:"format,attr"`
		Type     string `xml:"resourceType,attr"`
		Template string `xml:"template,attr"`
	} `xml:"ResourceURL"`
}

type wmtsTileLimits struct {
	Matrix                                         string `xml:"TileMatrix"`
	MinTileRow, MaxTileRow, MinTileCol, MaxTileCol int
}

type wmtsBox struct {
	CRS                      string `xml:"crs,attr"`
	LowerCorner, UpperCorner string
}

type wmtsMatrixSet struct {
	ID       string       `xml:"Identifier"`
	CRS      string       `xml:"SupportedCRS"`
	ScaleSet string       `xml:"WellKnownScaleSet"`
	Matrices []wmtsMatrix `xml:"TileMatrix"`
}

type wmtsMatrix struct {
	ID                                               string `xml:"Identifier"`
	ScaleDenominator                                 float64
	TopLeftCorner                                    string
	TileWidth, TileHeight, MatrixWidth, MatrixHeight int
}

const metadataPath = "/wmts/1.0.0/WMTSCapabilities.xml"

func capabilitiesOf(t testing.TB, recorder *httptest.ResponseRecorder) wmtsDocument {
	t.Helper()
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	var d wmtsDocument
	if err := xml.Unmarshal(recorder.Body.Bytes(), &d); err != nil {
		t.Fatalf("%v in %.300s", err, recorder.Body)
	}
	return d
}

func (d *wmtsDocument) layer(t testing.TB, id string) wmtsLayer {
	t.Helper()
	for _, l := range d.Contents.Layers {
		if l.ID == id {
			return l
		}
	}
	t.Fatalf("there is no layer %q", id)
	return wmtsLayer{}
}

func (d *wmtsDocument) set(t testing.TB, id string) wmtsMatrixSet {
	t.Helper()
	for _, s := range d.Contents.Sets {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no tile matrix set %q", id)
	return wmtsMatrixSet{}
}
