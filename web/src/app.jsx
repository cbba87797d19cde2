import { useEffect, useRef, useState } from 'preact/hooks';
import { Page, usePage, useReaders } from './context.js';
import { shortened } from './format.js';
import { Help } from './help.jsx';
import { listen_to_keys } from './keys.js';
import { Empty } from './load.jsx';
import { useFreshNames } from './names.js';
import { address, kOwnAddress, place_of, to_ask, to_chosen, to_class, to_classes, to_clean, to_compare, to_features, to_item, to_items, to_map, to_rank, useRoute } from './route.js';
import { useScroll } from './scroll.js';
import { Search } from './search.jsx';
import { useColours, useTheme } from './theme.js';
import { AskView } from './view/ask.jsx';
import { ChosenView } from './view/chosen.jsx';
import { ClassView } from './view/class.jsx';
import { ClassesView } from './view/classes.jsx';
import { CleanView } from './view/clean.jsx';
import { CompareView } from './view/compare.jsx';
import { FeatureView } from './view/feature.jsx';
import { FeaturesView } from './view/features.jsx';
import { DropAnywhere } from './view/drop.jsx';
import { ItemView } from './view/item.jsx';
import { ItemsView } from './view/items.jsx';
import { MapView } from './view/map.jsx';
import { OverviewView } from './view/overview.jsx';
import { OwnView } from './view/own.jsx';
import { RankView } from './view/rank.jsx';

/**
 * @typedef {import('./source/contract.js').Run} Run
 * @typedef {{menu: string, title: string, run: number, body: import('preact').ComponentChildren}} View
 */

/** @param {string|undefined} text */
const whole = (text) => (/^\d+$/.test(text ?? '') ? Number(text) : NaN);

/**
 * The view of a route: its name in the menu, its title and what it shows; null if there is none.
 * @param {{path: string[], query: import('./route.js').Query}} route
 * @param {import('./source/contract.js').Overview} overview
 * @param {string} theme  see useColours()
 * @returns {View|null}
 */
function view_of({ path, query }, { runs, data: { classes } }, theme) {
  const [kind, first, part, last] = path;
  const [a, b] = [whole(first), whole(part)];
  if (path.length === 0) return { menu: 'overview', title: 'Overview', run: 0, body: <OverviewView theme={theme} /> };
  if (kind === 'own' && path.length === 1) return { menu: 'own', title: 'Your picture', run: 0, body: <OwnView query={query} /> };
  if (kind === 'ask' && path.length === 1) return { menu: 'ask', title: 'Ask in words', run: 0, body: <AskView query={query} /> };
  if (!runs[a]) return null;
  if (kind === 'map') return { menu: 'map', title: 'Map', run: a, body: <MapView run={a} query={query} theme={theme} /> };
  if (kind === 'clean') return { menu: 'clean', title: 'Clean', run: a, body: <CleanView run={a} query={query} /> };
  if (kind === 'compare' && runs[b]) return { menu: 'compare', title: 'Compare', run: a, body: <CompareView a={a} b={b} query={query} /> };
  if (kind !== 'run') return null;
  const number = whole(last);
  if (part === 'features') return { menu: 'features', title: 'Features', run: a, body: <FeaturesView run={a} query={query} /> };
  if (part === 'items') return { menu: 'items', title: 'Items', run: a, body: <ItemsView run={a} query={query} /> };
  if (part === 'selection') return { menu: 'selection', title: 'Selection', run: a, body: <ChosenView run={a} query={query} /> };
  if (part === 'rank') return { menu: 'rank', title: 'Rank', run: a, body: <RankView run={a} query={query} /> };
  if (part === 'classes') return { menu: 'classes', title: 'Classes', run: a, body: <ClassesView run={a} /> };
  if (part === 'class' && number < classes.length) return { menu: 'classes', title: shortened(classes[number], 40) || `Class ${number}`, run: a, body: <ClassView run={a} label={number} /> };
  if (part === 'feature' && number < runs[a].features) return { menu: 'features', title: `Feature ${number}`, run: a, body: <FeatureView run={a} feature={number} query={query} /> };
  if (part === 'item' && number >= 0) return { menu: 'items', title: `Item ${number}`, run: a, body: <ItemView run={a} item={number} query={query} /> };
  return null;
}

