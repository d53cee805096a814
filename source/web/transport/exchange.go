package transport

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tileserver/source/permit"
)

// exchange sends a request once and follows redirects. The caller closes the body.
func (c *Client) exchange(ctx context.Context, r Request) (*http.Response, error) {
	if !r.IsTrusted {
		if _, err := c.config.Permit.Check(r.URL.String()); err != nil {
			return nil, err
		}
	}
	redirects := permit.Redirects{Policy: c.config.Permit, IsTrusted: r.IsTrusted}
	for {
		answer, err := c.send(ctx, r)
		if err != nil {
			return nil, err
		}
		to := redirection(answer, r.URL)
		if to == nil {
			return answer, nil
		}
		drain(answer.Body) // so that the connection can be used again
		answer.Body.Close()
		if err := redirects.Follow(r.URL, to); err != nil {
			return nil, fmt.Errorf("%s: %w", plain(r.URL), err)
		}
		r = r.redirected(to, redirects.IsTrusted)
	}
}

// redirection returns where an answer redirects to, or nil. Buckets answer 301 without a place.
func redirection(answer *http.Response, from *url.URL) *url.URL {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	to, err := from.Parse(answer.Header.Get("Location"))
	if err != nil || answer.Header.Get("Location") == "" {
		return nil
	}
	return to
}

// redirected returns the request to where a server redirects. Another server does not learn who asks.
func (r Request) redirected(to *url.URL, isTrusted bool) Request {
	if !permit.IsSameServer(r.URL, to) {
		r.Header, r.Signer = permit.Portable(r.Header), nil
	}
	r.URL, r.IsTrusted = to, isTrusted
	return r
}

// send sends a request to one server.
func (c *Client) send(ctx context.Context, r Request) (*http.Response, error) {
	o := c.originOf(r.URL)
	if err := o.check(); err != nil {
		return nil, err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL.String(), nil)
	if err != nil {
		return nil, &finalError{fmt.Errorf("%s: %w", plain(r.URL), withoutAddress(err))}
	}
	if r.Header != nil {
		asked.Header = r.Header.Clone()
	}
	asked.Header.Set("Accept-Encoding", "identity")
	if c.config.UserAgent != "" {
		asked.Header.Set("User-Agent", c.config.UserAgent)
	}
	if r.Signer != nil {
		if err := r.Signer.Sign(ctx, asked); err != nil {
			return nil, &finalError{fmt.Errorf("%s: credentials: %w", plain(r.URL), err)}
		}
	}
	began := time.Now()
	o.counts.requests.Add(1)
	answer, err := c.connections(r.IsTrusted).RoundTrip(asked)
	if err == nil {
		o.pace.noteDelay(time.Since(began))
		o.note(answer)
	}
	return answer, err
}
