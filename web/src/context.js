import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/**
 * What every view needs: the source, its overview, the names of features, the items picked by hand and, if a server can
 * embed one, a picture of the visitor's own.
 * @typedef {{source: import('./source/contract.js').Source, overview: import('./source/contract.js').Overview,
 *   names: import('./names.js').Names, picked: import('./picked.js').Picked, own: import('./own.js').OwnPicture|null}} PageParts
 */

export const Page = createContext(/** @type {PageParts|null} */ (null));

/** @returns {PageParts} */
export function usePage() {
  const parts = useContext(Page);
  if (!parts) throw new Error('a view outside of the page');
  return parts;
}

/** The runs that can be asked in words: they have a model of texts, and there is a server. */
export function useReaders() {
  const { source, overview } = usePage();
  return source.live ? overview.runs.filter((run) => run.queries.includes('text')) : [];
}

/** The run of this number, which the address has been checked for. @param {number} run */
export const useRun = (run) => usePage().overview.runs[run];
