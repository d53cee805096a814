package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"testing"

	"tileserver/http/servertest"
)

func TestPicturesHaveTheirFormatAndSize(t *testing.T) {
	tests := []struct {
		path          string
		format        string
		width, height int
	}{
		{"/tiles/map/" + servertest.CornerTile + ".png", "png", 256, 256},
		{"/tiles/map/" + servertest.CornerTile + ".webp", "webp", 256, 256},
		{"/tiles/map/" + servertest.CornerTile + ".jpg", "jpeg", 256, 256},
		{"/tiles/map/" + servertest.CornerTile + ".jpeg", "jpeg", 256, 256},
		{"/tiles/map/" + servertest.CornerTile + "@2x.png", "png", 512, 512},
		{"/tiles/map/" + servertest.CornerTile + "%402x.jpg", "jpeg", 512, 512},
		{"/tiles/map/WorldCRS84Quad/0/1/0.png", "png", 256, 256},
		{"/tiles/plain/image/1/1/0.png", "png", 256, 256},
		{"/layers/map/preview.png", "png", 512, 425},
		{"/layers/map/preview.png?max_size=100", "png", 100, 83},
		{"/layers/map/preview.png?max_size=2048", "png", 601, 499},
		{"/layers/map/preview.png?width=2048", "png", 601, 499},
		{"/layers/map/preview.png?height=2048", "png", 601, 499},
		{"/layers/map/preview.png?width=1202&height=600", "png", 601, 300},
		{"/layers/map/preview.png?width=100&height=998", "png", 50, 499},
		{"/layers/map/preview.png?width=7&height=499", "png", 7, 499},
		{"/layers/map/view.png?bbox=-200,-100,200,100&width=40", "png", 40, 20},
		{"/layers/map/view.png?bbox=10,80,40,95&width=40", "png", 40, 20},
		{"/layers/map/view.png?bbox=0,0,300,100&crs=image", "png", 512, 171},
		{"/layers/map/view.png?bbox=0,0,100,300&crs=image", "png", 171, 512},
		{"/layers/map/view.png?bbox=0,0,300,100&crs=image&width=30", "png", 30, 10},
		{"/layers/map/view.png?bbox=0,0,300,100&crs=image&height=30", "png", 90, 30},
		{"/layers/map/view.webp?bbox=0,0,300,100&crs=image&width=7&height=11", "webp", 7, 11},
		{"/layers/utm/view.png?bbox=500000,5297000,507000,5300000&crs=EPSG:32633&width=70&height=30", "png", 70, 30},
		{"/layers/utm/view.png?bbox=500000,5297000,507000,5300000&bbox-crs=32633&width=70&height=30", "png", 70, 30},
		{"/layers/utm/view.png?bbox=15,47.8,15.1,47.9&width=64", "png", 64, 64},
		{"/layers/utm/view.png?bbox=15,47.8,15.1,47.9&width=64&crs=CRS84", "png", 64, 64},
	}
	server := servertest.New(t, nil)
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			got := server.Get(t, test.path)
			img, format := servertest.DecodeImage(t, got)
			if size := img.Bounds().Size(); format != test.format || size != image.Pt(test.width, test.height) {
				t.Errorf("a %s of %v, want a %s of %dx%d", format, size, test.format, test.width, test.height)
			}
			if length := got.Header().Get("Content-Length"); length != fmt.Sprint(got.Body.Len()) {
				t.Errorf("Content-Length is %s of %d bytes", length, got.Body.Len())
			}
		})
	}
}

func TestPicturesShowThePixels(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range []string{
		"/tiles/map/" + servertest.CornerTile + ".png",
		"/tiles/map/image/2/0/0.png",
		"/layers/map/view.png?bbox=0,0,256,256&crs=image&width=256&height=256",
		"/layers/map/preview.png?max_size=2048",
	} {
		img, _ := servertest.DecodeImage(t, server.Get(t, path))
		for _, at := range []image.Point{{0, 0}, {17, 5}, {100, 31}} {
			first := at.X + 2*at.Y
			want := color.RGBA{uint8(first), uint8(first + 50), uint8(first + 100), 255}
			if got := color.RGBAModel.Convert(img.At(at.X, at.Y)); got != want {
				t.Errorf("%s at %v is %v, want %v", path, at, got, want)
			}
		}
	}
}

