// What must hold in every view, checked in the page itself.

/** Controls without a name, ids used twice, views without a heading, text that betrays a missing value. */
export function audit() {
  const faults = [];
  const named = (element) => {
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join('');
    const by = element.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent).join('');
    return (element.getAttribute('aria-label') || by || labels || element.textContent || element.title || '').trim() !== '';
  };
  const describe = (element) => element.outerHTML.slice(0, 120);
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea, [role=img], [role=application], [role=region], nav')) {
    if (!named(control)) faults.push(`no name: ${describe(control)}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) faults.push(`id used twice: ${id}`);
  if (document.querySelectorAll('h1').length !== 1) faults.push(`${document.querySelectorAll('h1').length} h1`);
  if (!document.querySelector('main') || !document.querySelector('header nav')) faults.push('no landmarks');
  const text = document.body.innerText;
  for (const word of ['undefined', 'NaN', '[object', 'Infinity']) if (text.includes(word)) faults.push(`"${word}" in the text`);
  for (const empty of document.querySelectorAll('main section, main td:only-child, main p')) {
    if (empty.textContent.trim() === '' && !empty.querySelector('canvas, svg, img')) faults.push(`empty: ${describe(empty)}`);
  }
  return faults;
}

/** Text whose contrast with what is behind it is below WCAG AA (4.5, or 3 for large text). */
export function low_contrast() {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+(e-\d+)?/g).map(Number);
    const full = text.startsWith('color(srgb') ? 255 : 1; // what color-mix() makes goes from 0 to 1
    return { r: r * full, g: g * full, b: b * full, a };
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const over = (front, back) => ({ r: front.r * front.a + back.r * (1 - front.a), g: front.g * front.a + back.g * (1 - front.a), b: front.b * front.a + back.b * (1 - front.a), a: 1 });
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((back, layer) => over(layer, back), { r: 255, g: 255, b: 255, a: 1 });
  };
  const faults = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest('script, style, :disabled, .off, .visually-hidden, .skip')) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const colour = element.closest('svg') ? parse(style.fill === 'none' ? style.color : style.fill.startsWith('rgb') ? style.fill : style.color) : parse(style.color);
    const [dark, bright] = [light(over(colour, back)), light(back)].sort((x, y) => x - y);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.add(`${ratio.toFixed(2)}: ${element.className || element.tagName} "${walker.currentNode.textContent.trim().slice(0, 30)}"`);
  }
  return [...faults];
}

/** How many pixels the page is wider than the window. */
export const overflow = () => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What is to be hit, and is smaller than 24 pixels in a direction; links within text may be. */
export function small_targets() {
  const targets = [...document.querySelectorAll('a[href], button, select, input, summary')].filter((target) => target.checkVisibility() && !target.matches('.skip, .hidden-input, .card-link, .term-word') && !target.closest('p, li:not(.pairs li)'));
  return targets.map((target) => [target.outerHTML.slice(0, 90), target.getBoundingClientRect()]).filter(([, box]) => box.width < 24 || box.height < 24).map(([text, box]) => `${text} ${box.width} x ${box.height}`);
}
