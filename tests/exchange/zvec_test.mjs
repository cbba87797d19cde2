// zvec's exact search by inner product over the exported JSON lines finds what we find.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { lines, load, with_export } from './engines.mjs';

test('zvec', async () => {
  const zvec = await load('@zvec/zvec');
  zvec.ZVecInitialize({ logType: zvec.ZVecLogType.CONSOLE, logLevel: zvec.ZVecLogLevel.ERROR });
  await with_export('jsonl', async (folder, rows, questions) => {
    const items = lines(join(folder, 'items.jsonl'));
    for (const item of items) item.values = item.values.map(Math.fround);
    assert.deepEqual(items, rows.map((row) => (row.label === null ? { id: row.id, indices: row.indices, values: row.values } : row)));
    const weights = (item) => Object.fromEntries(item.indices.map((index, k) => [index, item.values[k]]));
    const schema = new zvec.ZVecCollectionSchema({
      name: 'items',
      vectors: [{ name: 'features', dataType: zvec.ZVecDataType.SPARSE_VECTOR_FP32, indexParams: { indexType: zvec.ZVecIndexType.FLAT, metricType: zvec.ZVecMetricType.IP } }],
    });
    const collection = zvec.ZVecCreateAndOpen(join(folder, 'zvec'), schema);
    const documents = items.map((item, row) => ({ id: String(row), vectors: { features: weights(item) } })).filter((_, row) => items[row].indices.length);
    for (let at = 0; at < documents.length; at += 500) {
      for (const status of collection.insertSync(documents.slice(at, at + 500))) assert.ok(status.ok, status.message);
    }
    assert.equal(questions.length, 10);
    for (const question of questions) {
      const found = collection.querySync({ fieldName: 'features', vector: weights(items[question.row]), topk: 10 });
      assert.deepEqual(found.map((hit) => items[Number(hit.id)].id), question.found.map((hit) => hit.item));
      found.forEach((hit, k) => assert.ok(Math.abs(hit.score - question.found[k].score) < 1e-5 * question.found[k].score));
    }
    collection.closeSync?.();
  });
});
