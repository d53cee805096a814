# The development tasks. `make` alone lists them.

GO       ?= go
TOOLS    := $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 30s
COUNT    ?= 6
MINUTES  ?= 60
PATHS    ?=
OPTIONS  ?=
TAGS     ?=
# The platforms of the archives.
PLATFORMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64

# The version that the program reports: make build VERSION=1.2.3. The default is the tag that is checked out, or devel.
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)$(shell git status --porcelain 2>/dev/null | grep -q . && echo -dirty)
VERSION ?= $(patsubst v%,%,$(shell git describe --tags --exact-match 2>/dev/null || echo devel))
LDFLAGS := -X main.stampedVersion=$(VERSION) -X main.stampedCommit=$(COMMIT)

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: viewer-if-npm ## serve the demo, or PATHS="a.tif folder"; OPTIONS="--listen 127.0.0.1:8090"
	$(GO) run ./cmd/tileserver $(if $(PATHS),serve) $(OPTIONS) $(PATHS)

# Without npm or access to its registry, a plain page replaces the viewer.
viewer-if-npm:
	@if command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory viewer || echo "The viewer could not be built; the server shows what it has."; \
	else \
	  echo "There is no npm to build the viewer; the server shows a plain page."; \
	fi

# The viewer is rebuilt when its sources are newer; its tools are fetched when package-lock.json is newer.
VIEWER       := web/viewer
VIEWER_TOOLS := $(VIEWER)/node_modules/.package-lock.json

viewer: web/dist/index.html ## build the viewer into web/dist (needs npm)

web/dist/index.html: $(wildcard $(VIEWER)/src/* $(VIEWER)/src/style/* $(VIEWER)/*.*) $(VIEWER_TOOLS)
	cd $(VIEWER) && npm run --silent build

$(VIEWER_TOOLS): $(VIEWER)/package-lock.json
	cd $(VIEWER) && npm ci --silent
	@touch $@

viewer-test: $(VIEWER_TOOLS) ## tests of the viewer's arithmetic (needs npm)
	cd $(VIEWER) && npm test --silent

build: viewer-if-npm ## build bin/tileserver, with the viewer in it if npm is there; TAGS=gpu is for GPUs (needs cc)
	CGO_ENABLED=$(if $(TAGS),1,0) $(GO) build -tags "$(TAGS)" -trimpath -buildvcs=false -ldflags "$(LDFLAGS)" -o bin/tileserver ./cmd/tileserver

programs: viewer ## build the program for every platform, into bin/linux-amd64 and so on
	@for platform in $(PLATFORMS); do \
	  echo "build $$platform"; \
	  CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -trimpath -buildvcs=false -ldflags "-s -w $(LDFLAGS)" \
	    -o bin/$${platform%/*}-$${platform#*/}/ ./cmd/tileserver || exit 1; \
	done

# The same commit gives the same bytes: files in the archives have the commit's date.
DIST := dist

dist: programs ## archives of the program for every platform, with checksums, in dist/
	rm -rf $(DIST)
	$(GO) run ./cmd/dist -o $(DIST) -version "$(VERSION)" -date "$$(git log -1 --format=%ct)" $(PLATFORMS)

dist-twice: dist ## make dist twice and compare the bytes
	rm -rf bin
	@$(MAKE) --no-print-directory dist DIST=bin/again
	diff -r dist bin/again
	cd dist && sha256sum --check --quiet SHA256SUMS

# One of three programs that build images. The build fetches nothing.
BUILDER ?= $(firstword $(foreach builder,buildah podman docker,$(if $(shell command -v $(builder)),$(builder))))
CERTIFICATES := $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem)

image: dist ## the container image tileserver:VERSION, with BUILDER (buildah, podman or docker)
	mkdir -p bin/state
	cp $(firstword $(CERTIFICATES)) bin/ca-certificates.crt
	BUILDAH_FORMAT=docker $(BUILDER) build --file Containerfile --tag tileserver:$(VERSION) \
	  --build-arg VERSION=$(VERSION) --build-arg COMMIT=$(COMMIT) .

test: ## all tests
	$(GO) test -timeout 30m ./...

# The packages with concurrency or frozen tiles; the others are sequential arithmetic. -short skips tests that read
# every real file piece by piece (cmd/tileserver still renders a picture of each) and tests that run other programs,
# which the detector cannot check. make lint vets all packages; only ./raster has files built for the detector alone.
CONCURRENT = $(sort $(dir $(shell grep -rlE '"(sync|sync/atomic|testing/synctest|tileserver/raster)"' --include=*.go $(SOURCES))))
SOURCES   := admission archive cache cmd codec config dataset decode display encode export geo gpu http integration internal layer library pyramid query raster source style web

