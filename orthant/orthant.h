#pragma once

// A guide to liborthant: one header for each thing that people come for. Including this file includes them all; a
// program that cares for its compile time includes the one it needs. Everything is in namespace orthant; nothing here
// needs LibTorch, which only liborthant_learn (learn/...) does.

// Files and values: Matrix, SparseMatrix, Embeddings, and the formats they are read from and written to.
#include "orthant/core/embeddings.h"  // features with labels, factors, ids: what every tool below takes
#include "orthant/core/error.h"       // IoError: what the world does wrong; std::invalid_argument: what the caller does
#include "orthant/io/embeddings_file.h"  // .npy, .npz, SciPy CSR, safetensors

// Data sets and views of their pictures.
#include "orthant/data/loader.h"          // batches of augmented views
#include "orthant/sources/open.h"         // open_dataset("cifar10:DIR")
#include "orthant/sources/pack_folder.h"  // a folder of pictures in one file

// What features are like, and which matter.
#include "orthant/measure/evaluation.h"  // every measure that the input allows
#include "orthant/search/neighbours.h"   // exact nearest neighbours, dense or sparse
#include "orthant/select/ranking.h"      // which features to keep

// An index of features on disk.
#include "orthant/index/edit.h"    // build it; add, remove, merge
#include "orthant/index/recall.h"  // how much an approximate search must read
#include "orthant/index/search.h"  // exact or approximate search in it, filters, why something was found

// Runs, and what their features mean.
#include "orthant/catalogue/catalogue.h"  // features, items, why two items match
#include "orthant/catalogue/open.h"       // a run or a file as a catalogue, in one call
#include "orthant/report/report_file.h"   // all of it as one offline page
#include "orthant/run/recipe.h"           // what a run was told to do

// The same optimum by matrix factorisation.
#include "orthant/factorize/factorize.h"
