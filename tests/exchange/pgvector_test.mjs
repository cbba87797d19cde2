// PostgreSQL with pgvector takes the export as it is, and finds what we find.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load, with_export } from './engines.mjs';

test('PostgreSQL with pgvector', async () => {
  const { PGlite } = await load('@electric-sql/pglite');
  const { vector } = await load('@electric-sql/pglite/vector');
  await with_export('pgvector', async (folder, rows, questions) => {
    const db = new PGlite({ extensions: { vector } });
    await db.exec(readFileSync(join(folder, 'schema.sql'), 'utf8'));
    const blob = new Blob([readFileSync(join(folder, 'items.copy'))]);
    await db.query("COPY items (key, label, features) FROM '/dev/blob'", [], { blob });
    const stored = (await db.query('SELECT key, label, features::text AS features FROM items')).rows;
    assert.equal(stored.length, rows.length);
    const by_key = new Map(stored.map((row) => [row.key, row]));
    for (const row of rows) {
      const found = by_key.get(row.id);
      assert.equal(found.label, row.label);
      const entries = /^\{(.*)\}\/96$/.exec(found.features)[1].split(',').filter(Boolean).map((entry) => entry.split(':').map(Number));
      assert.deepEqual(entries.map(([index]) => index - 1), row.indices);
      assert.deepEqual(entries.map(([, value]) => Math.fround(value)), row.values);
    }
    assert.equal(questions.length, 10);
    for (const question of questions) {
      const query = by_key.get(question.item).features;
      const answer = await db.query('SELECT key, -(features <#> $1::sparsevec) AS score FROM items ORDER BY features <#> $1::sparsevec LIMIT 10', [query]);
      assert.deepEqual(answer.rows.map((row) => row.key), question.found.map((hit) => hit.item));
      answer.rows.forEach((row, k) => assert.ok(Math.abs(row.score - question.found[k].score) < 1e-5 * question.found[k].score));
    }
    const first = await db.query(readFileSync(join(folder, 'query.sql'), 'utf8'));
    assert.deepEqual(first.rows.map((row) => row.key), questions[0].found.map((hit) => hit.item));
    await db.exec('TRUNCATE items');  // to build it of many takes long
    await db.exec(readFileSync(join(folder, 'index.sql'), 'utf8'));
    const plan = (await db.query('SELECT indexdef FROM pg_indexes WHERE indexname LIKE $1', ['%features%'])).rows;
    assert.match(plan[0].indexdef, /hnsw.*sparsevec_ip_ops/);
    await db.close();
  });
});
