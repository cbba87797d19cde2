import { useId } from 'preact/hooks';
import { fixed, number, percent, plural } from '../format.js';
import { Empty } from '../load.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { Term } from '../part/term.jsx';
import { useSwitch } from '../route.js';
import { side_of_value } from '../sides.js';

const kFirst = 12;

/** Which features fire on an item, and how strongly. @param {{run: number, features: import('../source/contract.js').Item['features']}} props */
export function FiringFeatures({ run, features }) {
  const id = useId();
  const [all, set_all] = useSwitch(`features${run}`);
  const strongest = features.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
  const shown = all ? features : features.slice(0, kFirst);
  const share = shown.reduce((sum, feature) => sum + feature.share, 0);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Features that fire</h2>
      {features.length === 0 ? (
        <Empty>None: all its features are zero, or too small to count (1e-5).</Empty>
      ) : (
        <>
          <table class="bars firing">
            <thead>
              <tr>
                <th scope="col">Feature</th>
                <th scope="col">Value</th>
                <th scope="col" class="numeric"><Term id="share">share</Term></th>
              </tr>
            </thead>
            <tbody>
              {shown.map((feature) => (
                <tr key={feature.feature}>
                  <th scope="row"><NamedFeature run={run} feature={feature.feature} side={side_of_value(feature.value)} /></th>
                  <td>
                    <span class="bar"><i class={feature.value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(feature.value) / strongest) * 100}%` }} /></span>
                    <span class="numbers">{number(feature.value)}</span>
                  </td>
                  <td class="numeric">{percent(feature.share, 1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {features.length > kFirst && (
            <p>
              <button type="button" aria-expanded={all} onClick={() => set_all(!all)}>
                {all ? `Show the strongest ${kFirst}` : `Show all ${plural(features.length, 'feature')}`}
              </button>{' '}
              {!all && <span class="quiet">These {kFirst} make {fixed(share * 100, 1)} % of the squared norm.</span>}
            </p>
          )}
        </>
      )}
    </section>
  );
}
