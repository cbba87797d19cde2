import { useEffect, useRef, useState } from 'preact/hooks';
import { Page, usePage, useReaders } from './context.js';
import { shortened } from './format.js';
import { Help } from './help.jsx';
import { listen_to_keys } from './keys.js';
import { Empty } from './load.jsx';
import { useFreshNames } from './names.js';
import { address, kOwnAddress, to_ask, to_clean, to_compare, to_features, to_item, to_items, to_map, useRoute } from './route.js';
import { useScroll } from './scroll.js';
import { Search } from './search.jsx';
import { useColours, useTheme } from './theme.js';
import { AskView } from './view/ask.jsx';
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

/**
 * @typedef {import('./source/contract.js').Run} Run
 * @typedef {{menu: string, title: string, run: number, body: import('preact').ComponentChildren}} View
 */

/** @param {string|undefined} text */
const whole = (text) => (/^\d+$/.test(text ?? '') ? Number(text) : NaN);

/**
 * The view of a route: its name in the menu, its title and what it shows; null if there is none.
 * @param {{path: string[], query: import('./route.js').Query}} route
 * @param {Run[]} runs
 * @param {string} theme  see useColours()
 * @returns {View|null}
 */
function view_of({ path, query }, runs, theme) {
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
  if (part === 'feature' && number < runs[a].features) return { menu: 'features', title: `Feature ${number}`, run: a, body: <FeatureView run={a} feature={number} query={query} /> };
  if (part === 'item' && number >= 0) return { menu: 'items', title: `Item ${number}`, run: a, body: <ItemView run={a} item={number} query={query} /> };
  return null;
}

/**
 * The present view of another run: the same item, the same filters. A number of a feature means nothing there.
 * @param {{path: string[], query: import('./route.js').Query}} route
 * @param {number} run
 */
function same_view({ path: [, , part, number], query }, run) {
  if (part === 'item') return to_item(run, number, { class: query.class });
  if (part === 'items') return to_items(run, query);
  return to_features(run, { sort: query.sort, show: query.show, class: query.class });
}

/** @param {{view: View|null, runs: Run[]}} props */
function Menu({ view, runs }) {
  const { own } = usePage();
  const readers = useReaders();
  const run = view?.run ?? 0;
  const links = [
    ['overview', 'Overview', address([])],
    ['features', 'Features', to_features(run)],
    ['items', 'Items', to_items(run)],
    ...(runs.length > 1 ? [['compare', 'Compare', view?.menu === 'compare' ? to_compare(run, (run + 1) % runs.length) : to_compare(0, 1)]] : []),
    ['map', 'Map', to_map(run)],
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
export function App({ source, overview, names, own }) {
  const route = useRoute();
  const [theme, turn_theme] = useTheme();
  const [help, set_help] = useState(false);
  const main = useRef(/** @type {HTMLElement|null} */ (null));
  const colours = useColours(theme);
  const view = view_of(route, overview.runs, colours);
  const place = `${route.path.join('/')}?${route.query.page ?? ''}`;
  useEffect(() => listen_to_keys({ help: () => set_help(true) }), []);
  useFreshNames(names);
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · Orthant`;
  }, [place]);
  useScroll(place);
  const { runs } = overview;
  return (
    <Page.Provider value={{ source, overview, names, own }}>
      <a class="skip" href={location.hash || '#/'} onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
      <header class="bar-top">
        <a class="brand" href="#/" aria-label="Orthant, overview">Orthant</a>
        <Menu view={view} runs={runs} />
        {runs.length > 1 && view && ['features', 'items'].includes(view.menu) && (
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
      {own && <DropAnywhere />}
      <Help open={help} onClose={() => set_help(false)} />
    </Page.Provider>
  );
}
