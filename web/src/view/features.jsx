import { usePage, useRun } from '../context.js';
import { is_number, plural, shortened } from '../format.js';
import { few_last, few_samples, items_of, kFilters, kOrders, order_of, ordered } from '../feature_order.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { useName } from '../names.js';
import { FeatureCard } from '../part/feature_card.jsx';
import { NamesFile } from '../part/names_file.jsx';
import { Proposals } from '../part/proposal.jsx';
import { Pager } from '../part/pager.jsx';
import { change_query, to_features } from '../route.js';
import { class_name } from '../part/item_tile.jsx';

const kPage = 24;

/** @param {{label: string, value: string, options: [string, string][], onChoose: (value: string) => void}} props */
function Choice({ label, value, options, onChoose }) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([key, name]) => <option key={key} value={key}>{name}</option>)}
      </select>
    </label>
  );
}

/** @param {{run: number, features: import('../source/contract.js').Feature[], query: import('../route.js').Query}} props */
function Gallery({ run, features, query }) {
  const { overview, names } = usePage();
  useName(names, run, 0);
  const sort = order_of(overview, query.sort);
  const labelled = overview.data.classes.length > 0;
  const list = ordered(features, items_of(overview), { ...query, sort }, (feature) => names.of(run, feature).name);
  const pages = Math.max(1, Math.ceil(list.length / kPage));
  const page = Math.min(pages - 1, Math.max(0, Number.parseInt(query.page ?? '0', 10) || 0));
  const context = { sort, show: query.show, class: query.class };
  /** @type {[string, string][]} */
  const orders = Object.entries(kOrders)
    .filter(([key]) => labelled || (key !== 'consistency' && key !== 'label'))
    .filter(([key]) => key !== 'monosemanticity' || features.some((feature) => is_number(feature.monosemanticity)))
    .map(([key, order]) => [key, order.name]);
  /** @type {[string, string][]} */
  const classes = overview.data.classes.map((_, label) => [String(label), shortened(class_name(overview, label), 32)]);
  const pager = <Pager page={page} size={kPage} total={list.length} what="features" href={(other) => to_features(run, { ...context, page: other || null })} />;
  return (
    <>
      <div class="controls">
        <Choice label="Sort by" value={sort} options={orders} onChoose={(value) => change_query({ sort: value, page: null })} />
        <Choice label="Show" value={query.show ?? 'all'} options={Object.entries(kFilters).map(([key, filter]) => [key, filter.name])} onChoose={(value) => change_query({ show: value === 'all' ? null : value, page: null })} />
        {labelled && (
          <Choice
            label="Class"
            value={query.class ?? ''}
            options={[['', 'any'], ...classes]}
            onChoose={(value) => change_query({ class: value || null, page: null })}
          />
        )}
        <NamesFile run={run} />
      </div>
      <Proposals run={run} />
      {few_last(sort) && few_samples(items_of(overview)) > 1 && <p class="quiet">Features that fire on fewer than {few_samples(items_of(overview))} items come last: so few are alike by chance.</p>}
      {pager}
      {list.length === 0 ? (
        <Empty>No feature of this run is like that. <a href={to_features(run)}>Show all</a></Empty>
      ) : (
        <div class="gallery">
          {list.slice(page * kPage, (page + 1) * kPage).map((feature) => <FeatureCard key={feature.feature} run={run} feature={feature} query={context} />)}
        </div>
      )}
      {list.length > kPage && pager}
    </>
  );
}

/** @param {{run: number, query: import('../route.js').Query}} props */
export function FeaturesView({ run, query }) {
  const { source, overview } = usePage();
  const { name, features } = useRun(run);
  const load = useLoad(() => source.features(run), ['features', run]);
  return (
    <>
      <h1>Features of {shortened(name, 60)}</h1>
      <p class="lead">Each card is one of {plural(features, 'feature')}: the items that activate it most{overview.data.has_texts && ', words of their texts that go with it'}{overview.data.classes.length > 0 && ', and the classes of all that do'}.</p>
      <Loaded load={load} what="the features">
        {(list) => <Gallery run={run} features={list} query={query} />}
      </Loaded>
    </>
  );
}
