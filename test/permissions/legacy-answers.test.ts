import { expect } from 'chai';
import { noteOf } from '../../registry/legacy/parameter-notes.js';
import { differenceOf } from '../harness/described-answer.js';
import { legacyRoutesOf, routesElsewhereOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { type Cast, castOn } from './cast.js';
import { legacyTry, targetsOf } from './legacy-requests.js';

/** The routes whose answers are not compared: exports in YAML, those that always refuse, and those of directories. */
const OTHERS = /\/export$|^GET \/datasources\/(uid|name)\/|^GET \/admin\/audit$| \/admin\/ldap\//;
const CALLERS = ['admin', 'root', 'editor', 'viewer'] as const;

oneStore('the documentation of the legacy API', (server) => {
  let cast: Cast;
  let shared: ReturnType<typeof targetsOf>;

  before(async () => {
    cast = await castOn(server());
    shared = targetsOf(cast);
  });

  it('describes every parameter', () => {
    const routes = [...legacyRoutesOf(server()), ...routesElsewhereOf(server())];
    const missing = routes.flatMap(({ method, path, query = [], notes = {} }) => {
      const names = [...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name), ...query];
      const unknown = names.filter((name) => noteOf(name, notes).description === undefined);
      return unknown.map((name) => `${method} ${path}: ${name}`);
    });
    expect(missing).to.deep.equal([]);
  });

  it('names only values of parameters that the route takes', async () => {
    const refused: string[] = [];
    for (const { method, path, query = [], notes = {} } of [
      ...legacyRoutesOf(server()),
      ...routesElsewhereOf(server()),
    ]) {
      if (method !== 'GET') continue;
      for (const name of query) {
        const { enum: values = [] } = noteOf(name, notes).schema as { readonly enum?: readonly unknown[] };
        for (const value of values) {
          const { path: at, ...request } = await legacyTry(cast, shared, 'admin', {
            method,
            path: path.replace(':namespace', 'default'),
          });
          const [place = '', search = ''] = at.split('?', 2);
          const sent = new URLSearchParams(search);
          sent.set(name, String(value));
          const full = place.startsWith('/apis/') ? place : `/api${place}`;
          const { status, text } = await cast.call('admin', method, `${full}?${sent}`, request);
          if (status === 400) refused.push(`${method} ${path}?${name}=${value}: ${text.slice(0, 200)}`);
        }
      }
    }
    expect(refused).to.deep.equal([]);
  });

  it('describes what each route answers, to the last member', async () => {
    const differences: string[] = [];
    for (const route of legacyRoutesOf(server())) {
      const what = `${route.method} ${route.path}`;
      if (OTHERS.test(what)) continue;
      const text = await successOf(route);
      const difference = text === undefined ? 'no caller succeeded' : differenceOf(route, text);
      if (difference !== undefined) differences.push(`${what}: ${difference}`);
    }
    expect(differences).to.deep.equal([]);
  });

  /** The body that the first caller gets who may do it. */
  async function successOf({ method, path }: { method: string; path: string }): Promise<string | undefined> {
    for (const caller of CALLERS) {
      const { path: at, ...request } = await legacyTry(cast, shared, caller, { method, path });
      const { status, text } = await cast.call(caller, method, `/api${at}`, request);
      if (status < 300) return text;
    }
    return undefined;
  }
});
