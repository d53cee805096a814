package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
)

// kind is a sort of requests.
type kind struct {
	name    string
	share   int   // of the requests
	sampled int   // how many of its answers are compared with those of a quiet server
	may     []int // statuses that are right, besides those of busy servers
	isMade  bool  // whether nearly each of its pictures must be made
	path    func(t *traffic) string
}

// isRight reports whether a status is one that the kind may have.
func (k *kind) isRight(status int) bool {
	return status == http.StatusServiceUnavailable || slices.Contains(k.may, status)
}

const (
	ok          = http.StatusOK
	notModified = http.StatusNotModified
	badRequest  = http.StatusBadRequest
	notFound    = http.StatusNotFound
	failed      = http.StatusInternalServerError
)

// The kinds whose times are told.
const (
	hot       = "hot tiles"
	unchanged = "unchanged tiles"
)

// kinds returns the sorts of requests. The samples are 10,000 answers together.
func kinds() []*kind {
	return []*kind{
		{hot, 30, 500, []int{ok}, false, (*traffic).hotTile},
		{unchanged, 15, 0, []int{ok, notModified}, false, (*traffic).hotTile},
		{"cold tiles", 12, 2500, []int{ok}, true, (*traffic).coldTile},
		{"WMTS tiles", 5, 1000, []int{ok}, false, (*traffic).wmtsTile},
		{"heights", 5, 1000, []int{ok}, false, (*traffic).heightsTile},
		{"large views", 3, 300, []int{ok}, true, (*traffic).largeView},
		{"lossless JPEG 2000", 4, 700, []int{ok}, true, (*traffic).losslessView},
		{"without overviews", 4, 500, []int{ok}, false, (*traffic).bareTile},
		{"replaced files", 8, 2000, []int{ok}, false, (*traffic).changingPicture},
		{"files that come and go", 4, 500, []int{ok, notFound}, false, (*traffic).comingPicture},
		{"damaged file", 2, 0, []int{ok, failed}, false, (*traffic).damagedPicture},
		{"real files", 12, 1000, []int{ok}, false, (*traffic).realPicture},
		{"documents", 5, 0, []int{ok}, false, (*traffic).document},
		{"not there", 3, 0, []int{notFound}, false, (*traffic).missing},
		{"mistakes", 3, 0, []int{badRequest}, false, (*traffic).mistake},
	}
}

// hotTiles is how many tiles are asked for again and again.
const hotTiles = 50

func (t *traffic) hotTile() string {
	n := rand.N(hotTiles)
	return fmt.Sprintf("/tiles/map/%d/%d/%d.png", zoom, cornerColumn+n%8, cornerRow+n/8)
}

// mapTile returns a tile of the map files: level, column, row.
func mapTile() (z, x, y int) {
	up := rand.N(4)
	return zoom - up, cornerColumn>>up + rand.N(8>>up), cornerRow>>up + rand.N(8>>up)
}

func oneOf[T any](all ...T) T { return all[rand.N(len(all))] }

// coldTile returns a tile in a style that was hardly asked for before.
func (t *traffic) coldTile() string {
	z, x, y := mapTile()
	return fmt.Sprintf("/tiles/map/%d/%d/%d%s.%s?rescale=%d,%d", z, x, y, oneOf("", "@2x"), oneOf("png", "jpg", "webp"), rand.N(60), 180+rand.N(60))
}

func (t *traffic) heightsTile() string {
	z, x, y := mapTile()
	return fmt.Sprintf("/tiles/heights/%d/%d/%d.png?%s", z, x, y,
		oneOf("", "algorithm=hillshade", "algorithm=contours", "colormap_name=terrain", fmt.Sprint("rescale=0,", rand.N(4000)+1)))
}

func (t *traffic) wmtsTile() string {
	z, x, y := mapTile()
	if rand.N(2) == 0 {
		return fmt.Sprintf("/wmts/1.0.0/map/default/WebMercatorQuad/%d/%d/%d.png", z, y, x)
	}
	return fmt.Sprintf("/wmts?SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetTile&LAYER=map&STYLE=default&FORMAT=image/jpeg"+
		"&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=%d&TILEROW=%d&TILECOL=%d", z, y, x)
}

