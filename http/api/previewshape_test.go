package api_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/http/servertest"
	"tileserver/layer"
)

// A file is replaced by one of another size after a request has read its description. The preview
// must show all of one version, not one version in the shape of the other.
func TestPreviewWhenFileIsReplaced(t *testing.T) {
	for _, query := range []string{"width=61", "height=40", "width=60&height=50"} {
		synctest.Test(t, func(t *testing.T) {
			server := servertest.New(t, nil)
			opened := 0
			open := func(context.Context) (*layer.Dataset, error) {
				opened++
				width, height := 603, 402
				switch opened {
				case 2:
					time.Sleep(2 * time.Second) // until the next request checks the file again
					return nil, errors.New("half written")
				case 3:
					width, height = 201, 134
				}
				return &layer.Dataset{
					Provider: servertest.Colors(fmt.Sprint("shrinking@", opened), width, height), Close: func() error { return nil },
					IsCurrent: func() bool { return opened == 3 },
				}, nil
			}
			if err := server.Catalog.Add(t.Context(), layer.Config{ID: "shrinking", Open: open}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(3 * time.Second)
			got := server.Get(t, "/layers/shrinking/preview.png?"+query)
			if got.Code != http.StatusOK {
				t.Fatalf("%s: status %d: %s", query, got.Code, got.Body)
			}
			picture, _, err := image.Decode(got.Body)
			if err != nil || opened != 3 {
				t.Fatalf("%s: %v, opened %d times", query, err, opened)
			}
			last := picture.Bounds().Max.Sub(image.Pt(1, 1))
			if _, _, _, alpha := picture.At(last.X, last.Y).RGBA(); alpha == 0 {
				t.Errorf("%s: the last pixel is empty: %v", query, last)
			}
		})
	}
}
