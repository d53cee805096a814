package web

import "testing"

func TestASignatureIsNoPartOfAnIdentity(t *testing.T) {
	for address, want := range map[string]string{
		"https://h/a.tif":         "https://h/a.tif",
		"https://h/a.tif?id=5":    "https://h/a.tif?id=5",
		"https://h/a.tif?expires": "https://h/a.tif?expires=",
		"https://h/a.tif?X-Amz-Algorithm=AWS4&X-Amz-Credential=k&X-Amz-Date=d&X-Amz-Expires=9&X-Amz-SignedHeaders=host&X-Amz-Signature=s&versionId=7": "https://h/a.tif?versionId=7",
		"https://h/a.tif?X-Goog-Signature=s&X-Goog-Date=d&generation=7":                                                                               "https://h/a.tif?generation=7",
		"https://h/a.tif?sv=2024&se=9&sr=b&sp=r&sig=s%3D&snapshot=7":                                                                                  "https://h/a.tif?snapshot=7",
		"https://h/a.tif?Expires=9&Signature=s&Key-Pair-Id=k":                                                                                         "https://h/a.tif?",
		"https://h/a.tif?sv=2&sp=r": "https://h/a.tif?sp=r&sv=2",
		"s3://bucket/a?sig=b.tif":   "s3://bucket/a?sig=b.tif",
	} {
		if got := unsigned(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
