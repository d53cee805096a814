package web_test

import (
	"strings"
	"testing"
)

// recipesOf returns the addresses of the recipes for a layer, joined.
func recipesOf(t *testing.T, layer string) string {
	t.Helper()
	var recipes []string
	runModule(t, `globalThis.document = { baseURI: "https://maps.example/i/" };
const { recipesOf } = await import("./recipes.js");
const grid = { tiles: "tiles/sheet.png/{z}/{x}/{y}", maxZoom: 3, area: [0, 0, 256, 256] };
console.log(JSON.stringify(recipesOf(`+layer+`, grid).flatMap(({ addresses, note }) => [...addresses.map(({ text }) => text), note ?? ""])));`, &recipes)
	return strings.Join(recipes, "\n")
}

// Recipes name pictures of a format that the layer allows, and leave its id alone.
func TestRecipesKeepTheIDOfTheLayer(t *testing.T) {
	for _, place := range []string{"bounds: [1, 2, 3, 4]", "width: 300, height: 200"} {
		for allow, want := range map[string]string{"undefined": "png", `{formats: ["jpg", "webp"]}`: "webp", `{formats: ["jpg"]}`: "jpg"} {
			got := recipesOf(t, `{id: "sheet.png", `+place+`, allow: `+allow+`}`)
			for _, text := range []string{"/tiles/sheet.png/{z}/{x}/{y}." + want, "/layers/sheet.png/preview." + want, "-o tile." + want + " ", "-o preview." + want + " "} {
				if !strings.Contains(got, text) {
					t.Errorf("%s, with %s: no recipe has %q:\n%s", place, allow, text, got)
				}
			}
			if strings.Contains(got, "sheet."+want) && want != "png" || strings.Contains(got, ".webp") && want == "jpg" {
				t.Errorf("%s, with %s:\n%s", place, allow, got)
			}
		}
	}
}
