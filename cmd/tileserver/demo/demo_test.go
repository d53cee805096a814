package demo_test

import (
	"encoding/binary"
	"testing"

	"tileserver/cmd/tileserver/demo"
)

// directories returns the single-value tags of all images of a little-endian TIFF.
func directories(t *testing.T, data []byte) []map[uint16]uint32 {
	t.Helper()
	order := binary.LittleEndian
	if string(data[:4]) != "II*\x00" {
		t.Fatalf("the file begins with %q, which is no TIFF", data[:4])
	}
	var found []map[uint16]uint32
	for at := order.Uint32(data[4:]); at != 0 && len(found) < 20; {
		tags := make(map[uint16]uint32)
		count := uint32(order.Uint16(data[at:]))
		for entry := range count {
			tag := data[at+2+12*entry:]
			switch order.Uint16(tag[2:]) {
			case 3:
				tags[order.Uint16(tag)] = uint32(order.Uint16(tag[8:]))
			default:
				tags[order.Uint16(tag)] = order.Uint32(tag[8:])
			}
		}
		found = append(found, tags)
		at = order.Uint32(data[at+2+12*count:])
	}
	return found
}

func TestFilesAreSmall(t *testing.T) {
	const most = 3e6
	total := 0
	for _, file := range demo.Files() {
		total += len(file.Data)
	}
	if total > most {
		t.Errorf("the files have %d bytes together, want at most %.0f", total, most)
	}
}

func TestLayersOnTheMapAreCloudOptimizedGeoTIFFs(t *testing.T) {
	const width, height, tileWidth, tileOffsets, samples, geoKeys = 256, 257, 322, 324, 277, 34735
	for i, want := range []struct {
		name           string
		pixels, images int
		samples        uint32
	}{{"demo.tif", 2500, 5, 4}, {"elevation.tif", 1200, 4, 1}} {
		file := demo.Files()[i]
		if file.Name() != want.name {
			t.Errorf("file %d is %q, want %q", i, file.Name(), want.name)
		}
		images := directories(t, file.Data)
		if len(images) < want.images {
			t.Fatalf("%s has %d images, want one and its overviews", want.name, len(images))
		}
		if first := images[0]; int(first[width]) < want.pixels || first[width] == first[height] || first[samples] != want.samples {
			t.Errorf("%s is %d × %d of %d samples, want something wide of %d", want.name, first[width], first[height], first[samples], want.samples)
		}
		if _, isThere := images[0][geoKeys]; !isThere {
			t.Errorf("%s is nowhere on earth", want.name)
		}
		for i, tags := range images {
			if tags[tileWidth] != 512 {
				t.Errorf("%s: image %d has tiles of %d pixels, want 512", want.name, i, tags[tileWidth])
			}
			if i > 0 && tags[width] != (images[i-1][width]+1)/2 {
				t.Errorf("%s: image %d is %d wide, after one of %d", want.name, i, tags[width], images[i-1][width])
			}
		}
		if last := images[len(images)-1]; last[width] > 512 || last[tileOffsets] == 0 {
			t.Errorf("%s: the last overview is %d wide, want it to be one tile", want.name, last[width])
		}
	}
}

func TestTheSheetHasTwoPages(t *testing.T) {
	const newSubfileType = 254
	pages := directories(t, demo.Files()[2].Data)
	if len(pages) != 2 || pages[1][newSubfileType] != 0 {
		t.Errorf("it has %d images, the second of type %d, want two pages", len(pages), pages[1][newSubfileType])
	}
}
