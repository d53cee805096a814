package layer_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/layer"
)

// Pictures that the server or the client has cached tell the gate, so that dear work leaves them a core.
// Rendered ones do not.
func TestCachedPicturesTellTheGate(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer func(c *layer.Composition) error
		tells  bool
	}{
		{"cached", func(c *layer.Composition) error { _, err := c.Picture(t.Context()); return err }, true},
		{"kept", func(c *layer.Composition) error { c.CountKept(); return nil }, true},
		{"prepared", func(*layer.Composition) error { return nil }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := admission.New(admission.Config{})
				c, _, _ := newStackCatalog(t, func(c *layer.CatalogConfig) { c.Gate = gate })
				picture := mustPrepare(t, c, layer.Request{Area: pixels(30, 20)})
				if _, err := picture.Picture(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, leave, err := gate.Enter(t.Context(), admission.Work{Cost: time.Hour})
				if err != nil {
					t.Fatal(err)
				}
				defer leave()
				admission.MustLeaveCore(ctx) // a period begins
				for range 500 {
					if err := test.answer(picture); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(time.Second)
				if admission.MustLeaveCore(ctx) != test.tells {
					t.Errorf("dear work must leave a core: %v, want %v", !test.tells, test.tells)
				}
			})
		})
	}
}
