SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Tools run at a fixed version and never enter go.mod.
GOFUMPT := go run mvdan.cc/gofumpt@v0.12.0
GOLANGCI := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
CYCLONEDX := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

CLI := testdata/copilot
# A Chromium that runs. The snap, or what stands in its place, reads no page of a test.
BROWSER := for b in chromium chromium-browser google-chrome; do { "$$b" --version | grep -qv snap; } 2>/dev/null && break; done
ENDPOINT := testdata/endpoint
TERMINAL := testdata/terminal
# Agents that speak the Agent Client Protocol, each as npm installs it.
AGENTS := testdata/agents
FUZZTIME ?= 30s
# Packages that start no goroutine, which TestArchitecture holds: the race detector
# has nothing to find in them. The tests of tui run its commands on their own
# goroutine, but for those of the pump, which also run with the detector.
PURE := ./tui/conversation ./prompts ./history/mentions ./editor ./render ./render/text ./render/diff ./timeline ./tui ./tui/browser ./tui/keymap ./tui/search ./tui/status ./tui/transcript ./tui/widget ./session ./session/modelview ./session/trace ./tui/composer
# What drives the built program, which it builds with the race detector.
JOURNEYS := ./e2e
# Other packages with properties.
RACY := ./session/copilot ./history/sessions ./history/drafts ./history/prompts ./history/secrets ./settings ./telemetry ./tui/files
# Properties are checked with the same cases in each run of make test; make soak
# takes others, and more of them.
SEED := -rapid.seed=1
# What make browser, make endpoint, make agents and make package run, each once and by name, and what make test runs alone: the
# size of a terminal is changed between two frames, which takes a processor for the terminal and one for Parley.
ELSEWHERE := -skip '^(TestExportInBrowser|TestForeignEndpoint|TestAgents|TestPackages|TestInlineResized)$$'
# SQLite is not Parley's, and thirteen times slower under the race detector. The
# journeys read this line: what they drive is built with the same flags.
RACE := -race -gcflags=modernc.org/sqlite/...=-race=false -gcflags=modernc.org/libc/...=-race=false
# What a user gets is built without C and without what only a debugger reads, and the
# compiler knows from release.pgo what is called often. The benchmarks read this line.
RELEASE := -trimpath -ldflags=-s -pgo=release.pgo
# make soak has a short form, with the same cases each time.
SOAK ?= long
CHECKS := $(if $(filter short,$(SOAK)),-rapid.seed=2 -rapid.checks=200,-rapid.checks=1000)
# The tests beside properties, as a pattern.
PROPERTIES = $$(grep -rl '"pgregory.net/rapid"' --include='*_test.go' $(PURE) $(RACY) | xargs sed -nE 's/^func (Test[A-Za-z0-9_]*)\(.*/\1/p' | paste -sd'|')
ARGS ?=
LOG ?=
PKG ?=
FILES ?=
N ?= 0

.PHONY: help
help: ## print the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## build Parley and open a chat: the Copilot CLI if it is installed, else the demo (ARGS="...")
	@bin/parley $(ARGS)

.PHONY: build
build: ## build bin/parley
	@CGO_ENABLED=0 go build $(RELEASE) -o bin/parley .

.PHONY: demo
demo: build ## open a chat with the embedded demo agent
	@bin/parley --agent demo $(ARGS)

.PHONY: print
print: ## write a stored log as the timeline shows it (LOG=file, ARGS="--width 100")
	@test -n "$(LOG)" || { echo 'make print: say which log: make print LOG=testdata/sessions/NAME.jsonl' >&2; exit 2; }
	@$(MAKE) build && bin/parley print $(ARGS) -- "$(LOG)"

