import { usePage } from '../context.js';
import { count, percent, shortened } from '../format.js';
import { class_name } from '../part/item_tile.jsx';
import { to_class } from '../route.js';

const kSpelled = 15; // classes up to which every cell has its number

/** How dark a cell is, in percent; in between, no text could be read. @param {number} share */
const shade = (share) => (share > 0.5 ? 60 + 40 * share : 35 * Math.sqrt(2 * share));

/**
 * What was taken for what: a row for each class, a column for each prediction, darker where more of the row's items are.
 * @param {{run: number, counts: number[][]}} props
 */
export function ConfusionTable({ run, counts }) {
  const { overview } = usePage();
  const name = (/** @type {number} */ label, /** @type {number} */ length) => shortened(class_name(overview, label), length);
  const spelled = counts.length <= kSpelled;
  return (
    <div class="scroll" role="region" aria-label="What was taken for what" tabIndex={0}>
      <table class={`confusion ${spelled ? '' : 'narrow'}`}>
        <thead>
          <tr>
            <td class="corner">it is ↓ taken for →</td>
            {counts.map((_, label) => <th key={label} scope="col" title={name(label, 60)}><span><a href={to_class(run, label)}>{name(label, 14)}</a></span></th>)}
          </tr>
        </thead>
        <tbody>
          {counts.map((row, label) => {
            const total = row.reduce((sum, items) => sum + items, 0);
            return (
              <tr key={label}>
                <th scope="row"><a href={to_class(run, label)}>{name(label, 18)}</a></th>
                {row.map((items, predicted) => {
                  const share = total ? items / total : 0;
                  return (
                    <td
                      key={predicted}
                      class={`${predicted === label ? 'right' : ''} ${share > 0.5 ? 'strong' : ''}`}
                      style={{ '--share': `${Math.round(shade(share))}%` }}
                      title={`${count(items)} of ${count(total)} ${name(label, 40)}: taken for ${name(predicted, 40)} (${percent(share)})`}
                    >
                      {spelled && items > 0 ? Math.round(share * 100) || '·' : ''}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