// viewOf returns a view of a square part of a layer.
func viewOf(layer, file string, side, shown, size int) string {
	left, top := rand.N(side-shown+1), rand.N(side-shown+1)
	return fmt.Sprintf("/layers/%s/view.%scrs=image&bbox=%d,%d,%d,%d&width=%d&height=%d", layer, file, left, top, left+shown, top+shown, size, size)
}

func (t *traffic) largeView() string {
	file := oneOf("npy?", "png?", "tif?", "jpg?quality=95&", "webp?", "webp?lossless=true&")
	size := oneOf(700, 1100, 1500, 2000, 4096)
	return viewOf(oneOf("noise", "map"), file, noiseSide, 300+rand.N(noiseSide-300), size)
}

func (t *traffic) losslessView() string {
	return viewOf("lossless", oneOf("png?", "jpg?", "webp?"), losslessSide, 100+rand.N(losslessSide-100), oneOf(256, 512, 1000))
}

// bareTile returns a tile of the file without overviews, half of the time with a nodata value that
// makes the server build more of them.
func (t *traffic) bareTile() string {
	up, side := rand.N(5), bareBlock*bareBlocks/256
	address := fmt.Sprintf("/tiles/bare/image/%d/%d/%d.png?wait=%d", 5-up, rand.N(side>>up), rand.N(side>>up), rand.N(4))
	if rand.N(2) == 0 {
		address += fmt.Sprint("&nodata=", rand.N(256))
	}
	return address
}

func (t *traffic) changingPicture() string {
	return versionedPicture(oneOf(t.world.changed...).id)
}

func (t *traffic) comingPicture() string { return versionedPicture(comingLayer(rand.N(filesComing))) }

func (t *traffic) damagedPicture() string { return versionedPicture("damaged") }

// versionedPicture returns a picture of one of the small files.
func versionedPicture(layer string) string {
	switch rand.N(3) {
	case 0:
		return fmt.Sprintf("/layers/%s/preview.%s?max_size=%d", layer, oneOf("png", "jpg", "webp"), 100+rand.N(500))
	case 1:
		return viewOf(layer, oneOf("png?", "npy?", "tif?"), versionWidth, 64+rand.N(versionWidth-64), 256)
	}
	return fmt.Sprintf("/tiles/%s/%d/%d/%d.%s", layer, zoom, cornerColumn+rand.N(2), cornerRow+rand.N(2), oneOf("png", "jpg"))
}

func (t *traffic) realPicture() string {
	if len(t.real) == 0 {
		return t.heightsTile()
	}
	return fmt.Sprintf("/layers/%s/preview.%s?max_size=%d", oneOf(t.real...), oneOf("png", "jpg", "webp", "npy"), 40+rand.N(300))
}

func (t *traffic) document() string {
	switch rand.N(6) {
	case 0:
		return fmt.Sprintf("/layers?limit=%d&q=%x", 1+rand.N(1000), rand.N(1<<20))
	case 1:
		return fmt.Sprintf("/layers?limit=%d&offset=%d", 1+rand.N(100), rand.N(100))
	case 2:
		return fmt.Sprintf("/wmts/1.0.0/WMTSCapabilities.xml?q=%x", rand.N(1<<12))
	case 3:
		return "/layers/map"
	case 4:
		return fmt.Sprintf("/layers/map/tilejson.json?rescale=0,%d", 1+rand.N(255))
	}
	return fmt.Sprintf("/layers/noise/point/%d,%d?crs=image", rand.N(noiseSide), rand.N(noiseSide))
}

func (t *traffic) missing() string {
	return oneOf(fmt.Sprintf("/tiles/none%d/0/0/0.png", rand.N(1000)), fmt.Sprintf("/tiles/map/3/9/%d.png", rand.N(9)), fmt.Sprint("/", rand.N(1000)))
}

func (t *traffic) mistake() string {
	return oneOf("/tiles/map/0/0/0.png?rescale=a", "/layers/map/view.png", fmt.Sprintf("/layers/map/preview.png?max_size=-%d", rand.N(1000)+1), "/layers?limit=-1")
}
