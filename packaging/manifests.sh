#!/usr/bin/env bash
# manifests.sh FOLDER VERSION URL writes the Homebrew formula and the Scoop manifest beside the archives in
# a folder: where each of them is, and its checksum. One whose archives are not all there is not written.
set -euo pipefail
shopt -s nullglob
folder=$1 version=$2 url=$3
cd "$(dirname "$0")"
for manifest in parley.rb parley.json; do
	text=$(<$manifest)
	for file in "$folder"/parley_"$version"_*.{tar.gz,zip}; do
		name=$(basename "$file")
		place=${name#"parley_${version}_"}
		place=${place%%.*}
		text=${text//"@url $place@"/$url/$name}
		text=${text//"@sha256 $place@"/$(sha256sum "$file" | cut -d ' ' -f 1)}
	done
	text=${text//@version@/$version}
	if [[ $text != *@url* ]]; then
		printf '%s\n' "$text" >"$folder/$manifest"
	fi
done
