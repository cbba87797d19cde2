#!/usr/bin/env bash
# Every claim about speed, each beside its peer, one after the other. Run it on an idle machine.
#   bench/run.sh BUILD [NAME...]     names: views loader pack adapt nmf decompose loss train pairs text measure retrieval index sepin layout look serve map where clean scale; default: all
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
python=/usr/bin/python3   # Debian's, which has the peers
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(views loader pack adapt nmf decompose loss train pairs text measure retrieval index sepin layout look serve map where clean scale)
for name in "${names[@]}"; do
  echo "== $name"
  case $name in
    views) $python bench/views.py "$build/bin" ;;
    loader)
      cifar=${ORTHANT_CIFAR10:-$HOME/.cache/orthant/data/cifar-10-batches-bin}
      if [ -d "$cifar" ]; then "$build/bin/loader_bench" "$cifar"; else "$build/bin/loader_bench"; fi
      ;;
    pack) $python bench/pack.py "$build/bin" ;;
    adapt) $python bench/adapt.py "$build/bin" ;;
    nmf) $python bench/nmf.py "$build/bin" ;;
    decompose) $python bench/decompose.py "$build/bin" ;;
    loss) $python bench/loss.py "$build/bin" ;;
    train) $python bench/train.py "$build/bin" ;;
    text) $python bench/text.py "$build/bin" ;;
    pairs) $python bench/pairs.py "$build/bin" ;;
    measure) $python bench/measure.py "$build/bin" ;;
    retrieval) $python bench/retrieval.py "$build/bin" ;;
    index) $python bench/index.py "$build/bin" ;;
    sepin) $python bench/sepin.py "$build/bin" ;;
    layout) $python bench/layout.py "$build/bin" ;;
    look) $python bench/look.py "$build" ;;
    serve) $python bench/serve.py "$build/bin" ;;
    map) ORTHANT_PAGE_DIR="$(realpath "$build")/web" node bench/map.mjs ;;
    where) $python bench/where.py "$build/bin" ;;
    clean)
      cifar=${ORTHANT_CIFAR10:-$HOME/.cache/orthant/data/cifar-10-batches-bin}
      if [ -d "$cifar" ]; then $python bench/clean.py "$build/bin/orthant" "cifar10:$cifar"; else echo "clean: skipped, no CIFAR-10 in $cifar"; fi
      ;;
    scale) $python bench/scale.py "$build/bin" ;;
    *) echo "bench: expected views, loader, pack, adapt, nmf, decompose, loss, train, pairs, text, measure, retrieval, index, sepin, layout, look, serve, map, where, clean or scale, got '$name'" >&2; exit 2 ;;
  esac
done
