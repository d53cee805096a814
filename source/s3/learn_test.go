package s3

import (
	"fmt"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tileserver/source/credential"
)

func TestTheRegionOfABucketIsLearnedOnce(t *testing.T) {
	noFiles(t)
	for _, config := range []Config{{}, {Endpoint: "http://127.0.0.1:9000"}, {Region: "us-west-2"}} {
		f, s := fakeOf("eu-central-1"), serviceOf(config)
		f.objects["a.tif"] = 7
		if config.Endpoint == "" {
			f.objects[""] = 7 // the path of a virtual host has no bucket
		}
		for range 3 {
			if got := status(t, f, s, "s3://maps/a.tif", nil); got != 200 {
				t.Errorf("%v: %d", config, got)
			}
		}
		if len(f.seen) != 4 {
			t.Errorf("%v: %d requests", config, len(f.seen))
		}
		u, err := s.Locate("s3://maps/a.tif")
		if want := "maps.s3.eu-central-1.amazonaws.com"; config.Endpoint == "" && (err != nil || u.Host != want || f.seen[1].Host != want) {
			t.Errorf("%v: it is at %v, %v, asked at %s", config, u, err, f.seen[1].Host)
		}
	}
}

func TestRegionsOfStrangersAreChecked(t *testing.T) {
	noFiles(t)
	s := serviceOf(Config{})
	u := &url.URL{Scheme: "https", Host: "maps.s3.us-east-1.amazonaws.com", Path: "/a"}
	for _, region := range []string{"", "evil.example.org/", "a b", "us-east-1", "eu-north-1"} {
		refused := refusal(u, 403, "AccessDenied")
		refused.Header.Set(regionHeader, region)
		if got := s.Learn(t.Context(), refused); got != (region == "eu-north-1") { // the only one that is new
			t.Errorf("%q: %v", region, got)
		}
	}
	for i := range 3 * maxRegions {
		s.regions.learn(fmt.Sprint(i), "eu-north-1")
	}
	if len(s.regions.known) > maxRegions {
		t.Errorf("%d regions are remembered", len(s.regions.known))
	}
}

func TestTheRegionIsAlsoInTheDocument(t *testing.T) {
	noFiles(t)
	s := serviceOf(Config{Endpoint: "https://example.org"})
	refused := refusal(&url.URL{Scheme: "https", Host: "example.org", Path: "/maps/a"}, 400, "AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region><Code>AuthorizationHeaderMalformed")
	for range 2 { // the second request was sent before the first was refused
		if !s.Learn(t.Context(), refused) || s.regions.of("maps", "") != "eu-west-3" {
			t.Errorf("the region is %q", s.regions.of("maps", ""))
		}
	}
}

// Keys live for an hour. Once a week they are revoked before.
func TestWeeksOfRequestsAreSignedWithValidKeys(t *testing.T) {
	noFiles(t)
	synctest.Test(t, func(t *testing.T) {
		f := fakeOf(defaultRegion)
		issued := 0
		s := serviceWith(Config{Endpoint: "https://example.org"}, func() aws.Credentials {
			issued++
			id := fmt.Sprint(issued)
			f.allow(id, "secret "+id)
			time.AfterFunc(time.Hour, func() { f.allow(id, "") })
			return aws.Credentials{AccessKeyID: id, SecretAccessKey: "secret " + id, SessionToken: "token", CanExpire: true, Expires: time.Now().Add(time.Hour)}
		})
		f.objects["a"] = 1
		requests, revocations := 0, 0
		for began := time.Now(); time.Since(began) < 4*7*24*time.Hour; time.Sleep(13 * time.Minute) {
			if got := status(t, f, s, "s3://maps/a", nil); got != 200 {
				t.Fatalf("after %v: %d", time.Since(began), got)
			}
			if requests++; requests%701 == 0 {
				f.revokeAll()
				revocations++
			}
		}
		if token := f.seen[0].Header.Get("X-Amz-Security-Token"); token != "token" || len(f.seen) != requests+revocations || issued < 600 {
			t.Errorf("%d requests and %d revocations took %d; %d keys", requests, revocations, len(f.seen), issued)
		}
	})
}

// A service whose clock differs tells its time once, and then accepts what is signed.
func TestTheTimeOfAServiceIsLearnedOnce(t *testing.T) {
	noFiles(t)
	for _, ahead := range []time.Duration{2 * time.Hour, -20 * time.Minute} {
		told := 0
		f := fakeOf(defaultRegion)
		f.objects["a"], f.ahead = 1, ahead
		s := serviceOf(Config{Endpoint: "https://example.org", Clock: &credential.Clock{OnSkew: func(time.Duration) { told++ }}})
		for range 5 {
			if got := status(t, f, s, "s3://maps/a", nil); got != 200 {
				t.Errorf("%v ahead: %d", ahead, got)
			}
		}
		if len(f.seen) != 6 || told != 1 {
			t.Errorf("%v ahead: %d requests, told %d times", ahead, len(f.seen), told)
		}
	}
	f, s := fakeOf(defaultRegion), serviceOf(Config{Endpoint: "https://example.org"})
	f.ahead = 48 * time.Hour
	if got := status(t, f, s, "s3://maps/a", nil); got != 403 || len(f.seen) != 1 {
		t.Errorf("two days ahead: %d after %d requests", got, len(f.seen))
	}
}
