import { useLayoutEffect } from 'preact/hooks';
import { usePage, useRun } from '../context.js';
import { number, shortened } from '../format.js';
import { setSteps } from '../keys.js';
import { Loaded, useLoad } from '../load.jsx';
import { class_name } from '../part/item_tile.jsx';
import { Picture } from '../part/picture.jsx';
import { Term } from '../part/term.jsx';
import { to_item, to_items } from '../route.js';
import { Drop } from './drop.jsx';
import { Explanation } from './explanation.jsx';
import { FiringFeatures } from './firing_features.jsx';
import { Neighbours } from './neighbours.jsx';

/** @param {{run: number, item: number}} props */
function Steps({ run, item }) {
  const { overview } = usePage();
  const total = overview.data.items_shown ?? overview.data.items;
  const previous = item > 0 ? to_item(run, item - 1) : null;
  const next = item + 1 < total ? to_item(run, item + 1) : null;
  useLayoutEffect(() => setSteps({ previous, next, up: to_items(run) }), [previous, next]);
  return (
    <nav class="steps" aria-label="Other items">
      <a href={to_items(run)}>All items</a>
      {previous ? <a rel="prev" href={previous}>Previous</a> : <span class="quiet">Previous</span>}
      {next ? <a rel="next" href={next}>Next</a> : <span class="quiet">Next</span>}
    </nav>
  );
}

/** The other runs' view of the same item. @param {{run: number, item: number}} props */
function OtherRuns({ run, item }) {
  const { overview } = usePage();
  const others = overview.runs.filter((other) => other.run !== run);
  if (others.length === 0) return null;
  return <p>The same item as {others.map((other) => <a key={other.run} href={to_item(other.run, item)}>{shortened(other.name, 40)} sees it</a>)}</p>;
}

/** @param {{run: number, item: number, query: import('../route.js').Query}} props */
export function ItemView({ run, item, query }) {
  const { source, overview } = usePage();
  const about = useRun(run);
  const load = useLoad(() => source.item(run, item), ['item', run, item]);
  return (
    <>
      <Steps run={run} item={item} />
      <Loaded load={load} what={`item ${item}`}>
        {(document) => {
          const other = /^\d+$/.test(query.with ?? '') ? Number(query.with) : (document.neighbours[0]?.item ?? null);
          return (
            <>
              <div class="item-head">
                {overview.data.has_pictures && <Picture item={item} size={128} />}
                <div>
                  <h1>Item {item} <small>seen by {shortened(about.name, 40)}</small></h1>
                  <p class="item-id"><code>{shortened(document.id, 120)}</code> · {shortened(class_name(overview, document.label), 80)}</p>
                  <p class="numbers"><Term id="active">{document.active} active features</Term> of {about.features} · <Term id="norm">norm</Term> {number(document.norm)}</p>
                  <OtherRuns run={run} item={item} />
                </div>
              </div>
              <FiringFeatures run={run} features={document.features} />
              <Neighbours run={run} neighbours={document.neighbours} chosen={other} href={(near) => to_item(run, item, { with: near })} />
              {other !== null && <WhyItMatches run={run} a={item} b={other} />}
              {source.live && <Drop run={run} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** @param {{run: number, a: number, b: number}} props */
function WhyItMatches({ run, a, b }) {
  const { source } = usePage();
  const load = useLoad(() => source.explain(run, a, b), ['explain', run, a, b]);
  return (
    <Loaded load={load} what="why they match">
      {(explanation) => <Explanation run={run} {...explanation} />}
    </Loaded>
  );
}
