import { usePage, useRun } from '../context.js';
import { shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { class_name, ItemTile } from '../part/item_tile.jsx';
import { Pager } from '../part/pager.jsx';
import { change_query, to_items } from '../route.js';
import { AskBox } from './ask.jsx';
import { Drop } from './drop.jsx';

export const kPage = 100;

/** @param {{run: number, query: import('../route.js').Query}} props */
export function ItemsView({ run, query }) {
  const { source, overview, own } = usePage();
  const { name } = useRun(run);
  const { classes } = overview.data;
  const wanted = /^\d+$/.test(query.class ?? '') ? Number(query.class) : null;
  const page = Math.max(0, Number.parseInt(query.page ?? '0', 10) || 0);
  const load = useLoad(() => source.items(run, { offset: page * kPage, limit: kPage, class: wanted }), ['items', run, page, wanted]);
  return (
    <>
      <h1>Items seen by {shortened(name, 60)}</h1>
      <p class="lead">Pick one: which features fire, its nearest neighbours, and why they match.</p>
      <AskBox />
      {own && <Drop />}
      {classes.length > 0 && (
        <div class="controls">
          <label class="choice">
            <span>Class</span>
            <select value={wanted ?? ''} onChange={(event) => change_query({ class: event.currentTarget.value || null, page: null })}>
              <option value="">any</option>
              {classes.map((_, label) => <option key={label} value={label}>{shortened(class_name(overview, label), 40)}</option>)}
            </select>
          </label>
        </div>
      )}
      <Loaded load={load} what="the items">
        {({ total, items }) => (
          <>
            <Pager page={page} size={kPage} total={total} what="items" href={(other) => to_items(run, { class: wanted, page: other || null })} />
            {items.length === 0 ? (
              <Empty>There is no such item here. <a href={to_items(run)}>Show all</a></Empty>
            ) : (
              <div class="items-grid">
                {items.map(({ item, active }) => <ItemTile key={item} run={run} item={item} size={64} caption={`${active} active`} query={{ class: wanted }} />)}
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