.PHONY: test
test: cli terminal ## run every test, installing what they need: vet, format, race, the real Copilot CLI
	go vet ./...
	@$(MAKE) format
	@code=0; set -x; \
	go test -vet=off -timeout 18m -parallel 6 $(JOURNEYS) $(PURE) $(SEED) $(ELSEWHERE) || code=1; \
	go test -vet=off -run '^TestInlineResized$$' $(JOURNEYS) || code=1; \
	go test $(RACE) -vet=off -timeout 18m -parallel 4 $(RACY) $(SEED) || code=1; \
	go test $(RACE) -vet=off -run '^Test(Pump|Frame|Idle)' ./tui || code=1; \
	go test $(RACE) -vet=off -timeout 18m $$(go list ./... | grep -vxF "$$(go list $(JOURNEYS) $(PURE) $(RACY))") $(ELSEWHERE) || code=1; \
	{ set +x; } 2>&-; exit $$code
	@[ -e $(CLI)/node_modules ] || [ -n "$${COPILOT_CLI_PATH:-}" ] || \
		echo 'make test: remember: the tests on the real Copilot CLI did NOT run (see the top of this output)' >&2

# One test by its name, in a package. That there is no such test is a failure.
one = said=$$(go test -count=1 -vet=off -v -timeout 10m -run '^$(1)$$' $(2) 2>&1) || { echo "$$said"; exit 1; }; echo "$$said"; \
	grep -qE '^--- (PASS|SKIP): $(1) ' <<<"$$said" || { echo 'make: there is no $(1) in $(2)' >&2; exit 1; }

.PHONY: browser
browser: chromium ## open an exported page that attacks in Chromium, installing that
	@$(call one,TestExportInBrowser,./render)

.PHONY: endpoint
endpoint: aimock ## chat with an endpoint for chat completions that others made, installing that
	@$(call one,TestForeignEndpoint,$(JOURNEYS))

.PHONY: agents
agents: pinned ## converse with the real Gemini CLI, opencode, Claude Code and Codex, installing them (1.5 GB)
	@$(call one,TestAgents,$(JOURNEYS))

.PHONY: package
package: ## build the packages of Linux twice and as a later version, and install, upgrade and remove the .deb in a folder
	@$(call one,TestPackages,./packaging)

.PHONY: check
check: lint test ## lint and test

.PHONY: lint
lint: ## run the linters, and check go.mod (the first run builds them, which takes minutes)
	go mod tidy -diff
	$(GOLANGCI) run ./... ./testdata/mutants

# Where Parley is built for. The tests of each system are vetted for one of its processors: what
# differs between those is in libraries alone.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 freebsd/amd64

.PHONY: platforms
platforms: ## build for Linux, macOS, Windows and FreeBSD, and vet for each, tests too
	@for target in $(PLATFORMS); do \
		export GOOS=$${target%/*} GOARCH=$${target#*/} CGO_ENABLED=0; \
		go build -o /dev/null . || exit 1; \
		[ $$GOARCH != amd64 ] || [ $$GOOS = linux ] || go vet ./... || exit 1; \
		echo "$$target: $$SECONDS s"; \
	done

# A test that cannot run on Windows calls sessiontest.UnixOnly and says why. The journeys need a pseudo-terminal.
.PHONY: wine
wine: wine64 ## run the tests of all packages but the journeys, built for Windows, in Wine, installing that (PKG=./settings)
	@testdata/wine/test.sh -vet=off -short -timeout 18m $(or $(PKG),$$(go list ./... | grep -vxF "$$(go list $(JOURNEYS))"))

# Where Parley is packed for. TARGETS=linux/amd64 is one of them alone; packaging/release.sh has VERSION and RELEASE_URL.
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: release
release: ## build into dist/ what users install: archives, .deb, .rpm, .apk, formula, manifest, checksums, SBOMs
	@TARGETS="$(TARGETS)" RELEASE="$(RELEASE)" NFPM=$(NFPM) CYCLONEDX=$(CYCLONEDX) packaging/release.sh

.PHONY: fmt
fmt: ## format the Go files
	$(GOFUMPT) -w .

.PHONY: format
format:
	@unformatted=$$($(GOFUMPT) -l .); if [ -n "$$unformatted" ]; then \
		echo "not formatted (make fmt mends it):" >&2; echo "$$unformatted" >&2; exit 1; fi

