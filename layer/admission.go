package layer

import "context"

// RunInSlot calls work in a slot of the gate, with memory for a PNG of some pixels. It is for pictures
// that do not show an image, such as legends.
func (c *Catalog) RunInSlot(ctx context.Context, width, height int, work func() error) error {
	o := output{format: PNG, width: width, height: height}
	if err := c.config.Gate.Run(ctx, c.emptyWork(&o), func(context.Context) error { return work() }); err != nil {
		return Classify(err)
	}
	return nil
}
