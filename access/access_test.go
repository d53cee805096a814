package access_test

import (
	"errors"
	"slices"
	"testing"

	"tileserver/access"
)

func TestRulesRefuse(t *testing.T) {
	rules := access.Rules{Formats: []string{"png", "jpg"}, Parameters: []string{}, Size: access.Size{Width: 20, Height: 10}, HideValues: true}
	for want, err := range map[string]error{
		"not allowed: the format tif; allowed formats: png, jpg":          rules.CheckFormat("tif"),
		"not allowed: the parameter nodata; allowed parameters: none":     rules.CheckParameter("nodata"),
		"not allowed: 20x11 pixels; the limit is 20x10":                   rules.CheckSize(20, 11),
		"not allowed: 21x1 pixels; the limit is 20x10":                    rules.CheckSize(21, 1),
		"not allowed: values and statistics of the layer":                 rules.CheckValues(),
		"not allowed: 70000x70000 pixels; the limit is 2000000000 pixels": (&access.Rules{Size: access.Size{Pixels: 2_000_000_000}}).CheckSize(70_000, 70_000),
	} {
		if err == nil || err.Error() != want || !errors.As(err, new(*access.Refusal)) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, err := range []error{rules.CheckFormat("jpg"), rules.CheckSize(20, 10), (&access.Rules{Parameters: []string{"bidx"}}).CheckParameter("bidx")} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestTheZeroPolicyAllowsEverything(t *testing.T) {
	var policy access.Policy
	for _, asker := range []access.Asker{access.Stranger, access.Signed, access.Operator} {
		if !policy.For(asker).IsOpen() {
			t.Errorf("asker %d is bound", asker)
		}
	}
	closed := access.Rules{Formats: []string{}}
	policy = access.Policy{Strangers: closed}
	if policy.For(access.Stranger).IsOpen() || !policy.For(access.Signed).IsOpen() || !policy.For(access.Operator).IsOpen() || !policy.For(access.Asker(9)).IsOpen() {
		t.Error("rules hold for others")
	}
	for _, name := range access.Formats() {
		if closed.AllowsFormat(name) {
			t.Errorf("%s is allowed", name)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]access.Size{
		"any": {}, "2048x1024": {Width: 2048, Height: 1024}, "1": {Pixels: 1}, "16777216": {Pixels: 1 << 24},
	} {
		if got, err := access.ParseSize(text); got != want || err != nil {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "1x", "x1", "1x0", "1x1x1", "ANY", "1e6", "99999999999", "2048X1024"} {
		if got, err := access.ParseSize(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestSizesWithinOtherLimits(t *testing.T) {
	for size, want := range map[access.Size][3]int{
		{}:                       {100, 100, 5000},
		{Width: 80, Height: 200}: {80, 100, 5000},
		{Width: 10, Height: 20}:  {10, 20, 200},
		{Pixels: 60}:             {60, 60, 60},
		{Pixels: 6000}:           {100, 100, 5000},
	} {
		if w, h, p := size.Within(100, 5000); want != [3]int{w, h, p} {
			t.Errorf("%v is %d, %d, %d", size, w, h, p)
		}
	}
}

func TestParametersHaveThoseOfEncodings(t *testing.T) {
	if all := access.Parameters(); !slices.Contains(all, "expression") || !slices.Contains(all, "lossless") || slices.Contains(all, "style") {
		t.Errorf("the parameters are %v", all)
	}
}

func FuzzParseSize(f *testing.F) {
	for _, text := range []string{"any", "2048x1024", "16777216", "x", "1x", "0x1", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		size, err := access.ParseSize(text)
		if err != nil {
			return
		}
		if size.Width < 0 || size.Height < 0 || size.Pixels < 0 || size != (access.Size{}) && !size.Holds(1, 1) {
			t.Errorf("%q is %+v", text, size)
		}
	})
}
