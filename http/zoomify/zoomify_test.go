package zoomify_test

import (
	"fmt"
	"testing"

	"tileserver/http/servertest"
)

type zoomifyImage struct {
	Width    int `xml:"WIDTH,attr"`
	Height   int `xml:"HEIGHT,attr"`
	Tiles    int `xml:"NUMTILES,attr"`
	TileSize int `xml:"TILESIZE,attr"`
}

func TestZoomifyDocument(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, servertest.Solid("crossing", 513, 100))
	for path, want := range map[string]zoomifyImage{
		"/zoomify/plain/ImageProperties.xml":              {servertest.PlainWidth, servertest.PlainHeight, 9, 256},
		"/zoomify/plain/truncated/ImageProperties.xml":    {servertest.PlainWidth, servertest.PlainHeight, 9, 256},
		"/zoomify/crossing/ImageProperties.xml":           {513, 100, 6, 256},
		"/zoomify/crossing/truncated/ImageProperties.xml": {513, 100, 4, 256},
	} {
		if got := servertest.DecodeXML[zoomifyImage](t, server.Get(t, path)); got != want {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
}

func TestZoomifyTilesAreTheImage(t *testing.T) {
	server := servertest.New(t, nil)
	for tier := range 3 {
		for _, folder := range []string{"", "truncated/"} {
			whole := server.Stitch(t, servertest.Halved(servertest.PlainWidth, 2-tier), servertest.Halved(servertest.PlainHeight, 2-tier), 256, func(column, row int) string {
				return fmt.Sprintf("/zoomify/plain/%sTileGroup0/%d-%d-%d.png", folder, tier, column, row)
			})
			server.CheckAgainstView(t, whole, "plain", 2-tier)
		}
	}
}

func TestZoomifyOfASolidImage(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, servertest.Solid("crossing", 1025, 517)) // 5 columns, then 3, then 2, then 1
	for tier := range 4 {
		whole := server.Stitch(t, servertest.Halved(1025, 3-tier), servertest.Halved(517, 3-tier), 256, func(column, row int) string {
			return fmt.Sprintf("/zoomify/crossing/TileGroup0/%d-%d-%d.png", tier, column, row)
		})
		servertest.CheckSolid(t, fmt.Sprint("tier ", tier), whole)
	}
	for tier := range 3 {
		whole := server.Stitch(t, servertest.Halved(1025, 2-tier), servertest.Halved(517, 2-tier), 256, func(column, row int) string {
			return fmt.Sprintf("/zoomify/crossing/truncated/TileGroup0/%d-%d-%d.png", tier, column, row)
		})
		servertest.CheckSolid(t, fmt.Sprint("truncated tier ", tier), whole)
	}
}

func TestZoomifyGroups(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, servertest.Solid("wide", 10000, 2000)) // 1 + 2 + 3 + 5 + 20 + 80 + 320 tiles
	for path, want := range map[string]int{
		"/zoomify/wide/TileGroup0/6-39-2.jpg": 200,
		"/zoomify/wide/TileGroup1/6-39-2.jpg": 404,
		"/zoomify/wide/TileGroup1/6-39-7.jpg": 200,
		"/zoomify/wide/TileGroup0/6-39-7.jpg": 404,
		"/zoomify/wide/TileGroup2/6-39-7.jpg": 404,
	} {
		if got := server.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
}

func TestZoomifyErrors(t *testing.T) {
	server := servertest.New(t, nil)
	for path, want := range map[string]int{
		"/zoomify/nope/ImageProperties.xml":          404,
		"/zoomify/plain/imageproperties.xml":         404,
		"/zoomify/nope/TileGroup0/0-0-0.jpg":         404,
		"/zoomify/plain/TileGroup1/0-0-0.jpg":        404,
		"/zoomify/plain/TileGroup00/0-0-0.jpg":       404,
		"/zoomify/plain/tilegroup0/0-0-0.jpg":        404,
		"/zoomify/plain/TileGroup0/3-0-0.jpg":        404,
		"/zoomify/plain/TileGroup0/0-1-0.jpg":        404,
		"/zoomify/plain/TileGroup0/0-0-1.jpg":        404,
		"/zoomify/plain/TileGroup0/0-0.jpg":          404,
		"/zoomify/plain/TileGroup0/0-0-0":            404,
		"/zoomify/plain/TileGroup0/0-0-0.gif":        404,
		"/zoomify/plain/TileGroup0/0--1-0.jpg":       404,
		"/zoomify/plain/TileGroup0/0-0-0.jpg?bidx=9": 400,
	} {
		if got := server.Get(t, path); got.Code != want {
			t.Errorf("%s: status %d, want %d: %s", path, got.Code, want, got.Body)
		}
	}
	if server.Reads() != 0 {
		t.Errorf("invalid requests caused %d reads", server.Reads())
	}
}
