#!/usr/bin/env bash
# Runs the tests of packages, built for Windows, in Wine: test.sh [FLAG...] PACKAGE...
#
# Wine 8, which Debian 12 has, lacks two things that Go calls, so that three files of Go's library are compiled with the
# older calls that do the same: RtlGenRandom for random bytes, and a removal without POSIX semantics, which Go itself
# falls back to where a file system has no other.
set -euo pipefail
work=$(mktemp -d)
trap 'WINEPREFIX=$work/prefix wineserver -k 2>/dev/null || :; rm -rf "$work"' EXIT
src=$(go env GOROOT)/src

# changed FILE EXPRESSION... writes a changed copy of a file of Go's library, and its line of the overlay.
overlay=()
changed() {
	local file=$1 copy=$work/${1//\//_}
	shift
	sed "${@/#/-e}" "$src/$file" >"$copy"
	if cmp -s "$src/$file" "$copy"; then
		echo "test.sh: $file is not as it was; see what Go calls now" >&2
		exit 1
	fi
	overlay+=("\"$src/$file\": \"$copy\"")
}
changed runtime/os_windows.go 's/^\tbcryptprimitivesdll .*/\tbcryptprimitivesdll = [...]uint16{'"'a','d','v','a','p','i','3','2','.','d','l','l'"',0}/' \
	's/"ProcessPrng\\000"/"SystemFunction036\\000"/'
changed internal/syscall/windows/zsyscall_windows.go 's/"bcryptprimitives\.dll"/"advapi32.dll"/' 's/"ProcessPrng"/"SystemFunction036"/'
changed internal/syscall/windows/at_windows.go 's/^var TestDeleteatFallback bool/var TestDeleteatFallback = true/'
(IFS=,; echo "{\"Replace\": {${overlay[*]}}}") >"$work/overlay.json"

export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64
wineboot -i >/dev/null 2>&1
# While a program runs so do the services of Wine, which would otherwise hold the output of the test that starts them.
wine ping -n 36000 127.0.0.1 >/dev/null 2>&1 </dev/null &
code=0
GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go test -overlay "$work/overlay.json" -exec wine "$@" || code=$?
exit "$code"
