#!/usr/bin/env bash
# Trains the same network twice, contrastive (CL) and non-negative contrastive (NCL), and shows what the features of each
# react to: pictures alone, or pictures with their captions.
#   scripts/demo.sh [sprites|fashion|captions]
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-sprites}
case $data in
  sprites | fashion | captions) ;;
  *) echo "demo: expected sprites, fashion or captions, got '$data'" >&2; exit 2 ;;
esac
orthant=${ORTHANT:-build/bin/orthant}
folder=build/demo/$data
pictures=$data
texts=()
mkdir -p "$folder"
if [ "$data" = captions ]; then
  pictures=sprites
  texts=(--texts captions)
fi

for method in cl ncl; do
  echo "== $method"
  run=$folder/$method
  sparse=()
  [ "$method" = ncl ] && [ "$data" != captions ] && sparse=(--sparsity 0.95)
  "$orthant" pretrain --recipe "recipes/demo-$data.toml" --method "$method" "${sparse[@]}" -o "$run" --overwrite
  "$orthant" embed "$run" --split test --overwrite
  [ "$data" = captions ] ||
    "$orthant" embed "$run" --split train --size 6000 -o "$run-train.safetensors" --overwrite
  "$orthant" sheet "$run/embeddings/test-projector.safetensors" --data "$pictures" "${texts[@]}" --split test \
    --by consistency --overwrite -o "$run.png" \
    --title "$data, $method: the ten features that keep to one class most"
done
echo
if [ "$data" = captions ]; then
  "$orthant" measure "$folder/cl" "$folder/ncl" --pairs
  names=$folder/shapes.txt
  printf '%s\n' circle square triangle star heart moon ring cross arrow house fish tree mug bolt flower car >"$names"
  for method in cl ncl; do
    echo
    "$orthant" classify "$folder/$method" --names "$names" --template "a {}" --item 0 --quiet
  done
else
  "$orthant" measure "$folder/cl" "$folder/ncl" \
    --bank "$folder/cl-train.safetensors" --bank "$folder/ncl-train.safetensors" \
    --only knn_accuracy,sparsity,class_consistency,correlation,dead_features
fi
echo
"$orthant" report "$folder/cl" "$folder/ncl" -o "$folder/report.html" --no-where --overwrite
echo
echo "Open $folder/report.html in a browser to see what every feature reacts to."
echo "Without --no-where 'orthant report' shows where in the pictures they fire, too, which takes minutes more."
echo "$folder/cl.png and $folder/ncl.png show ten features each, a row for a feature: on the left the pictures that"
echo "activate it most, on the right an even choice of all that do, with the share of their commonest class."
if [ "$data" = captions ]; then
  echo "Beside each row are the words that raise the feature. To ask for pictures in words: $orthant explore $folder/ncl"
fi
