package servertest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image"
	_ "image/jpeg" // the formats of DecodeImage
	_ "image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	_ "golang.org/x/image/webp"
)

// DamageHeader is the header that counts the damage of a response.
const DamageHeader = "Tileserver-Damage"

// LayerDocument is the document of a layer as clients parse it.
type LayerDocument struct {
	Width, Height int
	DType         string
	Bands         []struct {
		Name, Color string
		NoData      *float64
	}
	CRS        *struct{ Code, Name string }
	CRSProblem string `json:"crs_problem"`
	TileSets   []struct {
		ID               string
		MinZoom, MaxZoom int
		Tiles            string
	} `json:"tile_matrix_sets"`
	Links Links
}

// Links are the addresses in the document of a layer.
type Links struct {
	Self, Tiles, TileJSON, Preview, View, Statistics, Point string
}

// TileJSON is a TileJSON document as clients parse it.
type TileJSON struct {
	TileJSON, Name, Scheme     string
	Tiles                      []string
	Bounds, Center             []float64
	MinZoom, MaxZoom, TileSize int
}

// DecodeJSON parses a successful response.
func DecodeJSON[T any](t testing.TB, recorder *httptest.ResponseRecorder) (v T) {
	t.Helper()
	decode(t, recorder, json.Unmarshal, &v)
	return v
}

// DecodeXML parses a successful response.
func DecodeXML[T any](t testing.TB, recorder *httptest.ResponseRecorder) (v T) {
	t.Helper()
	decode(t, recorder, xml.Unmarshal, &v)
	return v
}

func decode(t testing.TB, recorder *httptest.ResponseRecorder, unmarshal func([]byte, any) error, v any) {
	t.Helper()
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	if err := unmarshal(recorder.Body.Bytes(), v); err != nil {
		t.Fatalf("%v in %s", err, recorder.Body)
	}
}

// DecodeImage decodes a successful response, and returns its format as well.
func DecodeImage(t testing.TB, recorder *httptest.ResponseRecorder) (image.Image, string) {
	t.Helper()
	if recorder.Code != http.StatusOK {
		t.Fatalf("status %d: %s", recorder.Code, recorder.Body)
	}
	img, format, err := image.Decode(bytes.NewReader(recorder.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return img, format
}

// ErrorOf returns the code and message of a JSON error.
func ErrorOf(t testing.TB, recorder *httptest.ResponseRecorder) (code, message string) {
	t.Helper()
	var body struct {
		Error struct{ Code, Message string }
	}
	decoder := json.NewDecoder(recorder.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		t.Fatalf("the error is not JSON: %v", err)
	}
	if got, want := recorder.Header().Get("Cache-Control"), "no-store"; got != want {
		t.Errorf("Cache-Control of an error is %q, want %q", got, want)
	}
	return body.Error.Code, body.Error.Message
}
