import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What is being loaded: neither value nor error until it is there.
 * @template T
 * @typedef {{value?: T, error?: Error, retry: () => void}} Load
 */

/**
 * What `make` promises, for as long as `keys` stay the same.
 * @template T
 * @param {() => T|Promise<T>} make
 * @param {(string|number|null)[]} keys
 * @returns {Load<T>}
 */
export function useLoad(make, keys) {
  const [round, set_round] = useState(0);
  const [state, set_state] = useState(/** @type {{keys: string|null, value?: T, error?: Error}} */ ({ keys: null }));
  const wanted = JSON.stringify([...keys, round]);
  useEffect(() => {
    let current = true;
    const settle = (/** @type {{value?: T, error?: Error}} */ result) => current && set_state({ ...result, keys: wanted });
    Promise.resolve()
      .then(make)
      .then((value) => settle({ value }), (error) => settle({ error }));
    return () => {
      current = false;
    };
  }, [wanted]);
  const { value, error } = state.keys === wanted ? state : { value: undefined, error: undefined };
  return { value, error, retry: () => set_round(round + 1) };
}

/**
 * The same, but what was loaded last stays until the next is there.
 * @template T
 * @param {Load<T>} load
 * @returns {Load<T>}
 */
export function useLast(load) {
  const last = useRef(/** @type {T|undefined} */ (undefined));
  if (load.value !== undefined) last.current = load.value;
  return load.error ? load : { ...load, value: load.value ?? last.current };
}

/**
 * Shows what was loaded, or that it is being loaded, or why it could not be.
 * @template T
 * @param {{load: Load<T>, what: string, children: (value: T) => import('preact').ComponentChildren}} props
 */
export function Loaded({ load, what, children }) {
  if (load.error) {
    return (
      <div class="notice failed" role="alert">
        <p>
          <strong>Cannot show {what}.</strong> {load.error.message}
        </p>
        <button type="button" onClick={load.retry}>
          Try again
        </button>
      </div>
    );
  }
  if (load.value === undefined) {
    return (
      <p class="notice loading" role="status">
        Loading {what} ...
      </p>
    );
  }
  return <>{children(load.value)}</>;
}

/** Says in words that there is nothing to show, and why. @param {{children: import('preact').ComponentChildren}} props */
export function Empty({ children }) {
  return <p class="notice empty">{children}</p>;
}
