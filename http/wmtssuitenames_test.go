package http_test

import (
	"slices"
	"testing"
)

// suiteOfNames are the assertions that names are there, once each, and lead to something.
func suiteOfNames() []assertion {
	return []assertion{
		{name: responseGroup + "Layer.Identifiers.Unique", asks: "each layer has a name of its own", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				names := make(map[string]bool)
				for _, l := range c.document.Contents.Layers {
					isNew(t, names, l.ID)
				}
				if len(names) != 5 {
					t.Errorf("the layers are %v", names)
				}
			}},
		{name: responseGroup + "Layer.TileMatrixSet.Valid", asks: "the sets of a layer are sets of the document", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, l := range c.document.Contents.Layers {
					for _, link := range l.Links {
						if !slices.ContainsFunc(c.document.Contents.Sets, func(set wmtsMatrixSet) bool { return set.ID == link.Set }) {
							t.Errorf("%s has the set %q, which there is not", l.ID, link.Set)
						}
					}
				}
			}},
		{name: responseGroup + "TileMatrixSet.Identifiers.Unique", asks: "each set has a name of its own", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				names := make(map[string]bool)
				for _, set := range c.document.Contents.Sets {
					isNew(t, names, set.ID)
				}
			}},
		{name: responseGroup + "TileMatrix.Identifiers.Unique", asks: "and so has each matrix in its set", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, set := range c.document.Contents.Sets {
					names := make(map[string]bool)
					for _, m := range set.Matrices {
						isNew(t, names, m.ID)
					}
				}
			}},
		{name: responseGroup + "TileMatrixSet.ScaleDenominators.Unique", asks: "no two matrices of a set have one scale", outcome: holds,
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

// suiteOfDimensions are the assertions about dimensions of layers, which are all about what is not here.
func suiteOfDimensions() (rows []assertion) {
	asks := map[string]string{
		"Optional":                      "a layer of two dimensions is had at each value",
		"Invalid.SampleDimension.Value": "a value that a dimension does not have is refused",
		"Default.SampleDimension":       "who asks for the default of a dimension gets it",
		"Current.SampleDimension":       "who asks for the current value of a dimension gets it",
	}
	for _, binding := range []string{"KVP.GET", "RESTful"} {
		for _, operation := range []string{"GetTile", "GetFeatureInfo"} {
			for name, asks := range asks {
				rows = append(rows, assertion{
					name: "Server." + binding + "." + operation + "." + name, asks: asks, outcome: absent,
					why: "no layer has dimensions, which the standard leaves to the server", run: hasNoDimensions,
				})
			}
		}
	}
	return rows
}

func hasNoDimensions(t *testing.T, c *suiteClient) {
	eachElement(t, c.get(t, capabilitiesQuery), func(name string, _ []string) {
		if name == "Dimension" {
			t.Error("there is a dimension")
		}
	})
}
