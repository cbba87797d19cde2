import { useEffect, useState } from 'preact/hooks';
import { usePage, useReaders } from '../context.js';
import { shortened } from '../format.js';
import { Empty, Loaded, useLoad } from '../load.jsx';
import { change_query, go, to_ask } from '../route.js';
import { Explanation } from './explanation.jsx';
import { chosen_of, SeenBy } from './seen_by.jsx';

const kLongest = 1000; // characters

/**
 * @typedef {import('../source/contract.js').Run} Run
 * @typedef {import('../route.js').Query} Query
 */

/** Where to ask; leads to the view of the answer. @param {{text?: string}} props */
export function AskBox({ text = '' }) {
  const { overview } = usePage();
  const readers = useReaders();
  const [typed, set_typed] = useState(text);
  useEffect(() => set_typed(text), [text]);
  if (readers.length === 0) return null;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (typed.trim()) go(to_ask({ text: typed.trim() }));
  };
  const what = overview.data.has_sounds ? 'sounds' : overview.data.has_pictures ? 'pictures' : 'items';
  return (
    <form class="ask" onSubmit={submit} aria-label="Ask in words">
      <label>
        <span>Find {what} in words</span>
        <input name="text" type="text" value={typed} maxLength={kLongest} placeholder={`what the ${what} should show`} autocomplete="off" enterkeyhint="search" onInput={(event) => set_typed(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={!typed.trim()}>Find</button>
    </form>
  );
}

/** Why an item fits the text. @param {{run: number, text: string, item: number, first: import('../source/contract.js').OwnItem}} props */
function Why({ run, text, item, first }) {
  const { source } = usePage();
  const load = useLoad(async () => (item === first.with || !source.ask ? first : source.ask(run, text, item)), ['ask why', run, text, item]);
  return (
    <Loaded load={load} what="why it fits">
      {({ score, parts }) => <Explanation run={run} b={item} score={score} parts={parts} shared={parts.length} picture={<q class="asked">{shortened(text, 120)}</q>} />}
    </Loaded>
  );
}

/** What one run finds. @param {{run: Run, text: string, query: Query}} props */
function Found({ run, text, query }) {
  const { source } = usePage();
  const load = useLoad(async () => {
    if (!source.ask) throw new Error('There is no server to ask.');
    return source.ask(run.run, text);
  }, ['ask', run.run, text]);
  return (
    <Loaded load={load} what={`what ${shortened(run.name, 40)} finds`}>
      {(item) => {
        const chosen = chosen_of(item, query[`with${run.run}`]);
        return (
          <>
            {item.active === 0 && <p class="notice">No feature fires on this text, so nothing fits it better than anything else. Other words may do.</p>}
            <SeenBy run={run} item={item} chosen={chosen} onChoose={(near) => change_query({ [`with${run.run}`]: near })} found>
              <Why run={run.run} text={text} item={chosen} first={item} />
            </SeenBy>
          </>
        );
      }}
    </Loaded>
  );
}

/** A question in words, answered by all runs that read texts. @param {{query: Query}} props */
export function AskView({ query }) {
  const readers = useReaders();
  const text = (query.text ?? '').trim();
  return (
    <>
      <h1>Ask in words</h1>
      {readers.length === 0 ? <Empty>There is no model of texts here: <code>orthant explore RUN</code> of a run on pairs with texts has one.</Empty> : (
        <>
          <AskBox text={text} />
          {!text && <Empty>Nothing asked yet. The text goes through the model of texts, and what fits best is what has the same features: you see which.</Empty>}
          {text && (
            <div class="side-by-side">
              {readers.map((run) => (
                <div key={run.run} class="card seen-by">
                  <h2>{readers.length > 1 ? `Found by ${shortened(run.name, 40)}` : 'Found'}</h2>
                  <Found run={run} text={text} query={query} />
                </div>
              ))}
            </div>
          )}
        </>
      )}
    </>
  );
}
