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
  "$orthant" embed "$folder/$method" --split train --size 6000 -o "$folder/$method-train.safetensors" --overwrite
  "$orthant" sheet "$folder/$method.safetensors" --data "$data" --split test --by consistency --overwrite \
    --title "$data, $method: the ten features that keep to one class most" -o "$folder/$method.png"
done
echo
"$orthant" measure "$folder/cl.safetensors" "$folder/ncl.safetensors" \
  --bank "$folder/cl-train.safetensors" --bank "$folder/ncl-train.safetensors" \
  --only knn_accuracy,sparsity,class_consistency,correlation,dead_features
echo
echo "Look at $folder/cl.png and $folder/ncl.png: a row is a feature. On the left the pictures that activate it most; on"
echo "the right an even choice of all that do; beside its number how many of those belong to their commonest class."
