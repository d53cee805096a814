// Package overviewbuild builds the overviews that files lack, in the background, if that takes
// longer than a request may. It decides when a build starts and which requests wait for it. A
// request that stops waiting is told when to retry. Package pyramid/overview builds the pixels.
//
// Package layer calls it for pictures that miss overviews. It owns the builds that are running or
// have failed. It must never know styles, requests or HTTP.
//
// Words:
//
//   - A *target* is the overviews that a picture is missing.
//   - A *build* reads a file once and builds the overviews of one target.
//   - A *group* is the layers, one after the other, that serve one dataset under one id. They share
//     builds.
package overviewbuild
