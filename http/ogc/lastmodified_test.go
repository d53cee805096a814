package ogc_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/geo"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

// A layer may change while the layers of a picture are chosen. The date of that change must not
// become the date of the picture, which may show the version before.
func TestDateOfChangeWhileLayersAreChosen(t *testing.T) {
	const extent = "?f=png&bbox=5,46,10,49&width=50&height=30"
	for _, path := range []string{
		"/map" + extent + "&collections=top,other", "/map" + extent + "&collections=top", "/collections/top/map" + extent,
		topmostTile + "&collections=top,other", topmostTile + "&collections=top",
	} {
		synctest.Test(t, func(t *testing.T) {
			server := servertest.Serve(t, nil, servertest.Flat("other", raster.RGBA{R: 200, A: 255}, topmostPlace))
			top := servertest.Flat("top", raster.RGBA{B: 240, A: 51}, topmostPlace)
			isChanging := false
			top.Config.Open = func(context.Context) (*layer.Dataset, error) {
				if isChanging {
					isChanging = false
					server.Catalog.NoteChange()
					time.Sleep(3 * time.Second)
					return nil, errors.New("half written")
				}
				placement, err := geo.NewAffinePlacement(top.Affine)
				return &layer.Dataset{
					Provider: top.Provider, CRS: top.CRS, Placement: placement, Close: func() error { return nil },
					IsCurrent: func() bool { return !isChanging },
				}, err
			}
			if err := server.Catalog.Add(t.Context(), top.Config); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			for _, wantDate := range []bool{false, true} {
				isChanging = !wantDate
				got := server.GetAs(root+path, "")
				if date := got.Header().Get("Last-Modified"); got.Code != http.StatusOK || (date != "") != wantDate {
					t.Errorf("%s is %d, Last-Modified %q, want one: %t", path, got.Code, date, wantDate)
				}
			}
		})
	}
}
