package wrap_test

import (
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

func TestWrappersPassDamageOn(t *testing.T) {
	upsideDown := func(i *raster.Info) { i.Orientation = 3 }
	ofFourBits := func(i *raster.Info) { i.Bits, i.Bands[0].Color = 4, raster.Gray }
	for name, test := range map[string]struct {
		provider       raster.Provider
		damaged, sound raster.BlockID
	}{
		"masked":  {wrap.Mask(rastertest.DamagedCorner(nil), 7), raster.BlockID{}, raster.BlockID{Row: 1}},
		"retiled": {wrap.Retile(rastertest.DamagedCorner(nil), 24, 24), raster.BlockID{}, raster.BlockID{Col: 1}},
		"turned":  {wrap.Orient(rastertest.DamagedCorner(upsideDown)), raster.BlockID{Col: 3, Row: 2}, raster.BlockID{}},
		"spread":  {wrap.Spread(rastertest.DamagedCorner(ofFourBits)), raster.BlockID{}, raster.BlockID{Col: 1}},
	} {
		t.Run(name, func(t *testing.T) { rastertest.ShowsDamage(t, test.provider, 0, test.damaged, test.sound) })
	}
}