func TestStyleParametersChangeThePicture(t *testing.T) {
	tests := []struct {
		name, layer, query string
		same               bool // as without the query
	}{
		{"one band", "map", "bidx=2", false},
		{"other bands", "map", "bidx=3&bidx=2&bidx=1", false},
		{"other bands in a list", "map", "bidx=3,2,1", false},
		{"the bands themselves", "map", "bidx=1,2,3", true},
		{"rescale", "map", "rescale=10,100", false},
		{"a rescale a band", "map", "rescale=0,10&rescale=0,100&rescale=0,255", false},
		{"what is stored", "map", "stretch=none", true},
		{"stretch", "map", "stretch=percentile:10,90", false},
		{"colors", "height", "colormap_name=viridis", false},
		{"colors of the first of three bands", "map", "bidx=1&colormap_name=viridis", false},
		{"nodata", "map", "nodata=5", false},
		{"NaN is no data anyhow", "map", "nodata=nan", true},
		{"resampling", "map", "resampling=nearest", false},
		{"empty values", "map", "bidx=&rescale=&stretch=", true},
		{"what nobody knows", "map", "_=1234&utm_source=x", true},
	}
	server := servertest.New(t, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := "/layers/" + test.layer + "/preview.png?max_size=50"
			plain, styled := server.Get(t, path), server.Get(t, path+"&"+test.query)
			servertest.DecodeImage(t, styled)
			sameETag := plain.Header().Get("ETag") == styled.Header().Get("ETag")
			if sameBytes := bytes.Equal(plain.Body.Bytes(), styled.Body.Bytes()); sameBytes != test.same || sameETag != test.same {
				t.Errorf("same bytes: %v, same ETag: %v, want %v", sameBytes, sameETag, test.same)
			}
		})
	}
}

// A query may override any part of a layer's style.
func TestQueryOverridesStyle(t *testing.T) {
	server := servertest.New(t, nil)
	tests := []struct{ query, same string }{ // same is the equivalent query of the unstyled layer
		{"", "?bidx=3,2,1&rescale=0,100&rescale=0,200&rescale=50,255&resampling=nearest"},
		{"?bidx=2", "?bidx=2&resampling=nearest"},
		{"?colormap_name=viridis&bidx=3", "?bidx=3&colormap_name=viridis&resampling=nearest"},
		{"?algorithm=hillshade&bidx=3", "?bidx=3&algorithm=hillshade&resampling=nearest"},
		{"?stretch=none", "?bidx=3,2,1&stretch=none&resampling=nearest"},
		{"?rescale=0,9", "?bidx=3,2,1&rescale=0,9&resampling=nearest"},
		{"?resampling=cubic", "?bidx=3,2,1&rescale=0,100&rescale=0,200&rescale=50,255&resampling=cubic"},
	}
	for _, test := range tests {
		styled, plain := server.Get(t, "/layers/styled/preview.png"+test.query), server.Get(t, "/layers/map/preview.png"+test.same)
		servertest.DecodeImage(t, styled)
		if !bytes.Equal(styled.Body.Bytes(), plain.Body.Bytes()) {
			t.Errorf("the styled layer with %q is not like the other with %q", test.query, test.same)
		}
	}
}

func TestQualityChangesTheSize(t *testing.T) {
	server := servertest.New(t, nil)
	low, high := server.Get(t, "/layers/map/preview.jpg?quality=10"), server.Get(t, "/layers/map/preview.jpg?quality=95")
	if low.Code != http.StatusOK || high.Code != http.StatusOK || low.Body.Len() >= high.Body.Len() {
		t.Errorf("%d bytes of quality 10 (%d), %d of quality 95 (%d)", low.Body.Len(), low.Code, high.Body.Len(), high.Code)
	}
}