/**
 * The present view of another run: the same item, the same class. A number of a feature means nothing there, nor does a
 * filter or a weight.
 * @param {{path: string[], query: import('./route.js').Query}} route
 * @param {number} run
 */
function same_view({ path: [, , part, number], query }, run) {
  if (part === 'item') return to_item(run, number, { class: query.class });
  if (part === 'items') return to_items(run, { class: query.class, page: query.page });
  if (part === 'class') return to_class(run, number);
  if (part === 'classes') return to_classes(run);
  if (part === 'selection') return to_chosen(run);
  if (part === 'rank') return to_rank(run);
  return to_features(run, { sort: query.sort, show: query.show, class: query.class });
}

/** @param {{view: View|null, runs: Run[]}} props */
function Menu({ view, runs }) {
  const { own } = usePage();
  const readers = useReaders();
  const { overview } = usePage();
  const run = view?.run ?? 0;
  const links = [
    ['overview', 'Overview', address([])],
    ['features', 'Features', to_features(run)],
    ['items', 'Items', to_items(run)],
    ...(overview.data.classes.length > 0 ? [['classes', 'Classes', to_classes(run)]] : []),
    ...(runs.length > 1 ? [['compare', 'Compare', view?.menu === 'compare' ? to_compare(run, (run + 1) % runs.length) : to_compare(0, 1)]] : []),
    ['map', 'Map', to_map(run)],
    ['selection', 'Selection', to_chosen(run)],
    ['rank', 'Rank', to_rank(run)],
    ['clean', 'Clean', to_clean(run)],
    ...(readers.length > 0 ? [['ask', 'Ask in words', to_ask()]] : []),
    ...(own ? [['own', 'Your picture', kOwnAddress]] : []),
  ];
  return (
    <nav class="menu" aria-label="Views">
      {links.map(([key, name, href]) => <a key={key} href={href} aria-current={view?.menu === key ? 'page' : undefined}>{name}</a>)}
    </nav>
  );
}

/** @param {import('./context.js').PageParts} props */
export function App({ source, overview, names, picked, own }) {
  const route = useRoute();
  const [theme, turn_theme] = useTheme();
  const [help, set_help] = useState(false);
  const main = useRef(/** @type {HTMLElement|null} */ (null));
  const colours = useColours(theme);
  const view = view_of(route, overview, colours);
  const place = place_of(route);
  useEffect(() => listen_to_keys({ help: () => set_help(true) }), []);
  useFreshNames(names);
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · Orthant`;
  }, [place]);
  useScroll(place);
  const { runs } = overview;
  return (
    <Page.Provider value={{ source, overview, names, picked, own }}>
      <a class="skip" href={location.hash || '#/'} onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
      <header class="bar-top">
        <a class="brand" href="#/" aria-label="Orthant, overview">Orthant</a>
        <Menu view={view} runs={runs} />
        {runs.length > 1 && view && ['features', 'items', 'classes', 'selection', 'rank'].includes(view.menu) && (
          <nav class="runs" aria-label="Runs">
            {runs.map((run) => <a key={run.run} href={same_view(route, run.run)} aria-current={run.run === view.run ? 'true' : undefined}>{shortened(run.name, 20)}</a>)}
          </nav>
        )}
        <Search run={view?.run ?? 0} />
        <span class="tools">
          <button type="button" onClick={turn_theme} aria-label={`Colours: ${theme}. Change`} title="Colours: as the system, light, dark">{{ auto: 'Auto', light: 'Light', dark: 'Dark' }[theme]}</button>
          <button type="button" onClick={() => set_help(true)} aria-label="Help: keys">?</button>
        </span>
      </header>
      <main ref={main} id="main" tabIndex={-1}>
        {view?.body ?? <><h1>Not found</h1><Empty>There is no such view here. <a href="#/">To the overview</a></Empty></>}
      </main>
      <DropAnywhere run={view?.run ?? 0} />
      <Help open={help} onClose={() => set_help(false)} />
    </Page.Provider>
  );
}
