import { count, fixed, is_number, shortened } from '../format.js';
import { Term } from '../part/term.jsx';

/**
 * @typedef {import('../source/contract.js').Run} Run
 * @typedef {import('../source/contract.js').Adapted} Adapted
 * @typedef {import('../source/contract.js').Kept} Kept
 * @typedef {{term: string, words: string, value: (kept: Kept) => number|null|undefined, of_vectors: boolean}} Column
 */

/** @type {Column[]} */
const kColumns = [
  { term: 'kept.explained', words: 'explained', value: (kept) => kept.explained_variance, of_vectors: false },
  { term: 'kept.one_nn', words: '1-NN', value: (kept) => kept.one_nn, of_vectors: true },
  { term: 'kept.knn', words: '20-NN', value: (kept) => kept.knn_20, of_vectors: true },
  { term: 'kept.precision', words: 'precision of 10', value: (kept) => kept.precision_at_10, of_vectors: true },
  { term: 'kept.recall', words: 'kept of the 10 nearest', value: (kept) => kept.recall_of_dense_10, of_vectors: false },
  { term: 'kept.there', words: 'partner among 10', value: (kept) => kept.pairs?.a_to_b_recall_at_10, of_vectors: true },
  { term: 'kept.back', words: 'and back', value: (kept) => kept.pairs?.b_to_a_recall_at_10, of_vectors: true },
  { term: 'kept.dead', words: 'dead', value: (kept) => kept.dead_share, of_vectors: false },
];

/** What a row of the table is of. @param {Kept} kept */
const row_name = ({ code, active_per_row }) => (code === 'dense' ? `the vectors, ${count(active_per_row ?? 0)} numbers` : code === 'chance' ? 'by chance' : shortened(code, 20));

/** @param {{run: Run, adapted: Adapted}} props */
function KeptTable({ run, adapted }) {
  const columns = kColumns.filter(({ value }) => adapted.retained.some((kept) => kept.code !== 'dense' && is_number(value(kept))));
  const cell = (/** @type {Kept} */ kept, /** @type {Column} */ { value, of_vectors }) => {
    const share = value(kept);
    return (of_vectors || kept.code !== 'dense') && is_number(share) ? `${fixed(share * 100, 1)} %` : '–';
  };
  const said = (/** @type {Kept} */ kept) => columns.some((column) => cell(kept, column) !== '–');
  const rows = [...adapted.retained, ...(adapted.chance ? [adapted.chance] : [])].filter(said);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`What the codes of ${run.name} keep`}>
      <table class="kept">
        <thead>
          <tr>
            <th scope="col">Features on per item</th>
            {columns.map(({ term, words }) => <th key={term} scope="col" class="numeric"><Term id={term}>{words}</Term></th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((kept) => (
            <tr key={kept.code} class={kept.code === 'chance' ? 'quiet' : ''}>
              <th scope="row">{row_name(kept)}</th>
              {columns.map((column) => <td key={column.term} class="numeric">{cell(kept, column)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What codes keep of the vectors that they were learned on. @param {{runs: Run[]}} props */
export function KeptOfVectors({ runs }) {
  const adapted = runs.flatMap((run) => (run.adapter && run.adapter.retained.length > 1 ? [{ run, adapted: run.adapter }] : []));
  if (adapted.length === 0) return null;
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">What the features keep of the vectors</h2>
      {adapted.map(({ run, adapted: own }) => (
        <div key={run.run}>
          {runs.length > 1 && <h3>{shortened(run.name, 40)}</h3>}
          <p class="quiet">Measured on {count(own.held_out)} items that were not learned from, which look for their nearest among {count(own.bank)} that were.</p>
          <KeptTable run={run} adapted={own} />
        </div>
      ))}
    </section>
  );
}
