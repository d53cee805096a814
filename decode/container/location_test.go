package container

import (
	"context"
	"errors"
	"testing"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/raster"
)

// fakeImage is an image with a georeference and a camera model.
type fakeImage struct {
	Image
	stated georeference.Georeference
	model  *rpc.Model
	err    error
	asked  int // for the model
}

func (m *fakeImage) Georeference() georeference.Georeference { return m.stated }

func (m *fakeImage) Info() *raster.Info {
	return &raster.Info{Levels: []raster.Level{{Width: 800, Height: 600}}}
}

func (m *fakeImage) RPC(context.Context) (*rpc.Model, error) {
	m.asked++
	return m.model, m.err
}

// aCamera returns a model of a camera that looks straight down.
func aCamera() *rpc.Model {
	return &rpc.Model{From: "it", BiasError: 3, RandomError: 4, RPC: sensor.RPC{
		LineOffset: 299.5, SampleOffset: 399.5, LatitudeOffset: 47, LongitudeOffset: 11, HeightOffset: 500,
		LineScale: 300, SampleScale: 400, LatitudeScale: 0.3, LongitudeScale: 0.5, HeightScale: 1000,
		LineNumerator: [20]float64{0, 0, -1}, LineDenominator: [20]float64{1},
		SampleNumerator: [20]float64{0, 1, 0, 0.1}, SampleDenominator: [20]float64{1},
	}}
}

// TestDatumShiftOfThePlace: the datum shift of an image is that of its place, not that of the area of
// its system.
func TestDatumShiftOfThePlace(t *testing.T) {
	nad27, err := geo.ByCode(4267)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ longitude, latitude, east, north float64 }{
		{-118, 34.1, -0.000875, 0.000015}, // California
		{28.8, 8.7, 0, 0},                 // Sudan, for which no shift is registered
	} {
		got, err := Locate(t.Context(), &fakeImage{stated: georeference.Georeference{
			CRS: nad27, HasAffine: true, Affine: geo.Affine{A: 1e-4, C: test.longitude, E: -1e-4, F: test.latitude},
		}}, Placing{})
		if err != nil || got.Problem != nil {
			t.Fatal(err, got.Problem)
		}
		corner := got.CRS.ToLonLat(got.Placement.Place(geo.Point{}))
		if want := (geo.Point{X: test.longitude + test.east, Y: test.latitude + test.north}); geo.GroundDistance(corner, want) > 3 {
			t.Errorf("got %v, want %v", corner, want)
		}
	}
}

func TestLocations(t *testing.T) {
	utm, err := geo.ByCode(32632)
	if err != nil {
		t.Fatal(err)
	}
	affine := georeference.Georeference{CRS: utm, HasAffine: true, Affine: geo.Affine{A: 10, C: 600000, E: -10, F: 5200000}}
	noCRS := georeference.Georeference{HasAffine: true, Affine: affine.Affine, CRSError: errors.New("no system")}
	identity := georeference.Georeference{CRS: geo.CRS84(), HasAffine: true, Affine: geo.Affine{A: 1, E: 1}}
	points := georeference.Georeference{CRS: utm}
	for _, p := range [][2]float64{{0, 0}, {100, 0}, {0, 100}} {
		points.ControlPoints = append(points.ControlPoints, georeference.ControlPoint{Column: p[0], Row: p[1], X: 600000 + 10*p[0], Y: 5200000 - 10*p[1]})
	}
	onALine := points
	onALine.ControlPoints = points.ControlPoints[:2]
	broken := errors.New("RPC of it: LINE_OFF is no number or missing")
	folded := aCamera()
	folded.LineNumerator[2] = 0
	const (
		byStated = "stated"
		byRPC    = "rpc"
	)
	for _, test := range []struct {
		name    string
		stated  georeference.Georeference
		model   *rpc.Model
		err     error
		placing Placing
		want    string // byStated, byRPC, or the problem
	}{
		{name: "nothing", want: "no georeference found in the file or beside it"},
		{name: "a model", model: aCamera(), want: byRPC},
		{name: "a transform", stated: affine, want: byStated},
		{name: "a transform and a model", stated: affine, model: aCamera(), want: byStated},
		{name: "a transform and a model that is required", stated: affine, model: aCamera(), placing: Placing{RequiresRPC: true}, want: byRPC},
		{name: "control points and a model", stated: points, model: aCamera(), want: byStated},
		{name: "control points that place nothing", stated: onALine, want: "the control points do not place the image: it takes at least three different ones, and there are 2"},
		{name: "control points that place nothing, and a model", stated: onALine, model: aCamera(), want: byRPC},
		{name: "a transform to an unknown system", stated: noCRS, want: "no system"},
		{name: "a transform to an unknown system, and a model", stated: noCRS, model: aCamera(), want: byRPC},
		{name: "pixels as coordinates", stated: identity, want: byStated},
		{name: "pixels as coordinates, and a model", stated: identity, model: aCamera(), want: byRPC},
		{name: "a broken model", err: broken, want: broken.Error()},
		{name: "a model that no sensor has", model: folded, want: "the RPCs do not place the image: they cannot be inverted at a height of 500 m"},
	} {
		m := &fakeImage{stated: test.stated, model: test.model, err: test.err}
		got, err := Locate(t.Context(), m, test.placing)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		found := byStated
		switch {
		case got.Problem != nil:
			found = got.Problem.Error()
		case got.RPC != nil:
			found = byRPC
		}
		if found != test.want {
			t.Errorf("%s: got %q, want %q", test.name, found, test.want)
		}
		if isPlaced := test.want == byStated || test.want == byRPC; (got.CRS != nil) != isPlaced || (got.Placement != nil) != isPlaced {
			t.Errorf("%s: the location is %+v", test.name, got)
		}
		if test.name == "a transform and a model" && m.asked > 0 {
			t.Errorf("%s: side files were searched for a model", test.name)
		}
	}
}

