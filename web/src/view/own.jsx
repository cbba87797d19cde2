import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { useOwn } from '../own.js';
import { change_query } from '../route.js';
import { Drop } from './drop.jsx';
import { Explanation } from './explanation.jsx';
import { chosen_of, SeenBy } from './seen_by.jsx';

/**
 * @typedef {import('../own.js').OwnPicture} OwnPicture
 * @typedef {import('../source/contract.js').Run} Run
 */

/** The picture, or a place for it where the browser cannot show the file. @param {{own: OwnPicture, size: number}} props */
const Portrait = ({ own, size }) =>
  own.url ? <img class="picture shown" src={own.url} alt={`Your picture ${shortened(own.file?.name ?? '', 60)}`} width={size} height={size} /> : null;

/** @param {{own: OwnPicture, run: number, item: number}} props */
function Why({ own, run, item }) {
  const load = useLoad(() => own.explain(run, item), ['own', run, item, own.url]);
  return (
    <Loaded load={load} what="why they match">
      {({ score, parts }) => <Explanation run={run} b={item} score={score} parts={parts} shared={parts.length} picture={<Portrait own={own} size={96} />} />}
    </Loaded>
  );
}

/** What one run makes of the picture. @param {{own: OwnPicture, run: Run, query: import('../route.js').Query}} props */
function SeenByRun({ own, run, query }) {
  const { busy, error, item } = own.results[run.run] ?? {};
  if (error) return <p class="notice failed" role="alert">{shortened(own.file?.name ?? '', 60)}: {error}</p>;
  if (busy || !item) return <p class="notice loading" role="status">Embedding ...</p>;
  const chosen = chosen_of(item, query[`with${run.run}`]);
  return (
    <SeenBy run={run} item={item} chosen={chosen} onChoose={(near) => change_query({ [`with${run.run}`]: near })}>
      <Why own={own} run={run.run} item={chosen} />
    </SeenBy>
  );
}

/** A picture of one's own, seen by all runs side by side. @param {{query: import('../route.js').Query}} props */
export function OwnView({ query }) {
  const { own, overview } = usePage();
  return (
    <>
      <h1>Your own picture</h1>
      {own ? <Shown own={own} runs={overview.runs} query={query} /> : <Empty>There is no model here to look at a picture with: <code>orthant explore RUN</code> has one.</Empty>}
    </>
  );
}

/** @param {{own: OwnPicture, runs: Run[], query: import('../route.js').Query}} props */
function Shown({ own, runs, query }) {
  useOwn(own);
  return (
    <>
      <Drop />
      {!own.file && <Empty>No picture yet. It will show which features fire on it, which items are nearest to it, and why, as {runs.length > 1 ? 'each run sees' : 'the run sees'} them.</Empty>}
      {own.file && (
        <div class="own">
          <div class="item-head">
            <Portrait own={own} size={128} />
            <div>
              <h2>{shortened(own.file.name, 80)}</h2>
              <p class="quiet">It stays here while you look around, until you choose another one or close this page.</p>
            </div>
          </div>
          <div class="side-by-side">
            {runs.map((run) => (
              <div key={run.run} class="card seen-by">
                <h2>Seen by {shortened(run.name, 40)}</h2>
                <SeenByRun own={own} run={run} query={query} />
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
}
