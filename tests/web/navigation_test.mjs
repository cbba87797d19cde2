// Ways through the page: keys, Back, filters, the history and the map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './browser.mjs';
import { full, with_page } from './full_report.mjs';

test('keys lead through the page', async () => {
  await with_page(async (page) => {
    const stands_at = (feature) => page.waitForSelector(`.steps a[rel=next][href*="feature/${feature + 1}?"]`);
    await visit(page, full(), '#/run/1/feature/12?sort=number');
    await stands_at(12);
    for (const [key, feature] of [['j', 13], ['ArrowLeft', 12], ['k', 11]]) {
      await page.keyboard.press(key);
      await stands_at(feature);
      assert.match(page.url(), new RegExp(`feature/${feature}\\?`));
    }
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
    assert.match(page.url(), /feature\/11/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => location.hash.startsWith('#/run/1/features'));
    await page.waitForSelector('.card-link');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('.card-link')].indexOf(document.activeElement)), 1);
    await page.keyboard.press('/');
    await page.keyboard.type('round');
    await page.waitForSelector('[role=option]:has-text("round things")');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/run/1/feature/12');
    await page.keyboard.press('/');
    await page.keyboard.type('test/77');
    await page.waitForSelector('[role=option]:has-text("item 77")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.steps a[rel=next][href="#/run/1/item/78"]');
    await page.keyboard.press('j');
    await page.waitForFunction(() => location.hash === '#/run/1/item/78');
  });
});

test('the map shows an item on hover and opens it on click', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/map/1?layout=umap', 'canvas.map');
    const box = await page.locator('canvas.map').boundingBox();
    const size = Math.min(box.width, box.height);
    await page.mouse.move(box.x + box.width / 2 + (size / 2) * 0.94 * 0.7, box.y + box.height / 2);
    await page.waitForSelector('.map-hover');
    const item = Number((await page.textContent('.map-hover b')).replace('Item ', ''));
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction((wanted) => location.hash === `#/run/1/item/${wanted}`, item);
  });
});

test('Back leads to where one was: scroll, choices and place on the map', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features?sort=firing');
    await page.evaluate(() => scrollTo(0, 700));
    await page.waitForFunction(() => history.state?.scroll === 700);
    await page.locator('.card-link').nth(20).click();
    await page.waitForSelector('.strongest');
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.goBack();
    await page.waitForFunction(() => Math.abs(scrollY - 700) <= 1);
    assert.match(page.url(), /sort=firing/);
    await visit(page, full(), '#/run/0/item/5');
    await page.getByRole('button', { name: 'Show all 64 features' }).click();
    await visit(page, full(), '#/map/1');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'star' }).click();
    await page.waitForFunction(() => /view=0%2C0%2C1\.6/.test(location.hash) && /only=3/.test(location.hash));
    const drawn = () => page.$eval('canvas.map', (canvas) => canvas.toDataURL());
    await page.waitForTimeout(300);
    const before = await drawn();
    await page.evaluate(() => (location.hash = '#/'));
    await page.waitForSelector('.measures');
    await page.goBack();
    await page.waitForSelector('canvas.map');
    await page.waitForTimeout(300);
    assert.equal(await drawn(), before);
    await page.goBack();
    await page.waitForSelector('.firing');
    assert.equal(await page.locator('.firing tbody tr').count(), 64);
  });
});

test('a step taken as soon as the page is there is not lost', async () => {
  await with_page(async (page) => {
    await page.addInitScript(() => {
      window.requestAnimationFrame = (work) => setTimeout(work, 300); // a busy machine
      const watcher = new MutationObserver(() => {
        if (!document.querySelector('main h1')) return;
        watcher.disconnect();
        location.hash = '#/run/1/items';
      });
      watcher.observe(document, { childList: true, subtree: true });
    });
    await page.goto(full());
    await page.waitForSelector('.items-grid', { timeout: 10000 });
  });
});

test('where one had scrolled to is kept even if a click follows at once', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features?sort=firing');
    await page.evaluate(() => {
      scrollTo(0, 700);
      document.querySelectorAll('.card-link')[20].click();
    });
    await page.waitForSelector('.strongest');
    await page.goBack();
    await page.waitForFunction(() => Math.abs(scrollY - 700) <= 1);
  });
});

