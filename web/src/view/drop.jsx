import { useEffect, useState } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { number, shortened } from '../format.js';
import { Explanation } from './explanation.jsx';
import { FiringFeatures } from './firing_features.jsx';
import { Neighbours } from './neighbours.jsx';

/**
 * @typedef {{name: string, url: string, result: import('../source/contract.js').OwnItem}} OwnPicture
 * @typedef {Partial<OwnPicture> & {busy?: string, error?: string}} DropState
 */

/** An image of one's own: dropped or chosen, embedded by the server, and shown like an item. @param {{run: number}} props */
export function Drop({ run }) {
  const { source } = usePage();
  const [state, set_state] = useState(/** @type {DropState} */ ({}));
  const [over, set_over] = useState(false);
  useEffect(() => () => {
    if (state.url) URL.revokeObjectURL(state.url);
  }, [state.url]);
  const take = async (/** @type {File|undefined} */ file) => {
    set_over(false);
    if (!file || !source.embed) return;
    set_state({ busy: file.name });
    try {
      const result = await source.embed(run, file);
      set_state({ name: file.name, url: URL.createObjectURL(file), result });
    } catch (error) {
      set_state({ error: `${shortened(file.name, 60)}: ${error instanceof Error ? error.message : error}` });
    }
  };
  return (
    <section aria-labelledby="own">
      <h2 id="own">An image of your own</h2>
      <div
        class={`drop ${over ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          set_over(true);
        }}
        onDragLeave={() => set_over(false)}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer?.files[0]);
        }}
      >
        <span>Drop a PNG or JPEG here, or</span>
        <label class="button">
          choose a file
          <input type="file" class="hidden-input" accept="image/png,image/jpeg" onChange={(event) => take(event.currentTarget.files?.[0])} />
        </label>
        {state.busy && <span role="status">Embedding {shortened(state.busy, 60)} ...</span>}
      </div>
      {state.error && <p class="notice failed" role="alert">{state.error}</p>}
      {state.result && state.url && <Own run={run} name={state.name ?? ''} url={state.url} result={state.result} />}
    </section>
  );
}

/** @param {OwnPicture & {run: number}} props */
function Own({ run, name, url, result }) {
  const { features } = useRun(run);
  const best = result.neighbours[0];
  return (
    <div class="own">
      <div class="item-head">
        <img class="picture shown" src={url} alt={`Your image ${shortened(name, 60)}`} width={128} height={128} />
        <div>
          <h3>{shortened(name, 80)}</h3>
          <p class="numbers">{result.active} active features of {features} · norm {number(result.norm)}</p>
        </div>
      </div>
      <FiringFeatures run={run} features={result.features} />
      <Neighbours run={run} neighbours={result.neighbours} />
      {best && result.parts && (
        <Explanation
          run={run}
          b={best.item}
          score={best.score}
          parts={result.parts}
          shared={result.parts.length}
          picture={<img class="picture shown" src={url} alt="Your image" width={96} height={96} />}
        />
      )}
    </div>
  );
}
