import { useEffect, useState } from 'preact/hooks';
import { read_stored, store } from './storage.js';

const kKey = 'orthant.theme';
const kNext = { auto: 'light', light: 'dark', dark: 'auto' };

/** @returns {[string, () => void]} light, dark or auto (as the system has it), and what turns it */
export function useTheme() {
  const [theme, set_theme] = useState(() => (kNext[read_stored(kKey)] ? read_stored(kKey) : 'auto'));
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  useEffect(() => void store(kKey, theme), [theme]);
  return [theme, () => set_theme(kNext[theme])];
}
