import { useId, useState } from 'preact/hooks';
import { sure_from, telling_of } from '../contrast.js';
import { count, fixed, number, percent, plural } from '../format.js';
import { Empty } from '../load.jsx';
import { NamedFeature } from './named_feature.jsx';
import { Term } from './term.jsx';

const kFirst = 12;

/** @typedef {import('../contrast.js').Telling} Telling */

/** @type {Record<string, {name: string, order: (x: Telling, y: Telling) => number, side: number}>} */
const kOrders = {
  more: { name: 'more here, the surest first', order: (x, y) => y.surety - x.surety, side: 1 },
  lift: { name: 'more here, the largest lift first', order: (x, y) => (y.lift ?? 0) - (x.lift ?? 0) || y.surety - x.surety, side: 1 },
  less: { name: 'less here, the surest first', order: (x, y) => x.surety - y.surety, side: -1 },
};

/** @param {{firing: number, items: number, rate: number}} props */
const Rate = ({ firing, items, rate }) => <td class="numeric" title={`fires on ${count(firing)} of ${plural(items, 'item')}`}>{percent(rate)} <small class="numbers">{count(firing)}</small></td>;

/**
 * Which features some items have more, or less, than all others: how often they fire, how strongly, and whether that is
 * chance. `here` and `elsewhere` name the two groups.
 * @param {{run: number, contrast: import('../source/contract.js').Contrast, here: string, elsewhere: string}} props
 */
export function TellingTable({ run, contrast, here, elsewhere }) {
  const id = useId();
  const [sort, set_sort] = useState('more');
  const [all, set_all] = useState(false);
  const told = telling_of(contrast);
  const limit = sure_from(told.length);
  const { order, side } = kOrders[sort];
  const rows = told.filter(({ surety }) => side * surety >= limit).sort((x, y) => order(x, y) || x.feature - y.feature);
  const shown = all ? rows : rows.slice(0, kFirst);
  const chance = contrast.items / (contrast.items + contrast.others);
  if (contrast.items === 0 || contrast.others === 0) return <Empty>{contrast.items === 0 ? 'There are no items to compare.' : 'These are all items: there is nothing to compare them with.'}</Empty>;
  return (
    <>
      <div class="controls">
        <label class="choice" for={`${id}-order`}>
          <span>Features that are</span>
          <select id={`${id}-order`} value={sort} onChange={(event) => set_sort(event.currentTarget.value)}>
            {Object.entries(kOrders).map(([key, { name }]) => <option key={key} value={key}>{name}</option>)}
          </select>
        </label>
      </div>
      <p class="quiet">
        {plural(rows.length, 'feature')} of {count(told.length)} {rows.length === 1 ? 'differs' : 'differ'} by more than chance: {fixed(limit, 1)} <Term id="surety">standard errors</Term> or more, which as many random items reach for any feature in at most 1 of 100 cases.
      </p>
      {rows.length === 0 ? <Empty>No feature is {side > 0 ? 'more' : 'less'} frequent or strong here than items drawn at random would have it.</Empty> : (
        <div class="scroll" role="region" aria-label="Features that differ" tabIndex={0}>
          <table class="telling">
            <thead>
              <tr>
                <th scope="col">Feature</th>
                <th scope="col" class="numeric">fires on {here}</th>
                <th scope="col" class="numeric">on {elsewhere}</th>
                <th scope="col" class="numeric"><Term id="selection_lift">lift</Term></th>
                <th scope="col" class="numeric"><Term id="telling_share">where it fires: {here}</Term> <small>chance {percent(chance)}</small></th>
                <th scope="col" class="numeric">mean, {here}</th>
                <th scope="col" class="numeric">{elsewhere}</th>
                <th scope="col" class="numeric"><Term id="surety">errors</Term></th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.feature}>
                  <th scope="row"><NamedFeature run={run} feature={row.feature} samples={3} length={24} /></th>
                  <Rate firing={row.firing} items={contrast.items} rate={row.rate} />
                  <Rate firing={row.firing_others} items={contrast.others} rate={row.rate_others} />
                  <td class="numeric">{fixed(row.lift, 2)}</td>
                  <td class="numeric">{percent(row.share)}</td>
                  <td class="numeric">{number(row.mean)}</td>
                  <td class="numeric">{number(row.mean_others)}</td>
                  <td class="numeric">{fixed(row.surety, 1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > kFirst && <p><button type="button" aria-expanded={all} onClick={() => set_all(!all)}>{all ? `Show the first ${kFirst}` : `Show all ${count(rows.length)}`}</button></p>}
    </>
  );
}
