import { useEffect, useMemo, useState } from 'preact/hooks';
import { read_stored, store } from './storage.js';

const kKey = 'orthant.theme';
/** @typedef {'auto'|'light'|'dark'} Theme */

/** @type {Record<Theme, Theme>} */
const kNext = { auto: 'light', light: 'dark', dark: 'auto' };

/** @param {string|null} text @returns {Theme} */
const as_theme = (text) => (text === 'light' || text === 'dark' ? text : 'auto');

const kMedia = ['print', '(prefers-color-scheme: dark)'];

/** Something that changes whenever the page's colours do, also those of the system and on paper. @param {Theme} theme @returns {string} */
export function useColours(theme) {
  const queries = useMemo(() => kMedia.map((query) => matchMedia(query)), []);
  const now = () => queries.map(({ matches }) => Number(matches)).join('');
  const [media, set_media] = useState(now);
  useEffect(() => {
    const listener = () => set_media(now());
    for (const query of queries) query.addEventListener('change', listener);
    return () => queries.forEach((query) => query.removeEventListener('change', listener));
  }, [queries]);
  return `${theme} ${media}`;
}

/** @returns {[Theme, () => void]} light, dark or auto (as the system has it), and what turns it */
export function useTheme() {
  const [theme, set_theme] = useState(() => as_theme(read_stored(kKey)));
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  useEffect(() => void store(kKey, theme), [theme]);
  return [theme, () => set_theme(kNext[theme])];
}
