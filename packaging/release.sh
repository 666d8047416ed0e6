#!/usr/bin/env bash
# Builds what a user installs, into dist/ (DIST): an archive for each of TARGETS, with its SBOM, and for
# Linux a .deb, .rpm and .apk; a Homebrew formula and a Scoop manifest; and the checksums of all of them.
# It is built from a clone, so that it is the commit, which gives the same bytes each time. VERSION is
# another version than that of the tree, and RELEASE_URL is where the formula and the manifest find the
# archives. make release runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 LC_ALL=C TZ=UTC
umask 022
dist=${DIST:-dist}
[[ $dist == /* ]] || dist=$PWD/$dist
[ -z "$(git status --porcelain)" ] || echo 'release: what is not committed is not in it' >&2
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
git clone -q --shared . "$stage/source"
cd "$stage/source"
release=$(sed -n 's/^const Release = "\(.*\)"$/\1/p' cli/process/version.go)
VERSION=${VERSION:-$release}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH
sed -i.was "s/^const Release = .*/const Release = \"$VERSION\"/" cli/process/version.go
rm cli/process/version.go.was

rm -rf "$dist"
mkdir -p "$dist" "$stage/tools"
GOBIN=$stage/tools go install -trimpath "$NFPM"
GOBIN=$stage/tools go install -trimpath "$CYCLONEDX"
go build -trimpath -buildvcs=false -o "$stage/tools/archive" ./packaging/archive

# What is the same for all: documents, manual pages, completions.
mkdir -p "$stage/common/completions" "$stage/common/man"
cp README.md CHANGELOG.md LICENSE "$stage/common"
cp docs/man/*.[1-9] "$stage/common/man"
go build $RELEASE -o "$stage/tools/parley" .
for completion in bash:parley.bash zsh:_parley fish:parley.fish powershell:parley.ps1; do
	"$stage/tools/parley" completion "${completion%%:*}" >"$stage/common/completions/${completion#*:}"
done

# licences BINARY writes the licences of Go and of each module that is linked into it.
licences() {
	local name version folder texts text
	printf 'Parley is made with Go and the modules below. These are their licences.\n'
	{ echo "go $(go env GOVERSION) $(go env GOROOT)"; go list -m -f '{{.Path}} {{.Version}} {{.Dir}}' $(go version -m "$1" | awk '$1 == "dep" {print $2}'); } |
		while read -r name version folder; do
			texts=$(find "$folder" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort)
			[ -n "$texts" ] || { echo "release: $name has no licence in $folder" >&2; exit 1; }
			for text in $texts; do
				printf '\n%s\n%s %s: %s\n%s\n\n' "$line" "$name" "$version" "$(basename "$text")" "$line"
				cat "$text"
			done
		done
}
line=--------------------------------------------------------------------------------

for target in $TARGETS; do
	export GOOS=${target%/*} GOARCH=${target#*/}
	name=parley_${VERSION}_${GOOS}_$GOARCH
	root=$stage/$name
	program=parley form=tar.gz
	[ "$GOOS" != windows ] || program=parley.exe form=zip
	cp -R "$stage/common" "$root"
	go build $RELEASE -buildvcs=true -o "$root/$program" .
	(unset GOOS GOARCH
		licences "$root/$program" >"$root/THIRD-PARTY-LICENSES.txt"
		"$stage/tools/cyclonedx-gomod" bin -json -licenses -std -noserial -notimestamp -version "v$VERSION" \
			-output "$dist/$name.cdx.json" "$root/$program" 2>"$stage/said" || { cat "$stage/said" >&2; exit 1; })
	"$stage/tools/archive" "$dist/$name.$form" "$root"
	if [ "$GOOS" = linux ]; then
		gzip -n9 "$root"/man/*
		for form in deb rpm apk; do
			(cd "$root" && "$stage/tools/nfpm" package -f "$OLDPWD/packaging/nfpm.yaml" -p $form -t "$dist/" >/dev/null)
		done
	fi
	rm -rf "$root"
	echo "$target: $SECONDS s"
done

packaging/manifests.sh "$dist" "$VERSION" "${RELEASE_URL:-file://$dist}"
cd "$dist"
sha256sum -- * >SHA256SUMS
