import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/**
 * What every view needs: the source, its overview and the names of features.
 * @type {import('preact').Context<{source: import('./source/contract.js').Source,
 *   overview: import('./source/contract.js').Overview, names: import('./names.js').Names}>}
 */
export const Page = createContext(null);

export const usePage = () => useContext(Page);

/** @returns {import('./source/contract.js').Run|undefined} */
export const useRun = (run) => usePage().overview.runs[run];
