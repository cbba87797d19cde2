import { useEffect, useMemo } from 'preact/hooks';
import { items_in, useChosen } from '../chosen.js';
import { usePage, useRun } from '../context.js';
import { plural, shortened } from '../format.js';
import { Empty, Loaded, useLast, useLoad } from '../load.jsx';
import { FilterBar } from '../part/filter_bar.jsx';
import { class_name, ItemTile } from '../part/item_tile.jsx';
import { Pager } from '../part/pager.jsx';
import { usePicked } from '../picked.js';
import { change_query, to_chosen, to_items, to_map, useSwitch } from '../route.js';
import { AskBox } from './ask.jsx';
import { Drop } from './drop.jsx';

export const kPage = 100;

/** @param {{wanted: number|null}} props */
function ClassChoice({ wanted }) {
  const { overview } = usePage();
  const { classes } = overview.data;
  if (classes.length === 0) return null;
  return (
    <label class="choice">
      <span>Class</span>
      <select value={wanted ?? ''} onChange={(event) => change_query({ class: event.currentTarget.value || null, page: null })}>
        <option value="">any</option>
        {classes.map((_, label) => <option key={label} value={label}>{shortened(class_name(overview, label), 40)}</option>)}
      </select>
    </label>
  );
}

/** Whether clicks pick items, and what to do with those picked. @param {{run: number, filter: string|null, picking: boolean, onPick: (on: boolean) => void}} props */
function Picking({ run, filter, picking, onPick }) {
  const { picked } = usePage();
  const { maps } = useRun(run);
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'p' || event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof Element && event.target.closest('input, textarea, select'))) return;
      onPick(!picking);
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [picking]);
  return (
    <span class="picking">
      <button type="button" aria-pressed={picking} onClick={() => onPick(!picking)} title="Clicks pick items instead of opening them (p)">Pick items</button>
      {picked.count > 0 && <><span class="numbers">{plural(picked.count, 'item')} picked</span> <button type="button" onClick={() => picked.clear()}>Pick none</button></>}
      <a href={to_chosen(run, { filter })}>What {picked.count > 0 ? 'they' : 'these'} have in common</a>
      {maps.length > 0 && <a href={to_map(run, { filter })}>On the map</a>}
    </span>
  );
}

/** @param {{run: number, query: import('../route.js').Query}} props */
export function ItemsView({ run, query }) {
  const { source, overview, picked, own } = usePage();
  const { name } = useRun(run);
  const wanted = /^\d+$/.test(query.class ?? '') && Number(query.class) < overview.data.classes.length ? Number(query.class) : null;
  const page = Math.max(0, Number.parseInt(query.page ?? '0', 10) || 0);
  const filter = query.filter || null;
  const only = query.picked === '1';
  const [picking, set_picking] = useSwitch('pick');
  const { chosen, error } = useChosen(run, query, { hand: only });
  usePicked(picked);
  const labels = useLoad(() => source.labels(), ['labels']);
  const list = useMemo(() => (chosen?.mask && labels.value ? items_in(chosen).filter((item) => wanted === null || labels.value?.[item] === wanted) : null), [chosen, labels.value, wanted]);
  const shown = list?.slice(page * kPage, (page + 1) * kPage) ?? null;
  const load = useLast(useLoad(async () => {
    if (!shown) return source.items(run, { offset: page * kPage, limit: kPage, class: wanted });
    const rows = await source.rows_of(run, shown);
    return { total: list?.length ?? 0, items: shown.map((item, at) => ({ item, active: rows.active(at) })) };
  }, ['items', run, page, wanted, chosen?.round ?? -1, only ? picked.version : 0, list ? list.length : -1]));
  return (
    <>
      <h1>Items seen by {shortened(name, 60)}</h1>
      <p class="lead">Open one: which features fire, its nearest neighbours, why they match, and what would change without a feature.</p>
      <AskBox />
      {own && <Drop />}
      <FilterBar run={run} query={query} chosen={chosen} error={error} hand={only} />
      <div class="controls">
        <ClassChoice wanted={wanted} />
        <Picking run={run} filter={filter} picking={picking} onPick={set_picking} />
      </div>
      <Loaded load={load} what="the items">
        {({ total, items }) => (
          <>
            <Pager page={page} size={kPage} total={total} what="items" href={(other) => to_items(run, { class: wanted, filter, picked: only ? 1 : null, pick: picking ? 1 : null, page: other || null })} />
            {items.length === 0 ? (
              <Empty>There is no such item here. <a href={to_items(run)}>Show all</a></Empty>
            ) : (
              <div class={`items-grid ${picking ? 'picking' : ''}`}>
                {items.map(({ item, active }) => (
                  <span key={item} class={picked.mask[item] ? 'picked' : undefined}>
                    <ItemTile run={run} item={item} size={64} caption={`${active} active${picked.mask[item] ? ' ✓' : ''}`} query={{ class: wanted, filter }} onChoose={picking ? () => picked.toggle(item) : undefined} />
                  </span>
                ))}
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
