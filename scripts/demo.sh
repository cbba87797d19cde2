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
  "$orthant" embed "$folder/$method" --split test --overwrite
  "$orthant" embed "$folder/$method" --split train --size 6000 -o "$folder/$method-train.safetensors" --overwrite
  "$orthant" sheet "$folder/$method/embeddings/test-projector.safetensors" --data "$data" --split test \
    --by consistency --overwrite -o "$folder/$method.png" \
    --title "$data, $method: the ten features that keep to one class most"
done
echo
"$orthant" measure "$folder/cl" "$folder/ncl" \
  --bank "$folder/cl-train.safetensors" --bank "$folder/ncl-train.safetensors" \
  --only knn_accuracy,sparsity,class_consistency,correlation,dead_features
echo
"$orthant" report "$folder/cl" "$folder/ncl" -o "$folder/report.html" --overwrite
echo
echo "Open $folder/report.html in a browser to see what every feature reacts to."
echo "$folder/cl.png and $folder/ncl.png show ten features each, a row for a feature: on the left the pictures that"
echo "activate it most, on the right an even choice of all that do, with the share of their commonest class."