.PHONY: golden
golden: ## rewrite the golden files; read the difference before you commit it
	go test $$(grep -rlE 'sessiontest\.(Golden|Update)' --include='*_test.go' . | xargs -n1 dirname | sort -u) -update

.PHONY: docs
docs: cli ## rewrite what is generated of the documents, and their pictures
	go test -run '^TestDocuments$$' ./docs/generate -update
	go test -run '^TestScreenshots$$' $(JOURNEYS) -update

# A target whose time is over while it runs an input may fail with that alone
# (golang/go#75804). An input that fails is always written, and said. None is made
# smaller: with a large one that takes all of the time.
.PHONY: fuzz
fuzz: ## run every fuzz target in turn (FUZZTIME=30s each)
	@grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u | while read -r dir; do \
		cat "$$dir"/*_test.go | sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' | while read -r target; do \
			echo "== $$dir $$target"; \
			said=$$(go test "$$dir" -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x </dev/null 2>&1 | tee -a /dev/stderr) || \
				{ grep -qx '    context deadline exceeded' <<<"$$said" && ! grep -q 'Failing input' <<<"$$said"; } || exit 1; \
		done; \
	done

.PHONY: soak
soak: cli terminal ## run the long tests, a quarter of an hour on two cores (SOAK=short: a few minutes): hostile texts, other cases of every property, a million events and the screen that they are on, 500 sizes of it, unpaced answers, kills, agents side by side, the window with the race detector
	PARLEY_SOAK=$(SOAK) go test -count=1 -v -run '^(TestSoak|TestSoakScreen|TestSoakResizes|TestHostile.*)$$' -timeout 18m ./tui
	go test -count=1 -timeout 30m -run "^($(PROPERTIES))$$" $(PURE) $(RACY) $(CHECKS)
	$(if $(filter long,$(SOAK)),go test $(RACE) -count=1 -vet=off -timeout 40m ./tui)
	PARLEY_SOAK=$(SOAK) go test -count=1 -p 1 -v -run '^(TestUnpacedAnswer|TestKilledAnywhere|TestConforms|TestTwo(ResumeOne|ClaimOne|TakeOne))$$' \
		-timeout 18m ./session/copilot ./session/sse ./history/sessions
	PARLEY_SOAK=$(SOAK) go test -count=1 -v -run '^(TestUnpacedAnswerInTheWindow|TestATurnInTheEditor|TestKilledWhileWriting)$$' \
		-timeout 18m $(JOURNEYS)

.PHONY: mutants
mutants: ## change a package in small ways and list what its tests do not notice (PKG=./prompts/consent FILES=guard.go N=100)
	@test -n "$(PKG)" || { echo 'make mutants: say which package: make mutants PKG=./prompts' >&2; exit 2; }
	@go run ./testdata/mutants -n $(N) -files "$(FILES)" $(ARGS) $(PKG)

.PHONY: bench
bench: ## run the benchmarks; a figure over its target is marked OVER, and noise of the machine counts
	go test -run '^$$' -bench . -timeout 30m ./...

.PHONY: profile
profile: ## profile the benchmarks of the window anew, for the compiler
	go test -trimpath ./tui -run '^$$' -bench '^Benchmark(FrameAfterDelta|Answer|Resize|Transcript)$$' -benchtime 2s -o /dev/null -cpuprofile release.pgo

# What npm installs as a folder's lock file has it, unless that is there, and what does not run without it.
npm = if [ -f $(1)/node_modules/.package-lock.json ] && ! [ $(1)/package-lock.json -nt $(1)/node_modules/.package-lock.json ]; then \
		:; \
	elif command -v npm >/dev/null && npm ci --prefix $(1) --ignore-scripts --no-audit --no-fund; then \
		:; \
	else \
		echo 'make: $(2) could not be installed; install node and npm' >&2; \
		[ "$${CI:-}" != true ]; \
	fi

# The pinned endpoint for chat completions that others have made. Without it one
# test cannot run: with CI=true that is a failure, else it says so.
.PHONY: aimock
aimock:
	@$(call npm,$(ENDPOINT),THE TEST ON AN ENDPOINT OF OTHERS DOES NOT RUN: it)

# The pinned terminal without a screen that breaks lines. Without it the tests of the inline window's sizes cannot run: with
# CI=true that is a failure, else it says so.
.PHONY: terminal
terminal:
	@$(call npm,$(TERMINAL),THE TESTS OF THE SIZES OF THE INLINE WINDOW DO NOT RUN: the terminal)

# The pinned agents that speak the Agent Client Protocol. Without them their test cannot
# run: with CI=true that is a failure, else it says so. npm ci refuses a lock file that lacks the
# packages for other systems, which not every registry has.
.PHONY: pinned
pinned:
	@for agent in $(AGENTS)/*/; do \
		if [ -f $${agent}node_modules/.package-lock.json ] && ! [ $${agent}package-lock.json -nt $${agent}node_modules/.package-lock.json ]; then \
			:; \
		elif command -v npm >/dev/null && npm install --prefix $$agent --no-save --no-audit --no-fund; then \
			:; \
		else \
			echo "make: THE TEST ON $$agent DOES NOT RUN: it could not be installed; install node and npm" >&2; \
			[ "$${CI:-}" != true ] || exit 1; \
		fi; \
	done

