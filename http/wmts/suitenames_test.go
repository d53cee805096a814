package wmts_test

import (
	"slices"
	"testing"
)

// suiteOfNames returns the assertions on identifiers and references in the document.
func suiteOfNames() []assertion {
	return []assertion{
		{name: responseGroup + "Layer.Identifiers.Unique", asks: "identifiers of layers are unique", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				names := make(map[string]bool)
				for _, l := range c.document.Contents.Layers {
					isNew(t, names, l.ID)
				}
				if len(names) != 5 {
					t.Errorf("the layers are %v", names)
				}
			}},
		{name: responseGroup + "Layer.TileMatrixSet.Valid", asks: "the tile matrix sets of each layer are in the document", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, link := range l.Links {
						if !slices.ContainsFunc(c.document.Contents.Sets, func(set wmtsMatrixSet) bool { return set.ID == link.Set }) {
							t.Errorf("%s has the set %q, which there is not", l.ID, link.Set)
						}
					}
				}
			}},
		{name: responseGroup + "TileMatrixSet.Identifiers.Unique", asks: "identifiers of tile matrix sets are unique", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				names := make(map[string]bool)
				for _, set := range c.document.Contents.Sets {
					isNew(t, names, set.ID)
				}
			}},
		{name: responseGroup + "TileMatrix.Identifiers.Unique", asks: "identifiers of matrices are unique in their set", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, set := range c.document.Contents.Sets {
					names := make(map[string]bool)
					for _, m := range set.Matrices {
						isNew(t, names, m.ID)
					}
				}
			}},
		{name: responseGroup + "TileMatrixSet.ScaleDenominators.Unique", asks: "scales of matrices are unique in their set", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, set := range c.document.Contents.Sets {
					scales := make(map[float64]bool)
					for _, m := range set.Matrices {
						if scales[m.ScaleDenominator] || m.ScaleDenominator <= 0 {
							t.Errorf("%s has the scale 1:%v twice", set.ID, m.ScaleDenominator)
						}
						scales[m.ScaleDenominator] = true
					}
				}
			}},
	}
}

func isNew(t *testing.T, names map[string]bool, name string) {
	t.Helper()
	if name == "" || names[name] {
		t.Errorf("the name %q is empty or there twice", name)
	}
	names[name] = true
}

// suiteOfDimensions returns the assertions on dimensions of layers.
func suiteOfDimensions() (rows []assertion) {
	dimensions := []struct{ name, asks string }{
		{"Optional", "a layer with dimensions returns a picture for each of their values"},
		{"Invalid.SampleDimension.Value", "an unknown value of a dimension is refused"},
		{"Default.SampleDimension", "a dimension can be requested at its default"},
		{"Current.SampleDimension", "a dimension can be requested at its current value"},
	}
	for _, binding := range []string{"KVP.GET", "RESTful"} {
		for _, operation := range []string{"GetTile", "GetFeatureInfo"} {
			for _, row := range dimensions {
				rows = append(rows, assertion{
					name: "Server." + binding + "." + operation + "." + row.name, asks: row.asks, outcome: absent,
					why: "dimensions are optional, and no layer has any", run: hasNoDimensions,
				})
			}
		}
	}
	return rows
}

func hasNoDimensions(t *testing.T, c *suiteClient) {
	eachElement(t, c.Get(t, capabilitiesQuery), func(name string, _ []string) {
		if name == "Dimension" {
			t.Error("there is a dimension")
		}
	})
}
