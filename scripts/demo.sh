#!/usr/bin/env bash
# Draws a data set and its augmented views: what a contrastive encoder is trained on.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-sprites}
folder=build/demo
mkdir -p "$folder"
build/bin/orthant data info "$data"
sheet=$folder/$(echo "$data" | tr -c 'A-Za-z0-9\n' '-').png
build/bin/orthant data preview "$data" -o "$sheet" --seed 1 --overwrite
echo "Look at $sheet: every row is a picture and eight views of it. A contrastive encoder learns that a row belongs together."