# The pinned Copilot CLI for the end-to-end tests. Without it they cannot run:
# with CI=true that is a failure, else a warning that nobody can overlook.
.PHONY: cli
cli:
	@if [ -f $(CLI)/node_modules/.package-lock.json ] && ! [ $(CLI)/package-lock.json -nt $(CLI)/node_modules/.package-lock.json ]; then \
		:; \
	elif command -v npm >/dev/null && npm ci --prefix $(CLI) --no-audit --no-fund; then \
		:; \
	elif [ -n "$${COPILOT_CLI_PATH:-}" ]; then \
		echo "make: the pinned Copilot CLI is not installed; testing with COPILOT_CLI_PATH=$$COPILOT_CLI_PATH" >&2; \
	else \
		{ echo; \
		echo "************************************************************************"; \
		echo "*  THE TESTS ON THE REAL COPILOT CLI DO NOT RUN: it could not be       *"; \
		echo "*  installed. Install node and npm, or set COPILOT_CLI_PATH to the     *"; \
		echo "*  CLI, and run 'make test' again.                                     *"; \
		echo "************************************************************************"; \
		echo; } >&2; \
		[ "$${CI:-}" != true ]; \
	fi

# Debian's packages, from apt where that is.
debian = as=''; [ "$$(id -u)" = 0 ] || as='sudo -n'; \
	if command -v apt-get >/dev/null; then \
		$$as apt-get update -qq || :; \
		DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -qq --no-install-recommends $(1) || :; \
	fi

# Chromium, Debian's package, in which a test opens an exported page. Without it
# that test cannot run: with CI=true that is a failure, else a warning.
.PHONY: chromium
chromium:
	@if $(BROWSER); then \
		exit 0; \
	fi; \
	$(call debian,chromium); \
	if $(BROWSER); then \
		:; \
	else \
		{ echo; \
		echo "************************************************************************"; \
		echo "*  THE TEST IN CHROMIUM DOES NOT RUN: it could not be installed.       *"; \
		echo "*  Install Debian's package chromium, or google-chrome (a snap reads   *"; \
		echo "*  no page of a test), and run 'make browser' again.                   *"; \
		echo "************************************************************************"; \
		echo; } >&2; \
		[ "$${CI:-}" != true ]; \
	fi

# Wine for programs of 64 bits. Without it nothing is tested in it: that is a failure, as nothing else is asked for.
.PHONY: wine64
wine64:
	@command -v wine >/dev/null || { $(call debian,wine wine64); }
	@command -v wine >/dev/null || { echo "make: Wine could not be installed; install Debian's packages wine and wine64" >&2; exit 1; }
