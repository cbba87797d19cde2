#!/usr/bin/env bash
# Trains CL and NCL, as published, by one recipe and measures both: the tables of docs/results.md.
#   scripts/reproduce.sh cifar10 DIR [FOLDER]     about two hours on two cores; DIR: CIFAR-10's binary files
#   scripts/reproduce.sh dsprites [FOLDER]        about a quarter of an hour
# Runs that are in FOLDER (default: build/reproduce) already are resumed or kept.
set -euo pipefail
cd "$(dirname "$0")/.."
orthant=${ORTHANT:-build/bin/orthant}

stop() { echo "reproduce: $*" >&2; exit 2; }

# train RECIPE METHOD RUN [FLAGS...]
train() {
  local recipe=$1 method=$2 run=$3
  shift 3
  if [ -e "$run/run.toml" ]; then
    "$orthant" resume "$run"
  else
    "$orthant" pretrain --recipe "recipes/$recipe.toml" --method "$method" -o "$run" "$@"
  fi
}

# embed RUN FILE [FLAGS...]
embed() {
  local run=$1 file=$2
  shift 2
  mkdir -p "$(dirname "$file")"
  [ -e "$file" ] || "$orthant" embed "$run" -o "$file" "$@"
}

cifar10() {
  [ -d "${1:-}" ] || stop "expected the folder of CIFAR-10's binary files, got '${1:-}'"
  local data=cifar10:$1 folder=${2:-build/reproduce} name run
  mkdir -p "$folder"
  for name in cl ncl; do
    run=$folder/cifar10-hour-$name
    train cifar10-hour "${name/ncl/ncl-paper}" "$run" --data "$data"
    embed "$run" "$run/embeddings/test-projector.safetensors" --split test
    embed "$run" "$run/embeddings/train-projector.safetensors" --split train
    embed "$run" "$run/embeddings/views.safetensors" --split test --size 4096 --views 2
    embed "$run" "$run/embeddings/test-backbone.safetensors" --split test --layer backbone
    embed "$run" "$run/embeddings/train-backbone.safetensors" --split train --layer backbone
    [ -e "$run-probe" ] || "$orthant" probe "$run" -o "$run-probe"
  done
  local cl=$folder/cifar10-hour-cl/embeddings ncl=$folder/cifar10-hour-ncl/embeddings
  echo "== projector features"
  "$orthant" measure "$cl/test-projector.safetensors" "$ncl/test-projector.safetensors" \
    --bank "$cl/train-projector.safetensors" --bank "$ncl/train-projector.safetensors"
  echo "== the official code's definitions"
  "$orthant" measure "$cl/test-projector.safetensors" "$ncl/test-projector.safetensors" --definition official
  echo "== SEPIN, 4,096 test pictures with two views each"
  "$orthant" measure "$cl/views.safetensors" "$ncl/views.safetensors" --only sepin \
    --views "$cl/views.safetensors" --views "$ncl/views.safetensors"
  echo "== backbone features"
  "$orthant" measure "$cl/test-backbone.safetensors" "$ncl/test-backbone.safetensors" --only knn_accuracy \
    --bank "$cl/train-backbone.safetensors" --bank "$ncl/train-backbone.safetensors"
  echo "== selecting features"
  for name in cl ncl; do
    run=$folder/cifar10-hour-$name
    "$orthant" select "$run/embeddings/test-projector.safetensors" --sweep --seeds 3 \
      --train "$run/embeddings/train-projector.safetensors" -o "$run/selection.json" --overwrite
  done
  echo "== what the features mean"
  "$orthant" report "$folder/cifar10-hour-cl" "$folder/cifar10-hour-ncl" -o "$folder/cifar10.html" --overwrite
}

dsprites() {
  local folder=${1:-build/reproduce} name run
  mkdir -p "$folder"
  for name in cl ncl; do
    run=$folder/dsprites-$name
    train dsprites "${name/ncl/ncl-paper}" "$run"
    embed "$run" "$run/embeddings/test-projector.safetensors" --split test --size 15000
  done
  "$orthant" measure "$folder/dsprites-cl" "$folder/dsprites-ncl"
}

case ${1:-} in
  cifar10 | dsprites) "$@" ;;
  *) stop "expected cifar10 or dsprites, got '${1:-}'" ;;
esac
