import { useEffect, useState } from 'preact/hooks';

/**
 * What `make` promises, for as long as `keys` stay the same.
 * @returns {{value?: any, error?: Error, retry: () => void}} neither value nor error while it loads
 */
export function useLoad(make, keys) {
  const [round, set_round] = useState(0);
  const [state, set_state] = useState({ keys: null });
  const wanted = JSON.stringify([...keys, round]);
  useEffect(() => {
    let current = true;
    const settle = (result) => current && set_state({ ...result, keys: wanted });
    Promise.resolve()
      .then(make)
      .then((value) => settle({ value }), (error) => settle({ error }));
    return () => {
      current = false;
    };
  }, [wanted]);
  const { value, error } = state.keys === wanted ? state : {};
  return { value, error, retry: () => set_round(round + 1) };
}

/** Shows what was loaded, or that it is being loaded, or why it could not be. */
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
  return children(load.value);
}

/** Says in words that there is nothing to show, and why. */
export function Empty({ children }) {
  return <p class="notice empty">{children}</p>;
}