test('what happens after Back and before the view has changed leaves where one had been alone', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/features?sort=firing');
    await page.evaluate(() => scrollTo(0, 700));
    await page.waitForFunction(() => history.state?.scroll === 700);
    await page.locator('.card-link').nth(20).click();
    await page.waitForSelector('.strongest');
    await page.evaluate(() => {
      addEventListener('popstate', () => document.body.click(), { once: true });
      history.back();
    });
    await page.waitForFunction(() => location.hash.includes('features') && Math.abs(scrollY - 700) <= 1, null, { timeout: 5000 });
  });
});

test('another run shows the same item, and the same choice of items and features', async () => {
  await with_page(async (page) => {
    const other_run = async (hash) => {
      await visit(page, full(), hash);
      return page.locator('.runs a').first().getAttribute('href');
    };
    assert.equal(await other_run('#/run/1/item/13?class=3&with=23'), '#/run/0/item/13?class=3');
    assert.equal(await other_run('#/run/1/items?class=3&page=1'), '#/run/0/items?class=3&page=1');
    assert.equal(await other_run('#/run/1/features?sort=firing&show=live&page=1'), '#/run/0/features?sort=firing&show=live');
    assert.equal(await other_run('#/run/1/feature/5?sort=firing'), '#/run/0/features?sort=firing');
    await visit(page, full(), '#/map/1?only=3');
    await page.locator('.controls select').first().selectOption('0');
    await page.waitForFunction(() => location.hash === '#/map/0?layout=umap&only=3');
  });
});

test('the next item is the next of the class that was asked for', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/items?class=3');
    await page.locator('.items-grid .tile').nth(1).click();
    await page.waitForSelector('.steps:has-text("2 of ")');
    const next = page.locator('.steps a[rel=next]');
    assert.equal(await next.getAttribute('href'), '#/run/1/item/23?class=3');
    await next.click();
    await page.waitForSelector('.steps:has-text("3 of ")');
    await page.locator('.steps a').first().click();
    await page.waitForFunction(() => location.hash === '#/run/1/items?class=3');
  });
});

test('choosing neighbours is no step of the history', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/run/1/item/5', '.why');
    const steps = await page.evaluate(() => history.length);
    for (const at of [2, 4]) {
      await page.locator('.tiles .tile').nth(at).click();
      await page.waitForSelector(`.tiles .tile:nth-child(${at + 1})[aria-current]`);
    }
    assert.equal(await page.evaluate(() => history.length), steps);
    assert.match(page.url(), /with=\d+/);
  });
});

test('the map takes a feature by number, by name and from the address', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/map/1?feature=25', '.map-scale');
    assert.equal(await page.inputValue('.feature-choice'), '25');
    assert.equal(await page.locator('datalist option[value="12: round things"]').count(), 1);
    await page.fill('.feature-choice', 'round');
    await page.press('.feature-choice', 'Enter');
    await page.waitForSelector('.legend .feature-name:has-text("round things")');
    assert.match(page.url(), /colour=feature%3A12/);
    assert.equal(await page.inputValue('.feature-choice'), '12: round things');
  });
});

test('a finger on the map scrolls the page, two zoom the map, a tap opens an item', async () => {
  await with_page(async (page) => {
    await visit(page, full(), '#/map/1?layout=umap', 'canvas.map');
    assert.match(await page.$eval('canvas.map', (canvas) => getComputedStyle(canvas).touchAction), /^pan-x pan-y$/);
    const drawn = () => page.$eval('canvas.map', (canvas) => canvas.toDataURL());
    const finger = (type, id, x, y) =>
      page.$eval('canvas.map', (canvas, [type, pointerId, x, y]) => {
        const box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: 'touch', bubbles: true, clientX: box.x + x, clientY: box.y + y }));
      }, [type, id, x, y]);
    await page.waitForTimeout(200);
    const before = await drawn();
    await finger('pointerdown', 1, 200, 200);
    await finger('pointermove', 1, 260, 240);
    await page.waitForTimeout(100);
    assert.equal(await drawn(), before, 'one finger does not move the map');
    await finger('pointerdown', 2, 300, 200);
    await finger('pointermove', 2, 420, 200);
    await page.waitForTimeout(400);
    assert.notEqual(await drawn(), before);
    assert.match(page.url(), /view=/);
    await finger('pointerup', 1, 260, 240);
    await finger('pointerup', 2, 420, 200);
    assert.match(page.url(), /#\/map/);
    await visit(page, full(), '#/map/1?layout=umap', 'canvas.map');
    const box = await page.locator('canvas.map').boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2 + (Math.min(box.width, box.height) / 2) * 0.94 * 0.7, box.y + box.height / 2);
    await page.waitForFunction(() => /#\/run\/1\/item\/\d+/.test(location.hash));
  }, { hasTouch: true });
});
