import { items_in, useChosen } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { count, plural, shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { FilterBar } from '../part/filter_bar.jsx';
import { Tiles } from '../part/item_tile.jsx';
import { SelectionFiles } from '../part/selection_files.jsx';
import { TellingTable } from '../part/telling_table.jsx';
import { to_items, to_map, to_rank } from '../route.js';

const kShown = 48;

/** What the chosen items have that others have not. @param {{run: number, chosen: import('../chosen.js').Chosen, filter: string}} props */
function InCommon({ run, chosen, filter }) {
  const { source, picked } = usePage();
  const load = useLoad(async () => (chosen.mask && chosen.count > 0 && chosen.count < chosen.total ? source.contrast(run, chosen.mask) : null), ['contrast', run, chosen.round, picked.version, chosen.count]);
  return (
    <section aria-labelledby="in-common">
      <h2 id="in-common">What they have in common</h2>
      <Loaded load={load} what="what they have in common">
        {(contrast) => contrast
          ? <>{filter && <p class="quiet">A feature that the filter itself names differs because it was asked for.</p>}<TellingTable run={run} contrast={contrast} here="these" elsewhere="the rest" /></>
          : <Empty>{chosen.count === 0 ? 'No item is chosen.' : 'All items are chosen, so there is nothing to compare them with. Narrow them by a condition above, or pick some: circle them on the map, or click them in the list of items.'}</Empty>}
      </Loaded>
    </section>
  );
}

/** The items chosen by the filter and by hand: what they share, and as a file. @param {{run: number, query: import('../route.js').Query}} props */
export function ChosenView({ run, query }) {
  const { maps, name } = useRun(run);
  const { chosen, error } = useChosen(run, query, { hand: true });
  const filter = query.filter ?? '';
  const some = chosen ? items_in(chosen).slice(0, kShown) : [];
  return (
    <>
      <h1>Selection <small>seen by {shortened(name, 40)}</small></h1>
      <p class="lead">Items chosen by conditions, circled on the <a href={to_map(run, { filter })}>map</a>, clicked in the <a href={to_items(run, { filter })}>list</a>, or read from a file: what sets them apart, and all of them to take along.</p>
      <FilterBar run={run} query={query} chosen={chosen} error={error} hand />
      {chosen && (
        <>
          <SelectionFiles run={run} chosen={chosen} filter={filter} />
          {chosen.mask && some.length > 0 && (
            <section aria-labelledby="chosen-items">
              <h2 id="chosen-items">{plural(chosen.count, 'item')}</h2>
              <Tiles run={run} items={some.map((item) => ({ item, query: { filter } }))} size={48} label="Chosen items" />
              {chosen.count > some.length && <p class="quiet">The first {count(some.length)}. <a href={to_items(run, { filter, picked: 1 })}>All of them as a list</a>{maps.length > 0 && <>, <a href={to_map(run, { filter })}>on the map</a></>}, or <a href={to_rank(run, { filter })}>ranked by features</a>.</p>}
            </section>
          )}
          <InCommon run={run} chosen={chosen} filter={filter} />
        </>
      )}
    </>
  );
}
