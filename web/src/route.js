import { useLayoutEffect, useState } from 'preact/hooks';

// Every view has an address behind the '#': path and query, both plain text.

/**
 * @typedef {Record<string, string>} Query  of the present address
 * @typedef {Record<string, string|number|null|undefined>} NewQuery  null and undefined: left out
 */

/** @param {string} hash @returns {{path: string[], query: Query}} */
export function parse_route(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split('?');
  let parts = ['unknown'];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    // No text in this encoding: an address that is not there.
  }
  return { path: parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** @param {(string|number)[]} path @param {NewQuery} query */
export function address(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(known.map(([key, value]) => [key, String(value)])).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

/** @typedef {(run: number, query?: NewQuery) => string} RunAddress */
/** @typedef {(run: number, number: number|string, query?: NewQuery) => string} NumberAddress */

/** @type {RunAddress} */
export const to_features = (run, query) => address(['run', run, 'features'], query);
/** @type {NumberAddress} */
export const to_feature = (run, feature, query) => address(['run', run, 'feature', feature], query);
/** @type {RunAddress} */
export const to_items = (run, query) => address(['run', run, 'items'], query);
/** @type {NumberAddress} */
export const to_item = (run, item, query) => address(['run', run, 'item', item], query);
/** @type {(a: number, b: number, query?: NewQuery) => string} */
export const to_compare = (a, b, query) => address(['compare', a, b], query);
/** @type {RunAddress} */
export const to_map = (run, query) => address(['map', run], query);

/** @type {RunAddress} */
export const to_clean = (run, query) => address(['clean', run], query);

/** @type {NumberAddress} */
export const to_class = (run, label, query) => address(['run', run, 'class', label], query);
/** @type {RunAddress} */
export const to_classes = (run, query) => address(['run', run, 'classes'], query);
/** What the items chosen by a filter or by hand have in common. @type {RunAddress} */
export const to_chosen = (run, query) => address(['run', run, 'selection'], query);
/** Items ranked by features that one weighs. @type {RunAddress} */
export const to_rank = (run, query) => address(['run', run, 'rank'], query);

/** The view of the visitor's own picture. */
export const kOwnAddress = address(['own']);

/** The view of a question in words. @param {NewQuery} [query] */
export const to_ask = (query) => address(['ask'], query);

/** @param {string} hash */
export function go(hash) {
  location.hash = hash;
}

/** Changes the query of the present view without a step in the history. @param {NewQuery} changes */
export function change_query(changes) {
  const { path, query } = parse_route(location.hash);
  history.replaceState(history.state, '', address(path, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Which view it is, and which page of a list. @param {ReturnType<typeof parse_route>} route */
export const place_of = ({ path, query }) => `${path.join('/')}?${query.page ?? ''}`;

export function useRoute() {
  const [hash, set_hash] = useState(location.hash);
  useLayoutEffect(() => { // before anything can be clicked
    const follow = () => set_hash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parse_route(hash);
}

/**
 * A choice of yes or no that the address keeps.
 * @param {string} key
 * @returns {[boolean, (on: boolean) => void]}
 */
export function useSwitch(key) {
  const { query } = useRoute();
  return [query[key] === '1', (on) => change_query({ [key]: on ? 1 : null })];
}
