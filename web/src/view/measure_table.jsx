import { useChance } from '../chance.js';
import { is_number, number, shortened } from '../format.js';
import { Empty } from '../load.jsx';
import { kMeasures, measure_of, parameter_of } from '../measures.js';
import { Term } from '../part/term.jsx';

/**
 * @typedef {import('../measures.js').Measure} Measure
 * @typedef {import('../source/contract.js').Run} Run
 */

/** The runs whose value is best, where better is defined and they differ. @param {(number|null)[]} values @param {'more'|'less'} [good] */
function best(values, good) {
  const known = values.filter((value) => value !== null);
  if (!good || known.length < 2 || Math.max(...known) === Math.min(...known)) return null;
  return good === 'more' ? Math.max(...known) : Math.min(...known);
}

/** What a measure says in words, of each run where they differ. @param {{measure: Measure, runs: Run[]}} props */
function Hint({ measure, runs }) {
  const lines = runs.flatMap((run) => {
    const value = measure_of(run.measures, measure.key);
    return value === null ? [] : [{ run, text: measure.hint(value, run) }];
  });
  const same = new Set(lines.map(({ text }) => text)).size === 1;
  const shown = lines.slice(0, same ? 1 : lines.length).map(({ run, text }) => (
    <p key={run.run} class="hint">
      {runs.length > 1 && !same && <b>{shortened(run.name, 24)}: </b>}
      {text}
    </p>
  ));
  return <>{shown}</>;
}

/** From where to where a measure can go, and what blind guessing scores. @param {{measure: Measure, runs: Run[], chance: import('../chance.js').Chance|null}} props */
function Range({ measure, runs, chance }) {
  const { range } = measure;
  const ranges = new Set(runs.map((run) => (typeof range === 'string' ? range : range(run))));
  return (
    <>
      {[...ranges].join('; ')}
      {measure.chance && chance && <small>by chance {measure.format(measure.chance(chance))}</small>}
    </>
  );
}

/** How many neighbours a measure asks. @param {{measure: Measure, runs: Run[]}} props */
function Neighbours({ measure, runs }) {
  const { identifier } = measure;
  if (!identifier) return null;
  const all = new Set(runs.map((run) => parameter_of(run, identifier, 'k')).filter(is_number));
  return all.size === 0 ? null : <small> k = {[...all].join(', ')}</small>;
}

/** @param {{runs: Run[]}} props */
export function MeasureTable({ runs }) {
  const chance = useChance();
  const rows = kMeasures.filter(({ key }) => runs.some((run) => measure_of(run.measures, key) !== null));
  return (
    <section aria-labelledby="measures">
      <h2 id="measures">Measures</h2>
      {rows.length === 0 ? (
        <Empty>No measures were taken of these features.</Empty>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-labelledby="measures">
          <table class="measures">
            <thead>
              <tr>
                <th scope="col">Measure</th>
                {runs.map((run) => (
                  <th key={run.run} scope="col" class="numeric">
                    {shortened(run.name, 40)}
                  </th>
                ))}
                <th scope="col" class="ranges">Range</th>
                <th scope="col" class="hints">In words</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((measure) => {
                const values = runs.map((run) => measure_of(run.measures, measure.key));
                const winner = best(values, measure.good);
                return (
                  <tr key={measure.key}>
                    <th scope="row">
                      <Term id={measure.key} />
                      <Neighbours measure={measure} runs={runs} />
                    </th>
                    {values.map((value, at) => (
                      <td key={at} class={`numeric ${value !== null && value === winner ? 'best' : ''}`} title={value === null ? 'not measured' : number(value, 6)}>
                        {value === null ? '–' : measure.format(value)}
                        {measure.unit === 'nats' && value !== null && <small> nats</small>}
                      </td>
                    ))}
                    <td class="ranges"><Range measure={measure} runs={runs} chance={chance} /></td>
                    <td class="hints">
                      <Hint measure={measure} runs={runs} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {runs.flatMap((run) => (run.measures.warnings ?? []).map((line, at) => <p key={`${run.run}/${at}`} class="quiet">{shortened(run.name, 40)}: {shortened(String(line), 300)}</p>))}
      {runs.length > 1 && rows.length > 0 && <p class="quiet">Bold: the better of the runs, where better is defined.</p>}
    </section>
  );
}
