import { useId } from 'preact/hooks';
import { usePage } from '../context.js';
import { method_words, sum_of_parts } from '../heat.js';
import { number, percent } from '../format.js';
import { Loaded, useLoad } from '../load.jsx';
import { HeatPicture } from '../part/heat_picture.jsx';
import { useHasWhere } from '../part/heat_tile.jsx';
import { NamedFeature } from '../part/named_feature.jsx';
import { Term } from '../part/term.jsx';
import { change_query } from '../route.js';
import { side_of_value } from '../sides.js';
import { heard_words } from '../sound_axes.js';

const kMost = 12;

/**
 * @typedef {import('../source/contract.js').Where} Where
 * @typedef {import('../source/contract.js').HeatMap} HeatMap
 */

/** The sum of a map, as a table. @param {{where: Where, map: HeatMap, total: string}} props */
function Sum({ where, map, total }) {
  if (where.method !== 'additive') return <p class="numbers">{total} {number(map.value)}</p>;
  return (
    <table class="sum">
      <tbody>
        <tr><th scope="row">{where.sound ? 'the same loudness everywhere' : 'a plain picture'}</th><td class="numeric">{number(map.rest)}</td></tr>
        <tr><th scope="row">what the places add</th><td class="numeric">{number(sum_of_parts(map.parts))}</td></tr>
      </tbody>
      <tfoot><tr><th scope="row">{total}</th><td class="numeric">{number(map.value)}</td></tr></tfoot>
    </table>
  );
}

/** Where in a sound a map is strongest, and what of it was heard. @param {{where: Where, map: HeatMap}} props */
function Place({ where, map }) {
  if (!where.sound) return null;
  const heard = heard_words(where.sound);
  return (
    <p>
      {map.place ? <>Strongest at <strong class="numbers">{map.place.words}</strong>, which holds {percent(map.place.share)} of what {map.value < 0 ? 'takes from' : 'adds to'} it.</> : `Nothing in the sound ${map.value < 0 ? 'takes from' : 'adds to'} it.`}
      {heard && ` ${heard}`}
    </p>
  );
}

/** Where in an item's picture one of its features fires. @param {{run: number, item: number, features: import('../source/contract.js').Item['features'], query: import('../route.js').Query}} props */
export function ItemWhere({ run, item, features, query }) {
  const { source } = usePage();
  const id = useId();
  const has = useHasWhere(run);
  const wanted = features.slice(0, kMost).map(({ feature }) => feature);
  const load = useLoad(async () => (has && wanted.length > 0 ? source.where(run, item, { features: wanted }) : null), ['where', run, item, wanted.join()]);
  if (!has || wanted.length === 0) return null;
  return (
    <Loaded load={load} what="where features fire">
      {(where) => {
        if (!where || where.maps.length === 0) return null;
        const off = query.where === 'off';
        const map = where.maps.find(({ feature }) => String(feature) === query.where) ?? where.maps[0];
        const feature = map.feature ?? 0;
        return (
          <section aria-labelledby={id} class="item-where">
            <h2 id={id}><Term id="where">Where in the {where.sound ? 'sound' : 'picture'}</Term></h2>
            <div class="controls">
              <label class="choice">
                <span>Feature</span>
                <select value={off ? 'off' : String(feature)} onChange={(event) => change_query({ where: event.currentTarget.value })}>
                  {where.maps.map((one) => <option key={one.feature} value={String(one.feature)}>{one.feature}</option>)}
                  <option value="off">none: the {where.sound ? 'sound' : 'picture'} as it is</option>
                </select>
              </label>
              {!off && <NamedFeature run={run} feature={feature} side={side_of_value(map.value)} />}
            </div>
            <div class="where">
              <HeatPicture framed item={item} size={192} where={where} map={off ? null : map} label={off ? `item ${item}` : `item ${item}: where feature ${feature} fires`} />
              {!off && (
                <div>
                  <Place where={where} map={map} />
                  <Sum where={where} map={map} total="together" />
                  <p class="quiet">Red adds, blue takes away. {method_words(where)}</p>
                </div>
              )}
            </div>
          </section>
        );
      }}
    </Loaded>
  );
}

/** One of two pictures, with what makes it similar to the other. @param {{run: number, item: number, other: number}} props */
function Half({ run, item, other }) {
  const { source } = usePage();
  const load = useLoad(() => source.where(run, item, { features: [], with: other }), ['match', run, item, other]);
  return (
    <Loaded load={load} what="what makes them similar">
      {(where) => where?.match && (
        <figure>
          <HeatPicture framed item={item} size={160} where={where} map={where.match} label={`item ${item}: what makes it similar to item ${other}`} />
          <figcaption>item {item}{where.match.place && `: most at ${where.match.place.words}`}<Sum where={where} map={where.match} total="similarity" /></figcaption>
        </figure>
      )}
    </Loaded>
  );
}

/** Which part of two pictures makes them similar; only a server can tell. @param {{run: number, a: number, b: number}} props */
export function MatchWhere({ run, a, b }) {
  const { source, overview } = usePage();
  const id = useId();
  const has = useHasWhere(run);
  if (!has || !source.live || a === b) return null;
  return (
    <section aria-labelledby={id} class="match-where">
      <h2 id={id}>What in the {overview.data.has_sounds ? 'sounds' : 'pictures'} makes them similar</h2>
      <p class="quiet">What each place adds to the similarity, by all the features that they share. Red adds, blue takes away.</p>
      <div class="where">
        <Half run={run} item={a} other={b} />
        <Half run={run} item={b} other={a} />
      </div>
    </section>
  );
}
