import { usePage } from '../context.js';
import { class_colour } from '../chart/colours.js';
import { count, fixed, number, percent, plural, shortened } from '../format.js';
import { Empty } from '../load.jsx';
import { ClassLink } from '../part/class_link.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { class_name } from '../part/item_tile.jsx';
import { Term } from '../part/term.jsx';

const kMostClasses = 12;
const kEverywhere = 0.99; // share of items from which on it tells nothing what else fires

/** @typedef {import('../source/contract.js').FeatureDocument} FeatureDocument */

/** @param {{share: number, label: number}} props */
const ShareCell = ({ share, label }) => (
  <td>
    <span class="bar"><i style={{ width: `${share * 100}%`, background: class_colour(label) }} /></span>
    <span class="numbers">{percent(share)}</span>
  </td>
);

/** @param {{run: number, feature: FeatureDocument}} props */
function Classes({ run, feature }) {
  const { overview } = usePage();
  const negative = feature.negative?.profile ?? [];
  const share = (/** @type {{class: number, share: number}} */ row) => Math.max(row.share, negative[row.class] ?? 0);
  const rows = feature.classes.filter((row) => row.count + row.negative > 0).sort((x, y) => share(y) - share(x));
  if (rows.length === 0) return <Empty>It fires on no labelled item.</Empty>;
  return (
    <table class={`bars ${feature.negative ? 'two-shares' : ''}`}>
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col">{feature.negative ? 'Share of the + side' : 'Share of its items'}</th>
          {feature.negative && <th scope="col">Share of the − side</th>}
          {!feature.negative && <th scope="col" class="numeric"><Term id="rate">rate</Term></th>}
          <th scope="col" class="numeric">mean</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, kMostClasses).map((row) => (
          <tr key={row.class}>
            <th scope="row" title={shortened(class_name(overview, row.class), 200)}><ClassLink run={run} label={row.class} length={20} /></th>
            <ShareCell share={row.share} label={row.class} />
            {feature.negative && <ShareCell share={negative[row.class]} label={row.class} />}
            {!feature.negative && <td class="numeric" title={`fires on ${percent(row.rate)} of the class, ${count(row.count)} items`}>{percent(row.rate)}</td>}
            <td class="numeric">{number(row.mean)}</td>
          </tr>
        ))}
      </tbody>
      {rows.length > kMostClasses && <caption class="below">and {plural(rows.length - kMostClasses, 'class', 'classes')} with smaller shares</caption>}
    </table>
  );
}

/**
 * @template {{feature: number}} Row
 * @param {{run: number, rows: Row[], columns: [string & keyof Row, (value: number) => string][]}} props
 */
function Relations({ run, rows, columns }) {
  if (rows.length === 0) return <Empty>None.</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Feature</th>
          {columns.map(([key]) => <th key={key} scope="col" class="numeric"><Term id={key}>{key}</Term></th>)}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.feature}>
            <th scope="row"><NamedFeature run={run} feature={row.feature} samples={3} length={24} /></th>
            {columns.map(([key, format]) => <td key={key} class="numeric">{format(Number(row[key]))}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The classes of a feature, and the features that resemble it or fire with it. @param {{run: number, feature: FeatureDocument}} props */
export function FeatureRelations({ run, feature }) {
  const { overview } = usePage();
  const two = (/** @type {number} */ value) => fixed(value, 2);
  return (
    <div class="side-by-side three">
      {overview.data.classes.length > 0 && (
        <section class="card" aria-labelledby="classes">
          <h2 id="classes">Classes</h2>
          <Classes run={run} feature={feature} />
        </section>
      )}
      <section class="card" aria-labelledby="similar">
        <h2 id="similar">Most similar features</h2>
        <Relations run={run} rows={feature.similar} columns={[['cosine', two]]} />
      </section>
      <section class="card" aria-labelledby="cofiring">
        <h2 id="cofiring">Fires together with</h2>
        {feature.firing_rate > kEverywhere
          ? <Empty>It fires on nearly every item, and so together with every other feature.</Empty>
          : <Relations run={run} rows={feature.cofiring} columns={[['both', count], ['jaccard', two], ['lift', two]]} />}
      </section>
    </div>
  );
}
