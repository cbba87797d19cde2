#!/usr/bin/env bash
# Trains the same encoder twice, contrastive (CL) and non-negative contrastive (NCL), and shows what the features of
# each react to.
#   scripts/demo.sh [sprites|fashion]
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-sprites}
case $data in
  sprites | fashion) ;;
  *) echo "demo: expected sprites or fashion, got '$data'" >&2; exit 2 ;;
esac
orthant=${ORTHANT:-build/bin/orthant}
folder=build/demo/$data
mkdir -p "$folder"
for method in cl ncl; do
  echo "== $method"
  "$orthant" pretrain --recipe "recipes/demo-$data.toml" --method "$method" -o "$folder/$method" --overwrite
  "$orthant" embed "$folder/$method" --split test -o "$folder/$method.safetensors" --overwrite
  "$orthant" sheet "$folder/$method.safetensors" --data "$data" --split test --overwrite -o "$folder/$method.png" \
    --title "$data, $method: what activates ten features most"
done
echo
"$orthant" info "$folder/cl" "$folder/ncl" |
  grep -E 'train.method|knn_backbone|knn_projector|  sparsity|  consistency |correlation|dead_features|projector.out'
echo
echo "Look at $folder/cl.png and $folder/ncl.png: a row shows the pictures that activate one feature most."
echo "The percentage beside a row is the share of its commonest class; the table above is over all features."
