package config

import (
	"errors"
	"testing"

	"tileserver/source/permit"
)

func TestURLPermitsWhatItLists(t *testing.T) {
	u := URL{Allow: []string{"https://data.example.org/maps/", "s3://imagery"}, Networks: Networks{"10.1.0.0/16"}}
	policy, err := u.Policy()
	if err != nil {
		t.Fatal(err)
	}
	for address, isAllowed := range map[string]bool{
		"https://data.example.org/maps/a.tif": true, "s3://imagery/a.tif": true,
		"https://data.example.org/a.tif": false, "s3://other/a.tif": false, "http://10.1.2.3/a.tif": false,
	} {
		if _, err := policy.Check(address); (err == nil) != isAllowed || err != nil && !errors.Is(err, permit.ErrNotPermitted) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, isAllowed := range map[string]bool{"10.1.2.3:80": true, "10.2.2.3:80": false, "127.0.0.1:80": false, "192.0.66.1:80": true} {
		if err := policy.Control("tcp4", address, nil); (err == nil) != isAllowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := (&URL{}).Policy(); err != nil {
		t.Error(err)
	}
}
