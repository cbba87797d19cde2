import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.js';

/**
 * What a list of all items says of one, once the list is there.
 * @template T
 * @param {() => Promise<ArrayLike<T>>} list
 * @param {number} item
 * @returns {T|null}
 */
export function useEntry(list, item) {
  const { source } = usePage();
  const [entry, set_entry] = useState(/** @type {T|null} */ (null));
  useEffect(() => {
    let current = true;
    list().then(
      (all) => current && set_entry(all[item] ?? null),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [source, item]);
  return entry;
}
