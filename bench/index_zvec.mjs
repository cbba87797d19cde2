// Sparse search in zvec, an embedded vector database from npm, timed:
//   node index_zvec.mjs MODULES BANK QUERIES ROWS COUNT K THREADS flat|hnsw [EF ...]
// MODULES is a folder with node_modules, BANK and QUERIES sparse .safetensors. Rows are scaled to unit length. Prints JSON:
// seconds to build, and for each ef (one entry for flat) milliseconds of a query alone, of one among all at once, and the
// numbers of the rows found.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

const [modules, bankFile, queryFile, rowsText, countText, kText, threadsText, kind, ...efs] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "index.js"));
const zvec = require("@zvec/zvec");
const { ZVecDataType, ZVecIndexType, ZVecMetricType } = zvec;

function sparse(file) {
  const handle = fs.openSync(file);
  const head = Buffer.alloc(8);
  fs.readSync(handle, head, 0, 8, 0);
  const length = Number(head.readBigUInt64LE());
  const text = Buffer.alloc(length);
  fs.readSync(handle, text, 0, length, 8);
  const header = JSON.parse(text.toString());
  const tensor = (name, Kind) => {
    const [begin, end] = header[name].data_offsets;
    const bytes = Buffer.alloc(end - begin);
    for (let at = 0; at < bytes.length; ) at += fs.readSync(handle, bytes, at, Math.min(1 << 30, bytes.length - at), 8 + length + begin + at);
    return new Kind(bytes.buffer, bytes.byteOffset, bytes.length / Kind.BYTES_PER_ELEMENT);
  };
  const starts = tensor("features.indptr", BigInt64Array);
  const columns = tensor("features.indices", Int32Array);
  const values = tensor("features.values", Float32Array);
  return (i) => {
    const row = {};
    const [begin, end] = [Number(starts[i]), Number(starts[i + 1])];
    let squares = 0;
    for (let n = begin; n < end; ++n) squares += values[n] * values[n];
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let n = begin; n < end; ++n) row[columns[n]] = values[n] * scale;
    return row;
  };
}

const median = (numbers) => numbers.slice().sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "orthant-zvec-"));
zvec.ZVecInitialize({ queryThreads: Number(threadsText), optimizeThreads: Number(threadsText), logLevel: 3 });
try {
  const indexParams =
    kind === "flat"
      ? { indexType: ZVecIndexType.FLAT, metricType: ZVecMetricType.IP }
      : { indexType: ZVecIndexType.HNSW, metricType: ZVecMetricType.IP };
  const schema = new zvec.ZVecCollectionSchema({
    name: "bench",
    vectors: { name: "v", dataType: ZVecDataType.SPARSE_VECTOR_FP32, indexParams },
  });
  const collection = zvec.ZVecCreateAndOpen(path.join(folder, "c"), schema);
  const bank = sparse(bankFile);
  const rows = Number(rowsText);
  const begun = performance.now();
  for (let i = 0; i < rows; i += 1000) {
    const docs = [];
    for (let n = i; n < Math.min(rows, i + 1000); ++n) docs.push({ id: String(n), vectors: { v: bank(n) } });
    collection.insertSync(docs);
  }
  collection.optimizeSync();
  const build = (performance.now() - begun) / 1000;
  const asked = sparse(queryFile);
  const runs = [];
  for (const ef of kind === "flat" ? [0] : efs.map(Number)) {
    const queries = [];
    for (let q = 0; q < Number(countText); ++q) {
      const query = { fieldName: "v", vector: asked(q), topk: Number(kText) };
      if (ef > 0) query.params = { indexType: ZVecIndexType.HNSW, ef };
      queries.push(query);
    }
    collection.querySync(queries[0]);
    const alone = [];
    const found = [];
    for (const query of queries) {
      const start = performance.now();
      const hits = collection.querySync(query);
      alone.push(performance.now() - start);
      found.push(hits.map((hit) => Number(hit.id)));
    }
    const start = performance.now();
    await Promise.all(queries.map((query) => collection.query(query)));
    runs.push({ ef, alone: median(alone), together: (performance.now() - start) / queries.length, found });
  }
  console.log(JSON.stringify({ build, runs }));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