// An image is never placed by its georeference if its model is required.
func TestRequiredModels(t *testing.T) {
	stated := georeference.Georeference{CRS: geo.CRS84(), HasAffine: true, Affine: geo.Affine{A: 0.1, E: -0.1}}
	folded := aCamera()
	folded.LineNumerator[2] = 0
	for _, test := range []struct {
		name  string
		image fakeImage
		want  string
	}{
		{"no model", fakeImage{stated: stated}, "it is to be placed by RPCs: it has none"},
		{"a broken model", fakeImage{stated: stated, err: errors.New("RPC of it: LINE_OFF is no number or missing")},
			"it is to be placed by RPCs: RPC of it: LINE_OFF is no number or missing"},
		{"a model that no sensor has", fakeImage{stated: stated, model: folded},
			"it is to be placed by RPCs: the RPCs do not place the image: they cannot be inverted at a height of 500 m"},
	} {
		if got, err := Locate(t.Context(), &test.image, Placing{RequiresRPC: true}); err == nil || err.Error() != test.want || got.Placement != nil {
			t.Errorf("%s: got %+v and %v, want %q", test.name, got, err, test.want)
		}
	}
}

func TestModelsAreUsedAtAHeight(t *testing.T) {
	for _, test := range []struct {
		placing Placing
		want    float64 // column of the center of the area
	}{{Placing{}, 400}, {Placing{Height: 1500, HasHeight: true}, 440}, {Placing{Height: 0, HasHeight: true}, 380}} {
		got, err := Locate(t.Context(), &fakeImage{model: aCamera()}, test.placing)
		if err != nil {
			t.Fatal(err)
		}
		if pixel := got.Placement.Pixel(geo.Point{X: 11, Y: 47}); pixel != (geo.Point{X: test.want, Y: 300}) {
			t.Errorf("%+v: the center is at %v", test.placing, pixel)
		}
	}
}

func TestTheChipOfAModel(t *testing.T) {
	model := aCamera()
	model.Chip = &geo.Affine{A: 1, C: 100, E: 1, F: 200}
	got, err := Locate(t.Context(), &fakeImage{model: model}, Placing{})
	if err != nil {
		t.Fatal(err)
	}
	if pixel := got.Placement.Pixel(geo.Point{X: 11, Y: 47}); pixel != (geo.Point{X: 300, Y: 100}) {
		t.Errorf("the center is at %v", pixel)
	}
}

func TestLocateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Locate(ctx, &fakeImage{err: errors.New("not read")}, Placing{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