race: ## tests of concurrent packages with the race detector, which also finds writes to frozen tiles
	$(GO) vet -race ./raster
	$(GO) test -race -short -vet=off -timeout 30m $(addprefix ./,$(CONCURRENT))

# The packages whose floating-point results determine bytes, and those with assembly for arm64. A test of ./integration compares
# whole pictures.
ARM64 := codec/adler32 codec/deflate/decoder codec/jpeg/... codec/lerc codec/webp/encoder/... \
  decode/jp2k/samples decode/jp2k/tier1 decode/jp2k/wavelet display/expression display/formula display/geotiff display/legend \
  display/picture display/statistics geo/... integration/processor pyramid/resample

arm64: ## tests of computing packages on arm64 (needs qemu-aarch64-static)
	CGO_ENABLED=0 GOARCH=arm64 $(GO) test -trimpath -exec qemu-aarch64-static -timeout 30m $(addprefix ./,$(ARM64))

# What needs a device is built only with the tag gpu, and with C. Without a device, these tests are skipped, or fail
# where CI=true. -short shortens the test of the garbage collector, from 10,000 batches to 500.
gpu: ## vet and test what is built with the tag gpu (needs cc, and a GPU or Mesa's lavapipe)
	CGO_ENABLED=1 $(GO) vet -tags gpu $(GPU) $(PARTLY_GPU) ./cmd/...
	CGO_ENABLED=1 $(TOOLS) staticcheck -tags gpu $(GPU) $(PARTLY_GPU)
	CGO_ENABLED=1 $(GO) test -tags gpu -count=1 -short -timeout 30m $(GPU)
	CGO_ENABLED=1 $(GO) test -tags gpu -count=1 -timeout 30m -run GPU $(PARTLY_GPU)

GPU := ./gpu/... ./codec/deflate/kernel/... ./codec/jpeg/kernel/... ./decode/jp2k/ht/kernel/... ./decode/jp2k/kernel/... ./decode/jp2k/tier1/...

# Of these packages, the tests with GPU in their names are run.
PARTLY_GPU := ./decode/jp2k ./integration

golden: ## update the golden pictures of tests
	$(GO) test ./integration -update

contact-sheet: ## render every real file of TILESERVER_TESTDATA into contact-sheet/
	$(GO) run ./integration/contactsheet -o contact-sheet

soak: ## attack the program with everything at once for MINUTES, and compare its answers (needs Linux)
	$(GO) build -trimpath -buildvcs=false -o bin/attacked ./cmd/tileserver
	$(GO) run ./integration/soak -program bin/attacked -minutes $(MINUTES)

soak-gpu: ## the same with all work on a GPU that it can do (needs cc, and a GPU or Mesa's lavapipe)
	CGO_ENABLED=1 $(GO) build -tags gpu -trimpath -buildvcs=false -o bin/attacked-gpu ./cmd/tileserver
	$(GO) run ./integration/soak -program bin/attacked-gpu -minutes $(MINUTES) -gpu strict

fuzz: ## each fuzz target for FUZZTIME
	@for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "$$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
	  done; \
	done

bench: ## all benchmarks, COUNT times, into bench.txt
	$(GO) test -run '^$$' -bench . -benchtime 0.3s -count $(COUNT) ./... | tee bench.txt

bench-codecs: ## compare the decoders with C (needs cc, libtiff-dev, libjpeg62-turbo-dev, libdeflate-dev, openjph-tools)
	$(GO) test -tags floor -run "^$$" -bench . -benchtime 10x ./integration/floor

bench-compare: ## compare bench.txt with OLD=file
	$(TOOLS) benchstat $(OLD) bench.txt

demo: ## regenerate the files of the demo
	$(GO) generate ./cmd/tileserver/demo

epsg: ## regenerate the tables of coordinate systems (needs sqlite3 and PROJ's proj.db)
	$(GO) generate ./geo/...

format: ## gofmt
	gofmt -w .

lint: ## checks before a commit, without tests
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(TOOLS) staticcheck ./...

platforms: ## build for every platform, without C
	@for platform in $(PLATFORMS); do \
	  echo "build $$platform"; \
	  CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -trimpath ./... || exit 1; \
	done

tidy: ## update go.mod to what the code needs
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

CHECKS := lint tidy platforms test race arm64

check: ## everything that CI runs, but for make gpu and what is shipped
	@for target in $(CHECKS); do \
	  began=$$(date +%s); \
	  $(MAKE) --no-print-directory $$target || exit 1; \
	  echo "$$target took $$(($$(date +%s) - began)) s"; \
	done
	@git diff --exit-code || { echo "the check changed files"; exit 1; }

.PHONY: help run viewer-if-npm viewer viewer-test build programs dist dist-twice image test race arm64 gpu golden contact-sheet soak soak-gpu fuzz bench bench-codecs bench-compare demo epsg format lint platforms tidy check
