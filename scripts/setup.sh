#!/usr/bin/env bash
# Installs what Orthant needs, by name, from Debian's packages. Does nothing where all is there.
#   scripts/setup.sh          to build and run
#   scripts/setup.sh test     also to run the tests, the fuzz targets and the linters
#   scripts/setup.sh bench    also the peers that the benchmarks compare with
set -euo pipefail

build_packages=(
  g++ make cmake ninja-build pkg-config
  libhwy-dev                # SIMD with run-time dispatch
  libopenblas-openmp-dev    # matrix products and factorisations
  liblapacke-dev            # declares those of LAPACK
  libtorch-dev              # networks, autograd, convolutions
  libgloo-dev               # what LibTorch's processes talk by: its headers
  libspng-dev libjpeg62-turbo-dev libwebp-dev zlib1g-dev libzip-dev
  libsndfile1-dev libsamplerate0-dev libfftw3-dev   # sounds: files, rates, spectra
  libutf8proc-dev           # letters, their case and their forms
  libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libfmt-dev
  dataset-fashion-mnist     # real pictures without a download
  espeak-ng                 # says the words of the data set spoken
)
test_packages=(
  libgtest-dev libgmock-dev
  clang libclang-rt-14-dev libomp-dev   # fuzz targets
  clang-format clang-tidy
  chromium                              # opens the page in its tests
)
bench_packages=(
  libbenchmark-dev python3 python3-numpy python3-scipy python3-pil python3-torch python3-torchvision python3-sklearn
  python3-faiss
  openmpi-bin iproute2      # launchers and limited networks of bench/scale.py
)

stop() { echo "setup: $*" >&2; exit 1; }

# Node.js and npm bundle the page of web/; its packages come by name and checksum from web/package-lock.json when it is
# built. Debian's own are taken unless others, new enough, are there already.
major() { "$1" --version 2>/dev/null | sed -E 's/^v?([0-9]+).*/\1/'; }
node_major=$(major node || true)
npm_major=$(major npm || true)
if [ "${node_major:-0}" -lt 18 ] || [ "${npm_major:-0}" -lt 9 ]; then build_packages+=(nodejs npm); fi

level=${1:-build}
case $level in
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  bench) packages=("${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}") ;;
  *) stop "expected build, test or bench, got '$level'" ;;
esac

system=unknown
[ -r /etc/os-release ] && system=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
case $system in
  "debian 12"*) ;;
  *) stop "expected Debian 12, got '$system'; install the counterparts of these by hand, then run cmake: ${packages[*]}" ;;
esac

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are there, nothing to do"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || stop "need root or sudo to install: ${missing[*]}"
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq || stop "'apt-get update' failed; check the network and the package sources"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
  stop "apt-get could not install: ${missing[*]}"
echo "setup: done"
