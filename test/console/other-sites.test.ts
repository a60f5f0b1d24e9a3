import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Person, useConsole } from './console.js';
import { writerOn } from './content.js';

/**
 * Loads an address in every way, and returns what the page sees of it. A text, because the tests do not have the types
 * of browsers.
 */
const PROBE = `async (url) => {
  const told = {};
  const element = (name, make) => new Promise((resolve) => {
    const one = Object.assign(document.createElement(name), make);
    one.onload = one.onloadedmetadata = () => resolve('load');
    one.onerror = () => resolve('error');
    setTimeout(() => resolve('nothing'), 3000);
    document.body.append(one);
  });
  const fresh = (way) => url + '?way=' + way;
  const ways = { script: { src: fresh('script') }, img: { src: fresh('img') }, object: { data: fresh('object') }, video: { src: fresh('video') },
    link: { rel: 'stylesheet', href: fresh('style') } };
  for (const [name, make] of Object.entries(ways)) told[name] = await element(name, make);
  told.prefetch = await element('link', { rel: 'prefetch', href: fresh('prefetch') });
  told.preload = await element('link', { rel: 'preload', as: 'image', href: fresh('preload') });
  told.fetch = await fetch(fresh('fetch'), { mode: 'no-cors', credentials: 'include' }).then(({ type }) => type, () => 'failed');
  told.sizes = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(url)).map(
    ({ responseStatus, transferSize, encodedBodySize, contentType }) => [responseStatus, transferSize, encodedBodySize, contentType]);
  return told;
}`;

/** Opens a window at an address, and returns what the page sees of it. */
const OPENED = `async (url) => {
  const other = window.open(url);
  const ends = Date.now() + 5000;
  while (!other.closed && Date.now() < ends) await new Promise((resolve) => setTimeout(resolve, 50));
  return [other.closed, other.length];
}`;

describe('a page of another site, in the browser of somebody who has signed in', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let person: Person;
  let other: Server;
  let page: Page;
  /** Pages on other ports are of the same site, so the browser sends the cookie also with what they load. */
  const at = (path: string): string => `${running().server.httpUrl}${path}`;

  before(async () => {
    await write.folder('there', 'A folder that is there');
    person = await running().person();
    other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body>')).listen(0);
    page = await person.context.newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  });
  after(async () => {
    await person?.context.close();
    other?.closeAllConnections();
    other?.close();
  });

  for (const [what, there, missing] of [
    ['a folder is there', '/api/folders/there', '/api/folders/missing'],
    [
      'an object is there',
      '/apis/folder.svc.app/v1beta1/namespaces/default/folders/there',
      '/apis/folder.svc.app/v1beta1/namespaces/default/folders/missing',
    ],
  ] as const) {
    // Promise: security browsers
    it(`cannot tell whether ${what}`, async () => {
      const seen = async (path: string) => page.evaluate(`(${PROBE})(${JSON.stringify(at(path))})`);
      expect(await seen(there)).to.deep.equal(await seen(missing));
    });
  }

  // Promise: security browsers
  it('can frame, load or read no answer, not even errors and files', async () => {
    const paths = [
      '/',
      '/login',
      '/login/github',
      '/logout',
      '/docs',
      '/docs/none.js',
      '/console',
      '/console/folders',
      '/none',
    ];
    const apis = ['/api/user', '/api/none', '/api/%zz', '/apis', '/openapi/v2', '/metrics', '/livez', '/version'];
    for (const path of [...paths, ...apis]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']) {
        const headers = { origin: 'https://other.example', 'access-control-request-method': 'PUT' };
        const answer = await person.context.request.fetch(at(path), { method, headers, maxRedirects: 0 });
        const told = Object.entries(answer.headers()).filter(([name]) =>
          /^(x-frame|x-content|cross-origin|access-c)/.test(name),
        );
        expect(
          Object.fromEntries(told.map(([name, value]) => [name, value.toLowerCase()])),
          `${method} ${path}`,
        ).to.deep.equal({
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'deny',
        });
      }
    }
  });

  // Promise: security browsers
  it('has no access to a window that it opens here', async () => {
    for (const path of ['/console', '/login', '/docs', '/api/user', '/apis', '/nothing']) {
      expect(await page.evaluate(`(${OPENED})(${JSON.stringify(at(path))})`), path).to.deep.equal([true, 0]);
    }
  });
});
