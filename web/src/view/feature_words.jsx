import { usePage } from '../context.js';
import { items_of } from '../feature_order.js';
import { count, number, shortened } from '../format.js';
import { Term } from '../part/term.jsx';

/** The words that go with one side of a feature, with the numbers that say so. @param {{words: import('../source/contract.js').Word[], id: string}} props */
export function FeatureWords({ words, id }) {
  const { overview } = usePage();
  if (!overview.data.has_texts) return null;
  return (
    <section aria-labelledby={id} class="feature-words">
      <h3 id={id}><Term id="words">Words that go with it</Term></h3>
      {words.length === 0 ? <p class="quiet">None stands out: what the items' texts say does not depend on it, or there are too few to tell.</p> : (
        <table>
          <thead>
            <tr>
              <th scope="col">Word</th>
              <th scope="col" class="numeric">mean with it</th>
              <th scope="col" class="numeric">without</th>
              <th scope="col" class="numeric">items with it, of {count(items_of(overview))}</th>
            </tr>
          </thead>
          <tbody>
            {words.map((word) => (
              <tr key={word.word}>
                <th scope="row">{shortened(word.word, 40)}</th>
                <td class="numeric">{number(word.with)}</td>
                <td class="numeric">{number(word.without)}</td>
                <td class="numeric">{count(word.items)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
